// Makers of arrays that follow a rule: zeros, arange, eye.

import { describe, typeError, ValueError } from "./errors.js";
import { adopt, type NDArray } from "./ndarray.js";
import { allocate, checkShape } from "./shape.js";

/** A shape, or one whole number for an array of one axis. */
export type ShapeLike = number | readonly number[];

/**
 * An array of zeros.
 *
 * @param shape the length of each axis, or one number for a single axis
 * @throws ValueError if a length is negative, not whole, or too large for memory
 * @example
 * zeros([2, 3]).size; // 6
 */
export function zeros(shape: number): NDArray<[number]>;
export function zeros<S extends readonly number[]>(shape: S): NDArray<S>;
export function zeros(shape: ShapeLike): NDArray {
  const axes = toShape(shape, "make zeros");
  return adopt(axes, allocate(axes, "make zeros"));
}

/** `shape` as a checked list. */
export function toShape(shape: ShapeLike, action: string): number[] {
  return checkShape(typeof shape === "number" ? [shape] : shape, action, "shape");
}

/**
 * The numbers start, start + step, ... up to but without `stop`, along one axis.
 *
 * @param start where to start; when it is the only argument it is `stop` instead, and the numbers start at 0
 * @throws ValueError if step is 0, or an argument is not finite
 * @example
 * arange(4).toArray(); // [0, 1, 2, 3]
 * arange(8).reshape(1, 2, 4); // the x of the lesson's first example
 */
export function arange(stop: number): NDArray<[number]>;
export function arange(start: number, stop: number, step?: number): NDArray<[number]>;
export function arange(first: number, second?: number, step = 1): NDArray<[number]> {
  const [start, stop] = second === undefined ? [0, first] : [first, second];
  for (const [name, value] of Object.entries({ start, stop, step })) {
    if (typeof value !== "number")
      throw typeError(`Cannot make a range: ${name} must be a number, got ${describe(value)}`);
    if (!Number.isFinite(value)) throw new ValueError(`Cannot make a range: ${name} must be finite, got ${value}`);
  }
  if (step === 0) throw new ValueError("Cannot make a range: step must not be 0, got 0");
  const shape: [number] = [Math.max(0, Math.ceil((stop - start) / step))];
  const spacing = start + step - start; // what the step comes to in float64: NumPy fills with it too
  return adopt(
    shape,
    allocate(shape, "make a range").map((_, i) => start + i * spacing),
  );
}

/**
 * The identity matrix: ones where row and column are equal, zeros elsewhere.
 *
 * @param n how many rows
 * @param m how many columns; as many as rows when absent
 * @throws ValueError if a size is negative or not whole
 * @example
 * eye(2).toArray(); // [[1, 0], [0, 1]]
 */
export function eye(n: number, m: number = n): NDArray<[number, number]> {
  const [rows, columns] = checkShape([n, m], "make an identity matrix", "its shape");
  const data = allocate([rows, columns], "make an identity matrix");
  for (let i = 0; i < Math.min(rows, columns); i++) data[i * columns + i] = 1;
  return adopt([rows, columns], data);
}
