// Splitting the features into heads and merging them again. The hard part of multi-head attention is the order of the axes:
// a wrong one gives the right shape and the wrong numbers.

import { asNDArray, type NDArrayLike } from "../array/array.js";
import { describe, typeError, ValueError } from "../array/errors.js";
import { adopt, type NDArray } from "../array/ndarray.js";
import { allocate, showShape } from "../array/shape.js";

/**
 * The features of x split into heads: `split[b, h, i, j] = x[b, i, h·d + j]` with d = D / nHeads.
 * Head h holds the columns h·d to (h+1)·d - 1 of x, in the same order.
 *
 * It is `x.reshape(B, T, H, d).transpose(0, 2, 1, 3)`.
 *
 * @param x shape (B, T, D)
 * @param nHeads H, how many heads; it divides D
 * @returns shape (B, H, T, d)
 * @throws ValueError if nHeads is not a whole number from 1 that divides D, or x has not three axes
 * @throws TypeError if nHeads is not a number, or x is not an array of numbers
 * @example
 * splitHeads(arange(8).reshape(1, 2, 4), 2).toArray();
 * // [[[[0, 1], [4, 5]], [[2, 3], [6, 7]]]]
 */
export function splitHeads(x: NDArrayLike, nHeads: number): NDArray<[B: number, H: number, T: number, d: number]> {
  const source = asNDArray(x, "split heads", "x");
  if (source.ndim !== 3) {
    throw new ValueError(`Cannot split heads: x must have 3 axes (B, T, D), got shape ${showShape(source.shape)}`);
  }
  const [B, T, D] = source.shape;
  checkHeads(nHeads, D, "split heads");
  const shape: [number, number, number, number] = [B, nHeads, T, D / nHeads];
  const out = allocate(shape, "split heads");
  split(source.data, out, B, T, nHeads, D / nHeads);
  return adopt(shape, out);
}

/**
 * The heads side by side again: `merged[b, i, h·d + j] = x[b, h, i, j]`. The inverse of splitHeads.
 *
 * It is `x.transpose(0, 2, 1, 3).reshape(B, T, H * d)`.
 *
 * @param x shape (B, H, T, d)
 * @returns shape (B, T, D) with D = H·d
 * @throws ValueError if x has not four axes
 * @throws TypeError if x is not an array of numbers
 * @example
 * mergeHeads([[[[0, 1], [4, 5]], [[2, 3], [6, 7]]]]).toArray();
 * // [[[0, 1, 2, 3], [4, 5, 6, 7]]]
 */
export function mergeHeads(x: NDArrayLike): NDArray<[B: number, T: number, D: number]> {
  const source = asNDArray(x, "merge heads", "x");
  if (source.ndim !== 4) {
    throw new ValueError(`Cannot merge heads: x must have 4 axes (B, H, T, d), got shape ${showShape(source.shape)}`);
  }
  const [B, H, T, d] = source.shape;
  const shape: [number, number, number] = [B, T, H * d];
  const out = allocate(shape, "merge heads");
  // Merging swaps the two middle axes, as splitting does: only their names change places.
  split(source.data, out, B, H, T, d);
  return adopt(shape, out);
}

/** (B, n, m, d) to (B, m, n, d), for row-major data. */
function split(source: Float64Array, out: Float64Array, B: number, n: number, m: number, d: number): void {
  if (out.length === 0) return;
  let written = 0;
  for (let b = 0; b < B; b++) {
    for (let j = 0; j < m; j++) {
      for (let i = 0; i < n; i++) {
        let from = ((b * n + i) * m + j) * d;
        for (const end = from + d; from < end; from++) out[written++] = source[from];
      }
    }
  }
}

/** @throws TypeError or ValueError if D features cannot be split into nHeads heads. */
export function checkHeads(nHeads: number, D: number, action: string): void {
  if (typeof nHeads !== "number") {
    throw typeError(`Cannot ${action}: nHeads must be a number, got ${describe(nHeads)}`);
  }
  if (!Number.isInteger(nHeads) || nHeads < 1) {
    throw new ValueError(`Cannot ${action}: nHeads must be a whole number from 1, got nHeads=${nHeads} for D=${D}`);
  }
  if (D % nHeads !== 0) {
    throw new ValueError(
      `Cannot ${action}: nHeads must divide D, got nHeads=${nHeads} for D=${D} (${nearestDivisors(nHeads, D)})`,
    );
  }
}

function nearestDivisors(nHeads: number, D: number): string {
  if (nHeads > D) return `nearest that does: ${D}`;
  let below = nHeads;
  let above = nHeads;
  while (D % below !== 0) below--;
  while (D % above !== 0) above++;
  return `nearest that do: ${below}, ${above}`;
}
