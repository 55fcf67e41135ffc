// The two kinds of error this package throws: ValueError for a wrong value, TypeError for a wrong type.
// Both print as one line in a notebook; `error.stack` still holds the stack.

import { showAs } from "./inspect.js";

/**
 * A wrong value, shape or size. (A wrong type is a `TypeError`.)
 *
 * @example
 * splitHeads(zeros([1, 2, 4]), 3); // ValueError: Cannot split heads: nHeads must divide D, got nHeads=3 for D=4 ...
 */
export class ValueError extends RangeError {
  static {
    ValueError.prototype.name = "ValueError";
    showAs(ValueError.prototype, oneLine);
  }
}

/** A `TypeError` that prints as one line, like a ValueError. */
export function typeError(message: string): TypeError {
  const error = new TypeError(message);
  showAs(error, oneLine);
  return error;
}

function oneLine({ name, message }: Error): string {
  return `${name}: ${message}`;
}

/** A value as a message shows it: short, and with its kind visible. */
export function describe(value: unknown): string {
  if (typeof value === "string")
    return value.length > 40 ? `a string of ${value.length} characters` : JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "function") return "a function";
  if (typeof value === "symbol") return "a symbol";
  if (Array.isArray(value)) return `an array of length ${value.length}`;
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : String(value);
  if (value instanceof Promise) return "a promise (is an await missing?)";
  const kind = Object.prototype.toString.call(value).slice(8, -1);
  return kind === "Object" ? "an object" : `${/^[AEIOU]/.test(kind) ? "an" : "a"} ${kind}`;
}
