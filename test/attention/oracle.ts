// Multi-head attention again, by other means: the textbook's six loops, and weights from exact integer arithmetic.

import { array, type NDArray } from "../../src/index.js";

export type Numbers = readonly number[];

/** Multiples of 2^-31 in [-1, 1), the same as fixtures/attention.py makes. */
export function numbers(seed: number, shape: Numbers, scale = 1): NDArray {
  let state = seed;
  const data = Array.from({ length: shape.reduce((a, b) => a * b, 1) }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state / 2 ** 31 - 1) * scale;
  });
  return array({ shape, data });
}

/** x (B, T, D) and the four projections (D, D). */
export function inputs(
  seed: number,
  B: number,
  T: number,
  D: number,
  scale = 1,
): [NDArray, NDArray, NDArray, NDArray, NDArray] {
  const matrix = (n: number): NDArray => numbers(seed + n, [D, D], 1 / 4);
  return [numbers(seed, [B, T, D], scale), matrix(1), matrix(2), matrix(3), matrix(4)];
}

/** One number at a time, straight from the definition. */
export function sixLoops(
  x: NDArray,
  wQ: NDArray,
  wK: NDArray,
  wV: NDArray,
  wO: NDArray,
  H: number,
): { output: NDArray; weights: NDArray } {
  const [B, T, D] = x.shape;
  const d = D / H;
  const project = (w: NDArray, b: number, i: number, column: number): number => {
    let sum = 0;
    for (let c = 0; c < D; c++) sum += x.get(b, i, c) * w.get(c, column);
    return sum;
  };
  const weights = new Float64Array(B * H * T * T);
  const merged = new Float64Array(B * T * D);
  for (let b = 0; b < B; b++) {
    for (let h = 0; h < H; h++) {
      const columns = Array.from({ length: d }, (_, c) => h * d + c);
      const rows = (w: NDArray): number[][] =>
        Array.from({ length: T }, (_, i) => columns.map((c) => project(w, b, i, c)));
      const [q, k, v] = [rows(wQ), rows(wK), rows(wV)];
      for (let i = 0; i < T; i++) {
        const scores = k.map((key) => key.reduce((sum, value, c) => sum + value * q[i][c], 0) / Math.sqrt(d));
        const powers = scores.map((score) => Math.exp(score - Math.max(...scores)));
        const total = powers.reduce((a, b) => a + b);
        for (let j = 0; j < T; j++) {
          const weight = powers[j] / total;
          weights[((b * H + h) * T + i) * T + j] = weight;
          for (let c = 0; c < d; c++) merged[(b * T + i) * D + h * d + c] += weight * v[j][c];
        }
      }
    }
  }
  const output = new Float64Array(B * T * D);
  for (let row = 0; row < B * T; row++) {
    for (let column = 0; column < D; column++) {
      for (let c = 0; c < D; c++) output[row * D + column] += merged[row * D + c] * wO.get(c, column);
    }
  }
  return {
    output: array({ shape: [B, T, D], data: output }),
    weights: array({ shape: [B, H, T, T], data: weights }),
  };
}

const UNIT = 1100n; // every float64 is a whole number of 2^-1100

/** x · 2^1100, exactly. */
export function toInteger(x: number): bigint {
  let mantissa = x;
  let exponent = 0;
  while (!Number.isInteger(mantissa)) {
    mantissa *= 2;
    exponent--;
  }
  return BigInt(mantissa) << (UNIT + BigInt(exponent));
}

/** integer · 2^-bits, rounded to float64 (downwards in its 60th bit: near enough for a test). */
export function toNumber(integer: bigint, bits: bigint): number {
  const size = integer < 0n ? -integer : integer;
  const excess = BigInt(Math.max(0, size.toString(2).length - 60));
  let value = Number(size >> excess);
  let exponent = Number(excess - bits);
  for (; exponent > 0 && value < Infinity; exponent--) value *= 2;
  for (; exponent < 0 && value > 0; exponent++) value /= 2;
  return integer < 0n ? -value : value;
}

/** The weights of one query from exact scores: only exp and the division by √d round. */
export function exactWeights(query: Numbers, keys: readonly Numbers[]): number[] {
  const q = query.map(toInteger);
  const dots = keys.map((key) => key.map(toInteger).reduce((sum, value, c) => sum + value * q[c], 0n));
  let max = dots[0];
  for (const dot of dots) if (dot > max) max = dot;
  const powers = dots.map((dot) => Math.exp(toNumber(dot - max, 2n * UNIT) / Math.sqrt(query.length)));
  const total = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / total);
}
