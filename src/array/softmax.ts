// Softmax, in the form that cannot overflow: the largest number is subtracted first, which changes nothing in the result.

import { asNDArray, type NDArrayLike } from "./array.js";
import { describe, typeError, ValueError } from "./errors.js";
import { exp } from "./exp.js";
import { adopt, type NDArray } from "./ndarray.js";
import { allocate, showShape, sizeOf } from "./shape.js";

/**
 * `exp(x) / Σ exp(x)` along an axis: numbers from 0 to 1 that sum to 1.
 *
 * Finite numbers give finite ones, however large. A nan, a +inf, or nothing but -inf along the axis gives nan there.
 *
 * @param x any shape of at least one axis
 * @param axis the axis whose numbers sum to 1; negative counts from the last
 * @returns the shape of x
 * @throws ValueError if x has no such axis, or nothing along it
 * @example
 * softmax([0, 0]).toArray(); // [0.5, 0.5]
 * softmax([710, 0]).get(0); // 1: exp(710) alone would be Infinity
 */
export function softmax<S extends readonly number[]>(x: NDArray<S>, axis?: number): NDArray<S>;
export function softmax(x: NDArrayLike, axis?: number): NDArray;
export function softmax(x: NDArrayLike, axis = -1): NDArray {
  const { shape, ndim, data } = asNDArray(x, "take the softmax", "x");
  if (typeof axis !== "number")
    throw typeError(`Cannot take the softmax: axis must be a number, got ${describe(axis)}`);
  if (!Number.isInteger(axis) || axis < -ndim || axis >= ndim) {
    throw new ValueError(
      `Cannot take the softmax: axis must be one of the ${ndim} axes of shape ${showShape(shape)}, got ${axis}`,
    );
  }
  const along = axis < 0 ? axis + ndim : axis;
  const n = shape[along];
  if (n === 0) {
    throw new ValueError(`Cannot take the softmax: axis ${along} must not be empty, got shape ${showShape(shape)}`);
  }
  const step = sizeOf(shape.slice(along + 1));
  const out = allocate(shape, "take the softmax");
  for (let block = 0; block < data.length; block += n * step) {
    for (let start = block; start < block + step; start++) softmaxInto(out, data, start, n, step);
  }
  return adopt(shape.slice(), out);
}

/** The softmax of n numbers that lie `step` apart from `start`. */
function softmaxInto(out: Float64Array, x: Float64Array, start: number, n: number, step: number): void {
  const end = start + n * step;
  let max = -Infinity;
  for (let i = start; i < end; i += step) if (x[i] > max) max = x[i];
  let sum = 0;
  for (let i = start; i < end; i += step) sum += out[i] = exp(x[i] - max);
  for (let i = start; i < end; i += step) out[i] /= sum;
}
