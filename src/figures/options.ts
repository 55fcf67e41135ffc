// The options of a maker, checked once: their names, and the indices they choose along an axis.

import { describe, typeError, ValueError } from "../array/errors.js";

/** @throws TypeError if `options` is no object, or has a name that is not among `names`: a misspelt option would do nothing. */
export function checkOptions(action: string, options: unknown, names: readonly string[]): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw typeError(
      `Cannot ${action}: options must be an object such as { ${names[0]}: ... }, got ${describe(options)}`,
    );
  }
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const alike = names.find((name) => start(name) === start(unknown));
    const remedy = alike === undefined ? "" : `; did you mean ${alike}?`;
    throw typeError(
      `Cannot ${action}: an option must be one of ${names.join(", ")}, got ${describe(unknown)}${remedy}`,
    );
  }
}

function start(name: string): string {
  return name.slice(0, 4).toLowerCase();
}

/** Reads `chosen`, one index or several, against an axis of `size`; all of them when it is not given. */
export function chosenIndices(
  action: string,
  name: string,
  chosen: number | readonly number[] | undefined,
  axis: string,
  size: number,
): number[] {
  if (chosen === undefined) return Array.from({ length: size }, (_, at) => at);
  if (!Array.isArray(chosen)) return [chosenIndex(action, name, chosen as number, axis, size)];
  if (chosen.length === 0) {
    throw new ValueError(`Cannot ${action}: ${name} must choose at least one of ${axis}=${size}, got []`);
  }
  const indices = chosen.map((index) => chosenIndex(action, name, index, axis, size));
  const twice = indices.find((index, at) => indices.indexOf(index) < at);
  if (twice !== undefined) {
    throw new ValueError(`Cannot ${action}: ${name} must name each index once, got ${twice} twice`);
  }
  return indices;
}

/** Reads one index against an axis of `size`. */
export function chosenIndex(action: string, name: string, chosen: number, axis: string, size: number): number {
  if (typeof chosen !== "number") {
    const needed = size === 1 ? `0 (${axis}=1)` : `a number from 0 to ${size - 1}`;
    throw typeError(`Cannot ${action}: ${name} must be ${needed}, got ${describe(chosen)}`);
  }
  if (!Number.isInteger(chosen) || chosen < 0 || chosen >= size) {
    throw new ValueError(
      size === 1
        ? `Cannot ${action}: ${name} must be 0 (${axis}=1), got ${chosen}`
        : `Cannot ${action}: ${name} must be from 0 to ${size - 1}, got ${chosen} for ${axis}=${size}`,
    );
  }
  return chosen;
}

/** Reads an option that is true or false, `otherwise` when it is not given. */
export function chosenFlag(action: string, name: string, chosen: boolean | undefined, otherwise: boolean): boolean {
  if (chosen !== undefined && typeof chosen !== "boolean") {
    throw typeError(`Cannot ${action}: ${name} must be true or false, got ${describe(chosen)}`);
  }
  return chosen ?? otherwise;
}
