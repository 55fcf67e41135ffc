// One head of one batch: `softmax(q kᵀ / √d) v`.

import { normalize, softmax } from "./softmax";
import { stripBytes } from "./strips";
import { row, tiles } from "./tile";

/** Called where a score of the four queries from `i` on is not finite; it may correct numerators and inverse sums. */
@external("rescue", "weights")
declare function rescueWeights(b: usize, h: usize, i: usize, strip: usize, inverse: usize): void;

/** Called where a weighted sum of the four queries from `i` on is not finite; it may correct the sums. */
@external("rescue", "sums")
declare function rescueSums(b: usize, h: usize, i: usize, strip: usize, sums: usize): void;

/** How many strips of queries go together, so that keys and values are read once for all of them. */
const QUERY_STRIPS: usize = 4;

/** Where the four inverse sums of a softmax stand. */
const INVERSE = memory.data(32, 16);

/**
 * @param q the head's rows in the first of the batch's strips
 * @param k the same for the keys
 * @param values the head's values in strips of four columns
 * @param scores room for QUERY_STRIPS + 1 strips of a row for each key
 * @param weights receives (T, T)
 * @param merged receives the weighted sums, in the places that q has
 */
export function attendInHead(
  b: usize,
  h: usize,
  T: usize,
  D: usize,
  d: usize,
  q: usize,
  k: usize,
  values: usize,
  scores: usize,
  weights: usize,
  merged: usize,
): void {
  const root = Math.sqrt(<f64>d);
  const next = stripBytes(D);
  const scoreBytes = ((T + 3) & ~3) << 5;
  const scratch = scores + QUERY_STRIPS * scoreBytes;

  for (let first: usize = 0; first < T; first += QUERY_STRIPS << 2) {
    const end = min(first + (QUERY_STRIPS << 2), T);
    const count = (end - first + 3) >> 2;
    const queries = (first >> 2) * next;

    for (let j: usize = 0; j < T; j += 4) {
      // Row j of each strip: the scores of four queries for key j.
      tiles(count, d, k + (j >> 2) * next, 0, q + queries, next, scores + (j << 5), 32, scoreBytes);
    }

    let strip = scores;
    for (let i = first; i < end; i += 4) {
      if (!softmax(strip, T, root, scratch, INVERSE)) rescueWeights(b, h, i, strip, INVERSE);
      normalize(strip, T, INVERSE, weights + ((i * T) << 3));
      strip += scoreBytes;
    }

    for (let c: usize = 0; c < d; c += 4) {
      const columns = values + ((c * T) << 3);
      const sums = merged + queries + (c << 5); // row c: channel c of four queries
      if (d - c > 1) tiles(count, T, columns, 0, scores, scoreBytes, sums, 32, next);
      else for (let i: usize = 0; i < count; i++) row(columns, scores + i * scoreBytes, T, sums + i * next);
    }

    strip = scores;
    for (let i = first; i < end; i += 4) {
      const sums = merged + (i >> 2) * next;
      if (!allFinite(sums, d)) rescueSums(b, h, i, strip, sums);
      strip += scoreBytes;
    }
  }
}

/** Whether every number in rows of four is finite: x - x is 0 then, and nan otherwise. */
function allFinite(row: usize, rows: usize): bool {
  const zero = f64x2.splat(0);
  let sum = zero;
  for (const end = row + (rows << 5); row < end; row += 32) {
    const first = v128.load(row);
    const second = v128.load(row, 16);
    sum = f64x2.add(sum, f64x2.add(f64x2.sub(first, first), f64x2.sub(second, second)));
  }
  return v128.all_true<i64>(f64x2.eq(sum, zero));
}
