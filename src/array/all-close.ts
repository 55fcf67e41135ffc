// Comparison with tolerances, as NumPy's allclose.

import { asNDArray, type NDArrayLike } from "./array.js";
import { broadcastShapes, broadcastStrides } from "./broadcast.js";
import { describe, typeError, ValueError } from "./errors.js";
import { showShape, sizeOf } from "./shape.js";

/** How far apart two numbers may be: `|a - b| ≤ atol + rtol · |b|`. */
export interface Tolerances {
  /** Relative to the size of b; 1e-5 when absent. */
  readonly rtol?: number | undefined;
  /** Absolute; 1e-8 when absent. */
  readonly atol?: number | undefined;
  /** Whether nan equals nan; false when absent. */
  readonly equalNaN?: boolean | undefined;
}

/**
 * Whether `|a - b| ≤ atol + rtol · |b|` everywhere. Infinities are close to themselves alone; nan to nothing, unless
 * `equalNaN`. Shapes broadcast as in NumPy, so a number may stand for a whole array.
 *
 * @param a any shape
 * @param b a shape that broadcasts with that of a
 * @throws ValueError if the shapes do not broadcast, or a tolerance is negative or nan
 * @example
 * allClose([0.1 + 0.2], [0.3]); // true
 */
export function allClose(a: NDArrayLike, b: NDArrayLike, tolerances: Tolerances = {}): boolean {
  const left = asNDArray(a, "compare", "a");
  const right = asNDArray(b, "compare", "b");
  const { rtol = 1e-5, atol = 1e-8, equalNaN = false } = tolerances;
  for (const [name, value] of Object.entries({ rtol, atol })) {
    if (typeof value !== "number") throw typeError(`Cannot compare: ${name} must be a number, got ${describe(value)}`);
    if (!(value >= 0)) throw new ValueError(`Cannot compare: ${name} must be at least 0, got ${value}`);
  }
  const isClose = (x: number, y: number): boolean =>
    x === y ||
    (equalNaN && Number.isNaN(x) && Number.isNaN(y)) ||
    (Number.isFinite(y) && Math.abs(x - y) <= atol + rtol * Math.abs(y));

  const shape = broadcastShapes(left.shape, right.shape);
  if (shape === undefined) {
    throw new ValueError(
      `Cannot compare: a and b must have the same shape, or axes of 1, got ${showShape(left.shape)} and ${showShape(right.shape)}`,
    );
  }
  if (sizeOf(shape) === 0) return true;
  const aSteps = broadcastStrides(left.shape, shape, 1);
  const bSteps = broadcastStrides(right.shape, shape, 1);
  const visit = (axis: number, i: number, j: number): boolean => {
    if (axis === shape.length) return isClose(left.data[i], right.data[j]);
    for (let n = 0; n < shape[axis]; n++) {
      if (!visit(axis + 1, i + n * aSteps[axis], j + n * bSteps[axis])) return false;
    }
    return true;
  };
  return visit(0, 0, 0);
}
