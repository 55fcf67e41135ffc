// Multi-head self-attention, one step a line (Vaswani et al. 2017, "Attention is all you need", section 3.2).
// No mask, no bias, no dropout.

import { matmul } from "../array/matmul.js";
import type { NDArray } from "../array/ndarray.js";
import { softmax } from "../array/softmax.js";
import { mergeHeads, splitHeads } from "./heads.js";
import type { AttentionInput } from "./input.js";
import { rescueRows, rescueSums } from "./rescue.js";

/** Every array on the way from x to the output. */
export interface AttentionSteps {
  /** x · wQ */
  readonly q: NDArray<[B: number, T: number, D: number]>;
  /** x · wK */
  readonly k: NDArray<[B: number, T: number, D: number]>;
  /** x · wV */
  readonly v: NDArray<[B: number, T: number, D: number]>;
  /** q, its columns split into heads */
  readonly qHeads: NDArray<[B: number, H: number, T: number, d: number]>;
  /** k, its columns split into heads */
  readonly kHeads: NDArray<[B: number, H: number, T: number, d: number]>;
  /** v, its columns split into heads */
  readonly vHeads: NDArray<[B: number, H: number, T: number, d: number]>;
  /** qHeads · kHeadsᵀ / √d: how well query i matches key j; ±Infinity beyond what float64 can hold */
  readonly scores: NDArray<[B: number, H: number, i: number, j: number]>;
  /** softmax of the scores over the keys: how much query i takes from key j */
  readonly weights: NDArray<[B: number, H: number, i: number, j: number]>;
  /** weights · vHeads */
  readonly headOutputs: NDArray<[B: number, H: number, T: number, d: number]>;
  /** the head outputs, side by side again */
  readonly merged: NDArray<[B: number, T: number, D: number]>;
  /** merged · wO */
  readonly output: NDArray<[B: number, T: number, D: number]>;
}

/** The computation itself, on arrays that have been checked. */
export function computeSteps({ x, wQ, wK, wV, wO, sizes }: AttentionInput): AttentionSteps {
  const q = matmul(x, wQ) as AttentionSteps["q"];
  const k = matmul(x, wK) as AttentionSteps["k"];
  const v = matmul(x, wV) as AttentionSteps["v"];

  const qHeads = splitHeads(q, sizes.H);
  const kHeads = splitHeads(k, sizes.H);
  const vHeads = splitHeads(v, sizes.H);

  const scores = scaled(matmul(qHeads, kHeads.transpose(0, 1, 3, 2)), qHeads.shape[3]) as AttentionSteps["scores"];
  const weights = softmax(scores);
  rescueRows(scores, weights, qHeads, kHeads);

  const headOutputs = matmul(weights, vHeads) as AttentionSteps["headOutputs"];
  rescueSums(headOutputs, weights, vHeads);

  const merged = mergeHeads(headOutputs);
  const output = matmul(merged, wO) as AttentionSteps["output"];
  return { q, k, v, qHeads, kHeads, vHeads, scores, weights, headOutputs, merged, output };
}

/** The products divided by √d, in place: their size grows with √d, and the softmax should not. */
function scaled(products: NDArray, d: number): NDArray {
  const root = Math.sqrt(d);
  for (let i = 0; i < products.size; i++) products.data[i] /= root;
  return products;
}
