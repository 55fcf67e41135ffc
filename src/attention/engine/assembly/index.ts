// Multi-head attention in float64, fused: projections, scores, softmax, weighted sums, output projection.
//
// Numbers lie in strips, four side by side, so that every product is one of strips (tile.ts) and the softmax works on four
// queries at once. Each sum runs through its index in order, by itself: the same bits on every machine.

import { fillTable, powers } from "./exponential";
import { attendInHead } from "./head";
import { projectToRows, projectToStrips } from "./project";
import { align, clearPast, columnsToStrips, rowsToStrips, runOn, stripBytes } from "./strips";

fillTable();

/** Where free memory begins: below it lie tables. */
export function heapBase(): usize {
  return __heap_base;
}

/**
 * Attention for B batches of T tokens with D features in H heads. What follows the sizes are addresses; layout.ts says how
 * much each takes.
 *
 * @param x (B, T, D)
 * @param wQ (D, D), as are wK, wV and wO
 * @param packed the matrix in use, in strips of four columns
 * @param strips all tokens in strips: x, and later the merged heads
 * @param aligned strips again, in which every batch begins a new one; needed for several, where T is not a multiple of 4
 * @param q the queries in aligned strips
 * @param k the keys in aligned strips
 * @param v the values, row-major
 * @param values the values of one head, in strips of four columns
 * @param scores what head.ts works on
 * @param weights receives (B, H, T, T)
 * @param output receives (B, T, D)
 */
export function attend(
  B: usize,
  T: usize,
  D: usize,
  H: usize,
  x: usize,
  wQ: usize,
  wK: usize,
  wV: usize,
  wO: usize,
  packed: usize,
  strips: usize,
  aligned: usize,
  q: usize,
  k: usize,
  v: usize,
  values: usize,
  scores: usize,
  weights: usize,
  output: usize,
): void {
  const N = B * T;
  const d = D / H;
  const runsOn = B > 1 && (T & 3) != 0; // a strip may hold the last tokens of one batch and the first of the next

  rowsToStrips(x, N, D, strips);
  clearPast(strips, N, D);
  projectToStrips(strips, N, D, wQ, packed, runsOn ? aligned : q);
  if (runsOn) align(aligned, B, T, D, q);
  projectToStrips(strips, N, D, wK, packed, runsOn ? aligned : k);
  if (runsOn) align(aligned, B, T, D, k);
  projectToRows(strips, N, D, wV, packed, v);

  const merged = runsOn ? aligned : strips;
  const batchBytes = ((T + 3) >> 2) * stripBytes(D);
  const headBytes = d << 5; // of each strip
  for (let b: usize = 0; b < B; b++) {
    for (let h: usize = 0; h < H; h++) {
      const offset = b * batchBytes + h * headBytes;
      columnsToStrips(v + ((b * T * D + h * d) << 3), D, T, d, values);
      attendInHead(b, h, T, D, d, q + offset, k + offset, values, scores, weights, merged + offset);
      weights += (T * T) << 3;
    }
  }

  if (runsOn) runOn(aligned, B, T, D, strips);
  projectToRows(strips, N, D, wO, packed, output);
}

/** e^x for rows of four x ≤ 0, in place: what the tests hold against exact arithmetic. `scratch` takes as many rows. */
export function exponentials(row: usize, end: usize, scratch: usize, sums: usize): void {
  const zero = f64x2.splat(0);
  powers(row, end, zero, zero, scratch, sums);
  for (; row < end; row += 8) store<f64>(row, load<f64>(row) * 5.421010862427522e-20); // 2^-64
}
