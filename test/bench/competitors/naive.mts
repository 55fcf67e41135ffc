// What a person writes first: the definition in nested loops over typed arrays. Also the oracle of the benchmark.

import { type Competitor, type Result, runner } from "../competitor.mjs";
import type { Problem } from "../problem.mjs";

export const naive: Competitor = {
  name: "TypeScript, nested loops",
  version: process.version,
  tolerance: 1e-12,
  prepare: async (problem) => runner(() => attention(problem)),
};

export function attention({ B, T, D, H, x, wQ, wK, wV, wO }: Problem): Result {
  const d = D / H;
  const q = product(x, wQ, B * T, D);
  const k = product(x, wK, B * T, D);
  const v = product(x, wV, B * T, D);
  const weights = new Float64Array(B * H * T * T);
  const merged = new Float64Array(B * T * D);
  for (let b = 0; b < B; b++) {
    for (let h = 0; h < H; h++) {
      for (let i = 0; i < T; i++) {
        const row = ((b * H + h) * T + i) * T;
        let max = -Infinity;
        for (let j = 0; j < T; j++) {
          let score = 0;
          for (let c = 0; c < d; c++) score += q[(b * T + i) * D + h * d + c] * k[(b * T + j) * D + h * d + c];
          score /= Math.sqrt(d);
          weights[row + j] = score;
          if (score > max) max = score;
        }
        let total = 0;
        for (let j = 0; j < T; j++) {
          weights[row + j] = Math.exp(weights[row + j] - max);
          total += weights[row + j];
        }
        for (let j = 0; j < T; j++) weights[row + j] /= total;
        for (let c = 0; c < d; c++) {
          let sum = 0;
          for (let j = 0; j < T; j++) sum += weights[row + j] * v[(b * T + j) * D + h * d + c];
          merged[(b * T + i) * D + h * d + c] = sum;
        }
      }
    }
  }
  return { output: product(merged, wO, B * T, D), weights };
}

/** (N, D) times (D, D). */
function product(a: Float64Array, w: Float64Array, N: number, D: number): Float64Array {
  const out = new Float64Array(N * D);
  for (let n = 0; n < N; n++) {
    for (let c = 0; c < D; c++) {
      let sum = 0;
      for (let k = 0; k < D; k++) sum += a[n * D + k] * w[k * D + c];
      out[n * D + c] = sum;
    }
  }
  return out;
}
