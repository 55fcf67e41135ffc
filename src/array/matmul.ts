// The product of matrices, batched over leading axes, with NumPy's rules for shapes.

import { asNDArray, type NDArrayLike } from "./array.js";
import { broadcastShapes, broadcastStrides } from "./broadcast.js";
import { ValueError } from "./errors.js";
import { adopt, type NDArray } from "./ndarray.js";
import { allocate, showShape } from "./shape.js";

/**
 * The matrix product over the last two axes: `c[..., i, j] = Σ_k a[..., i, k] · b[..., k, j]`, for each index of the leading
 * axes, which broadcast as in NumPy. An array of one axis counts as a row on the left, as a column on the right.
 *
 * The sum runs over k from 0 up, in float64: the same bits on every machine.
 *
 * @param a shape (..., n, m) or (m,)
 * @param b shape (..., m, p) or (m,)
 * @returns shape (..., n, p), without the n or p of an argument of one axis
 * @throws ValueError if the inner lengths differ, or the leading axes do not broadcast
 * @example
 * matmul([[1, 2], [3, 4]], [[1, 0], [0, 2]]).toArray(); // [[1, 4], [3, 8]]
 */
export function matmul(a: NDArrayLike, b: NDArrayLike): NDArray {
  const left = asNDArray(a, "multiply", "a");
  const right = asNDArray(b, "multiply", "b");
  const shapes = `got a of shape ${showShape(left.shape)} and b of shape ${showShape(right.shape)}`;
  if (left.ndim === 0 || right.ndim === 0) {
    throw new ValueError(`Cannot multiply: a and b must have at least one axis, ${shapes}`);
  }
  const aShape = left.ndim === 1 ? [1, ...left.shape] : left.shape;
  const bShape = right.ndim === 1 ? [...right.shape, 1] : right.shape;
  const [n, m] = aShape.slice(-2);
  const [inner, p] = bShape.slice(-2);
  if (m !== inner) {
    const axis = right.ndim === 1 ? "axis" : "next to last axis";
    throw new ValueError(
      `Cannot multiply: the last axis of a (${m}) must be as long as the ${axis} of b (${inner}), ${shapes}`,
    );
  }
  const batch = broadcastShapes(aShape.slice(0, -2), bShape.slice(0, -2));
  if (batch === undefined) {
    throw new ValueError(`Cannot multiply: the axes before the last two must be equal or 1, ${shapes}`);
  }
  const aStarts = broadcastStrides(aShape.slice(0, -2), batch, n * m);
  const bStarts = broadcastStrides(bShape.slice(0, -2), batch, m * p);
  const shape = [...batch, ...(left.ndim === 1 ? [] : [n]), ...(right.ndim === 1 ? [] : [p])];
  const out = allocate(shape, "multiply");
  const visit = (axis: number, aStart: number, bStart: number, outStart: number): number => {
    if (axis === batch.length) {
      multiplyInto(out, outStart, left.data, aStart, right.data, bStart, n, m, p);
      return outStart + n * p;
    }
    let next = outStart;
    for (let i = 0; i < batch[axis]; i++) {
      next = visit(axis + 1, aStart + i * aStarts[axis], bStart + i * bStarts[axis], next);
    }
    return next;
  };
  if (out.length > 0) visit(0, 0, 0, 0);
  return adopt(shape, out);
}

/** One matrix product, into zeros; row by row of b, so that memory is read in order. */
function multiplyInto(
  out: Float64Array,
  outStart: number,
  a: Float64Array,
  aStart: number,
  b: Float64Array,
  bStart: number,
  n: number,
  m: number,
  p: number,
): void {
  for (let i = 0; i < n; i++) {
    const row = outStart + i * p;
    for (let k = 0; k < m; k++) {
      const factor = a[aStart + i * m + k];
      const from = bStart + k * p;
      for (let j = 0; j < p; j++) out[row + j] += factor * b[from + j];
    }
  }
}
