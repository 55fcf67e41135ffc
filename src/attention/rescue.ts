// Where the plain formulas leave float64 on the way to a result that float64 can hold, the result is computed again.
//
// At activations near 1e200 a score is near 1e400: plain arithmetic says Infinity, and the softmax nan, since subtracting a
// maximum of Infinity helps no one. Such a row is computed again in wide arithmetic (wide.ts), where the scores exist, and
// their differences decide. Everything else keeps the bits of the plain formulas, and so do nan and infinities that came in.

import { exp } from "../array/exp.js";
import type { NDArray } from "../array/ndarray.js";
import { add, divide, isGreater, multiply, narrow, subtract, type Wide, widen, ZERO } from "./wide.js";

/**
 * Computes again, in place, each row of scores and weights that left float64 although its query and all the keys of its head
 * are finite. A score that float64 cannot hold stays ±Infinity; the weights are finite, and right.
 *
 * @param scores `q kᵀ / √d`, shape (B, H, n, T)
 * @param weights their softmax over the keys, shape (B, H, n, T)
 * @param q n queries a head, shape (B, H, n, d)
 * @param k shape (B, H, T, d)
 */
export function rescueRows(scores: NDArray, weights: NDArray, q: NDArray, k: NDArray): void {
  const [, , n, d] = q.shape;
  const T = k.shape[2];
  let wideKeys: Wide[] = [];
  let headOfKeys = -1;
  for (let start = 0; start < scores.size; start += T) {
    const row = scores.data.subarray(start, start + T);
    if (row.every(Number.isFinite)) continue;
    const i = start / T;
    const head = Math.floor(i / n);
    const query = q.data.subarray(i * d, (i + 1) * d);
    const keys = k.data.subarray(head * T * d, (head + 1) * T * d);
    if (!query.every(Number.isFinite) || !keys.every(Number.isFinite)) continue;

    if (head !== headOfKeys) wideKeys = Array.from(keys, widen);
    headOfKeys = head;
    const wideQuery = Array.from(query, widen);
    const wideRow = Array.from(row, (_, j) => {
      let sum = ZERO;
      for (let c = 0; c < d; c++) sum = add(sum, multiply(wideQuery[c], wideKeys[j * d + c]));
      return divide(sum, Math.sqrt(d));
    });
    const max = wideRow.reduce((a, b) => (isGreater(b, a) ? b : a));
    const powers = wideRow.map((score) => exp(narrow(subtract(score, max))));
    const total = powers.reduce((a, b) => a + b);
    scores.data.set(wideRow.map(narrow), start);
    weights.data.set(
      powers.map((power) => power / total),
      start,
    );
  }
}

/**
 * Computes again, in place, each weighted sum that left float64 although the weights and values are finite. A mean of finite
 * numbers is finite: only rounding at the very edge can have pushed it out.
 *
 * @param sums `weights · v`, shape (B, H, n, d)
 * @param weights of n queries a head, shape (B, H, n, T)
 * @param v shape (B, H, T, d)
 */
export function rescueSums(sums: NDArray, weights: NDArray, v: NDArray): void {
  const [, , T, d] = v.shape;
  const n = sums.shape[2];
  for (let position = 0; position < sums.size; position++) {
    if (Number.isFinite(sums.data[position])) continue;
    const i = Math.floor(position / d);
    const head = Math.floor(i / n);
    const column = head * T * d + (position % d);
    let half = 0;
    let largest = 0;
    for (let j = 0; j < T; j++) {
      const value = v.data[column + j * d];
      half += weights.data[i * T + j] * (value / 2);
      largest = Math.max(largest, Math.abs(value));
    }
    if (Number.isFinite(half) && Number.isFinite(largest)) {
      sums.data[position] = Math.sign(half) * Math.min(Math.abs(half) * 2, largest);
    }
  }
}
