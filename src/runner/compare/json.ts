/** Two JSON values, told apart by path: `trace 0, z[2][1]: 0.40 became 0.41`. */

import type { Json } from "../notebook/format.js";
import { visible } from "../terminal.js";
import { clip, firstChange } from "./text.js";

const shownDifferences = 5;

type Path = (string | number)[];

/**
 * The differences between two values.
 *
 * @param expected the value in the file
 * @param found the value now
 * @param isFigure whether the values are Plotly figures, whose traces are then called so
 * @returns a line for each of the first differences, and how many more there are; undefined if there is none
 */
export function differentJson(expected: Json, found: Json, isFigure = false): string | undefined {
  const lines: string[] = [];
  let count = 0;
  const tell = (path: Path, change: string) => {
    if (++count <= shownDifferences) {
      lines.push(`${describePath(path, isFigure)}: ${change}`);
    }
  };
  walk(expected, found, [], tell);
  if (count === 0) {
    return undefined;
  }
  return [...lines, ...(count > lines.length ? [`and ${count - lines.length} more`] : [])].join("\n");
}

function walk(expected: Json, found: Json, path: Path, tell: (path: Path, change: string) => void): void {
  if (Array.isArray(expected) && Array.isArray(found)) {
    if (expected.length !== found.length) {
      tell(path, `${expected.length} elements became ${found.length}`);
    }
    for (let index = 0; index < Math.min(expected.length, found.length); index++) {
      walk(expected[index], found[index], [...path, index], tell);
    }
  } else if (isObject(expected) && isObject(found)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(found)])) {
      if (!Object.hasOwn(found, key)) {
        tell([...path, key], `${short(expected[key])} is gone`);
      } else if (!Object.hasOwn(expected, key)) {
        tell([...path, key], `${short(found[key])} is new`);
      } else {
        walk(expected[key], found[key], [...path, key], tell);
      }
    }
  } else if (expected !== found) {
    tell(path, changed(expected, found));
  }
}

function isObject(value: Json): value is { [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function describePath(path: Path, isFigure: boolean): string {
  if (isFigure && path[0] === "data" && typeof path[1] === "number") {
    return path.length === 2 ? `trace ${path[1]}` : `trace ${path[1]}, ${joinPath(path.slice(2))}`;
  }
  return path.length === 0 ? "value" : joinPath(path);
}

function joinPath(path: Path): string {
  return path
    .map((step, index) =>
      typeof step === "number" || !/^[\w$-]+$/.test(step)
        ? `[${visible(JSON.stringify(step))}]`
        : index === 0
          ? step
          : `.${step}`,
    )
    .join("");
}

/** Two numbers get as many decimals as the longer one, so that the digits stand below each other. */
function changed(expected: Json, found: Json): string {
  const start = typeof expected === typeof found ? firstChange(JSON.stringify(expected), JSON.stringify(found)) : 0;
  const [before, after] = [short(expected, start), short(found, start)];
  const plain = /^-?\d+(\.\d+)?$/;
  if (typeof expected === "number" && typeof found === "number" && plain.test(before) && plain.test(after)) {
    const decimals = Math.max(decimalsOf(before), decimalsOf(after));
    return `${padded(before, decimals)} became ${padded(after, decimals)}`;
  }
  return `${before} became ${after}`;
}

function decimalsOf(number: string): number {
  return number.split(".")[1]?.length ?? 0;
}

function padded(number: string, decimals: number): string {
  const [whole, fraction = ""] = number.split(".");
  return decimals === 0 ? number : `${whole}.${fraction.padEnd(decimals, "0")}`;
}

function short(value: Json, around = 0): string {
  return clip(JSON.stringify(value), around, 60);
}
