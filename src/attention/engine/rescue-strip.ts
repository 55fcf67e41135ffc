// The way from the engine's memory to rescue.ts and back: for four queries whose scores or sums left float64, or whose
// numbers were never finite, which stay as they are.

import { adopt } from "../../array/ndarray.js";
import type { Sizes } from "../input.js";
import { rescueRows, rescueSums } from "../rescue.js";
import type { Layout } from "./layout.js";

/** Queries i to i + 3 of head h of batch b, and where everything lies. */
export interface Place extends Sizes, Layout {
  readonly b: number;
  readonly h: number;
  readonly i: number;
}

/** Corrects numerators in the strip, one row for each key, and inverse sums. */
export function rescueStripWeights(memory: Float64Array, place: Place, strip: number, inverse: number): void {
  const { T, i } = place;
  const d = place.D / place.H;
  const queries = Math.min(4, T - i);
  const q = adopt([1, 1, queries, d], readTokens(memory, place, place.q, i, queries));
  const k = adopt([1, 1, T, d], readTokens(memory, place, place.k, 0, T));
  const scores = adopt([1, 1, queries, T], new Float64Array(queries * T));
  const weights = adopt([1, 1, queries, T], new Float64Array(queries * T));
  for (let n = 0; n < queries; n++) {
    for (let j = 0; j < T; j++) {
      let sum = 0;
      for (let c = 0; c < d; c++) sum += q.data[n * d + c] * k.data[j * d + c];
      scores.data[n * T + j] = sum / Math.sqrt(d);
    }
  }
  rescueRows(scores, weights, q, k);
  for (let n = 0; n < queries; n++) {
    const row = weights.data.subarray(n * T, (n + 1) * T);
    if (row.every((weight) => weight === 0)) continue; // not rescued
    for (let j = 0; j < T; j++) memory[strip / 8 + j * 4 + n] = row[j];
    memory[inverse / 8 + n] = 1;
  }
}

/** Corrects the weighted sums, one row for each channel; the strip holds the weights, one row for each key. */
export function rescueStripSums(memory: Float64Array, place: Place, strip: number, sums: number): void {
  const { b, h, i, T, D } = place;
  const d = D / place.H;
  const queries = Math.min(4, T - i);
  const v = new Float64Array(T * d);
  for (let j = 0; j < T; j++) {
    const row = place.v / 8 + (b * T + j) * D + h * d;
    v.set(memory.subarray(row, row + d), j * d);
  }
  const found = adopt([1, 1, queries, d], readStrip(memory, sums, queries, d));
  rescueSums(found, adopt([1, 1, queries, T], readStrip(memory, strip, queries, T)), adopt([1, 1, T, d], v));
  for (let n = 0; n < queries; n++) {
    for (let c = 0; c < d; c++) memory[sums / 8 + c * 4 + n] = found.data[n * d + c];
  }
}

/** The head's channels of the batch's tokens from `first` on, row-major, out of aligned strips. */
function readTokens(memory: Float64Array, place: Place, strips: number, first: number, count: number): Float64Array {
  const { b, h, T, D } = place;
  const d = D / place.H;
  const out = new Float64Array(count * d);
  for (let n = 0; n < count; n += 4) {
    const strip = strips + ((b * Math.ceil(T / 4) + (first + n) / 4) * (D + 3) + h * d) * 32;
    out.set(readStrip(memory, strip, Math.min(4, count - n), d), n * d);
  }
  return out;
}

/** The first `count` of the four columns of a strip, one after the other. */
function readStrip(memory: Float64Array, strip: number, count: number, rows: number): Float64Array {
  const out = new Float64Array(count * rows);
  for (let n = 0; n < count; n++) {
    for (let row = 0; row < rows; row++) out[n * rows + row] = memory[strip / 8 + row * 4 + n];
  }
  return out;
}
