// Shapes: lists of whole numbers, one an axis. Checking, counting and writing them.

import { describe, typeError, ValueError } from "./errors.js";

const MAX_AXES = 32;

/** The number of elements of an array of this shape: the product, which is 1 for no axes at all. */
export function sizeOf(shape: ArrayLike<number>): number {
  let size = 1;
  for (let axis = 0; axis < shape.length; axis++) size *= shape[axis];
  return size;
}

/** A shape as NumPy writes it: (2, 3), (5,), (). What is longer than any shape, say an array's numbers, is cut short. */
export function showShape(shape: ArrayLike<number>): string {
  if (shape.length > MAX_AXES) {
    const first = Array.from({ length: 3 }, (_, i) => String(shape[i]));
    return `(${first.join(", ")}, ...), ${shape.length} numbers`;
  }
  const axes = Array.from(shape, String);
  return axes.length === 1 ? `(${axes[0]},)` : `(${axes.join(", ")})`;
}

/** Whether two shapes are equal. */
export function sameShape(a: ArrayLike<number>, b: ArrayLike<number>): boolean {
  if (a.length !== b.length) return false;
  for (let axis = 0; axis < a.length; axis++) if (a[axis] !== b[axis]) return false;
  return true;
}

/** For each axis, how far apart its neighbours lie in a row-major buffer. */
export function rowMajorStrides(shape: ArrayLike<number>): number[] {
  const strides = new Array<number>(shape.length);
  for (let axis = shape.length - 1, step = 1; axis >= 0; axis--) {
    strides[axis] = step;
    step *= shape[axis];
  }
  return strides;
}

/** A copy of `numbers` as a plain list. @throws TypeError if it is not a list of numbers, ValueError if one is not whole. */
export function checkIntegers(numbers: unknown, action: string, name: string): number[] {
  if (!Array.isArray(numbers) && !(ArrayBuffer.isView(numbers) && "length" in numbers)) {
    throw typeError(`Cannot ${action}: ${name} must be a list of whole numbers, got ${describe(numbers)}`);
  }
  return Array.from(numbers as ArrayLike<unknown>, (n, axis) => {
    if (typeof n !== "number") {
      throw typeError(`Cannot ${action}: ${name}[${axis}] must be a number, got ${describe(n)}`);
    }
    if (!Number.isSafeInteger(n)) {
      throw new ValueError(`Cannot ${action}: ${name} must hold whole numbers, got ${showShape(numbers as number[])}`);
    }
    return n + 0;
  });
}

/** A copy of `shape` as a plain list. @throws TypeError or ValueError if it is no shape. */
export function checkShape(shape: unknown, action: string, name: string): number[] {
  const axes = checkIntegers(shape, action, name);
  if (axes.some((n) => n < 0)) {
    throw new ValueError(`Cannot ${action}: ${name} must hold no negative number, got ${showShape(axes)}`);
  }
  checkAxisCount(axes.length, action, name);
  return axes;
}

/** @throws ValueError beyond 32 axes, which also ends a list that contains itself. */
export function checkAxisCount(count: number, action: string, name: string): void {
  if (count > MAX_AXES) {
    throw new ValueError(`Cannot ${action}: ${name} must have at most ${MAX_AXES} axes, got more`);
  }
}

/** Zeros for an array of this shape. @throws ValueError if it cannot fit in memory. */
export function allocate(shape: ArrayLike<number>, action: string): Float64Array {
  const size = sizeOf(shape);
  try {
    return new Float64Array(size);
  } catch {
    throw new ValueError(
      `Cannot ${action}: shape must fit in memory, got ${showShape(shape)}, which takes ${size * 8} bytes`,
    );
  }
}
