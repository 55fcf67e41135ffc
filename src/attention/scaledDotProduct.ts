// Scaled dot-product attention in each head: scores, weights, weighted sums.
//
// The formulas are the plain ones. What they cannot do is leave the range of float64 and come back: at activations near
// 1e200 a score is near 1e400, plain arithmetic says Infinity, and the softmax nan. Where a score left the range although
// its query and every key of its head are finite, the row is computed again in wide arithmetic (wide.ts), and a weighted
// sum that left it is scaled down first. Everything else keeps the bits of the plain formulas, nan and infinities included.

import { exp } from "../array/exp.js";
import { matmul } from "../array/matmul.js";
import type { NDArray } from "../array/ndarray.js";
import { softmax } from "../array/softmax.js";
import { add, divide, isGreater, multiply, narrow, subtract, type Wide, widen } from "./wide.js";

type Heads = NDArray<[B: number, H: number, T: number, d: number]>;
type Square = NDArray<[B: number, H: number, i: number, j: number]>;

/** `scores[b, h, i, j] = Σ_c q[b, h, i, c] · k[b, h, j, c] / √d`; ±Infinity beyond what float64 can hold. */
export function scaledScores(q: Heads, k: Heads): Square {
  const d = q.shape[3];
  const scores = matmul(q, k.transpose(0, 1, 3, 2)).map((score) => score / Math.sqrt(d)) as NDArray as Square;
  forEachWideRow(scores, q, k, (row, wide) => {
    wide.forEach((score, j) => {
      row[j] = narrow(score);
    });
  });
  return scores;
}

/** `weights[b, h, i, :] = softmax(scores[b, h, i, :])`, also where the scores are beyond float64. */
export function attentionWeights(scores: Square, q: Heads, k: Heads): Square {
  const weights = softmax(scores);
  forEachWideRow(scores, q, k, (_, wide, start) => {
    const max = wide.reduce((a, b) => (isGreater(b, a) ? b : a));
    const powers = wide.map((score) => exp(narrow(subtract(score, max))));
    const sum = powers.reduce((a, b) => a + b);
    powers.forEach((power, j) => {
      weights.data[start + j] = power / sum;
    });
  });
  return weights;
}

/** `out[b, h, i, c] = Σ_j weights[b, h, i, j] · v[b, h, j, c]`. */
export function weightedSum(weights: Square, v: Heads): Heads {
  const out = matmul(weights, v) as NDArray as Heads;
  const [, , T, d] = v.shape;
  out.data.forEach((value, position) => {
    if (Number.isFinite(value)) return;
    // A mean of finite numbers is finite, so only rounding at the edge of float64 can have left it.
    const row = Math.floor(position / d) * T;
    const column = Math.floor(position / (T * d)) * T * d + (position % d);
    let quarter = 0;
    let largest = 0;
    for (let j = 0; j < T; j++) {
      const term = v.data[column + j * d];
      quarter += weights.data[row + j] * (term / 4);
      largest = Math.max(largest, Math.abs(term));
    }
    if (Number.isFinite(quarter) && Number.isFinite(largest)) {
      out.data[position] = Math.sign(quarter) * Math.min(Math.abs(quarter) * 4, largest);
    }
  });
  return out;
}

/** Visits each row of scores that left float64 although its query and all its keys are finite, with the scores in full. */
function forEachWideRow(
  scores: Square,
  q: Heads,
  k: Heads,
  visit: (row: Float64Array, wide: Wide[], start: number) => void,
): void {
  const [, , T, d] = q.shape;
  for (let start = 0; start < scores.size; start += T) {
    const row = scores.data.subarray(start, start + T);
    if (row.every(Number.isFinite)) continue;
    const head = Math.floor(start / (T * T)) * T * d;
    const query = q.data.subarray((start / T) * d, (start / T + 1) * d);
    const keys = k.data.subarray(head, head + T * d);
    if (!query.every(Number.isFinite) || !keys.every(Number.isFinite)) continue;
    const wideQuery = Array.from(query, (x) => widen(x));
    const wide = Array.from(row, (_, j) => {
      let sum = widen(0);
      for (let c = 0; c < d; c++) sum = add(sum, multiply(wideQuery[c], widen(keys[j * d + c])));
      return divide(sum, Math.sqrt(d));
    });
    visit(row, wide, start);
  }
}
