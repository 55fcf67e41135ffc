// Multi-head self-attention, one step a line (Vaswani et al. 2017, "Attention is all you need", section 3.2).
// No mask, no bias, no dropout.

import { matmul } from "../array/matmul.js";
import type { NDArray } from "../array/ndarray.js";
import { mergeHeads, splitHeads } from "./heads.js";
import type { AttentionInput } from "./input.js";
import { attentionWeights, scaledScores, weightedSum } from "./scaledDotProduct.js";

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
export function computeSteps({ x, wQ, wK, wV, wO, nHeads }: AttentionInput): AttentionSteps {
  type BTD = NDArray<[B: number, T: number, D: number]>;
  const q = matmul(x, wQ) as NDArray as BTD;
  const k = matmul(x, wK) as NDArray as BTD;
  const v = matmul(x, wV) as NDArray as BTD;
  const qHeads = splitHeads(q, nHeads);
  const kHeads = splitHeads(k, nHeads);
  const vHeads = splitHeads(v, nHeads);
  const scores = scaledScores(qHeads, kHeads);
  const weights = attentionWeights(scores, qHeads, kHeads);
  const headOutputs = weightedSum(weights, vHeads);
  const merged = mergeHeads(headOutputs);
  const output = matmul(merged, wO) as NDArray as BTD;
  return { q, k, v, qHeads, kHeads, vHeads, scores, weights, headOutputs, merged, output };
}
