// The softmax of four queries at once. A strip holds one row of four scores for each key, so every step works on whole
// registers and no sum runs across one.

import { powers } from "./exponential";

/**
 * Turns the scores of four queries into numerators `exp(score/√d - max/√d) · 2^64`, and leaves 1 / Σ numerators.
 *
 * @param strip one row of four scores for each key; the numerators take their place
 * @param keys T, how many rows there are
 * @param root √d
 * @param scratch as many rows again
 * @param inverse where the four inverse sums go
 * @returns whether all four queries had finite scores only
 */
export function softmax(strip: usize, keys: usize, root: f64, scratch: usize, inverse: usize): bool {
  const end = strip + (keys << 5);
  const divisor = f64x2.splat(root);
  let low01 = f64x2.splat(Infinity);
  let low23 = low01;
  let high01 = f64x2.splat(-Infinity);
  let high23 = high01;
  for (let row = strip; row < end; row += 32) {
    let scores01 = v128.load(row);
    let scores23 = v128.load(row, 16);
    if (root != 1) {
      scores01 = f64x2.div(scores01, divisor);
      scores23 = f64x2.div(scores23, divisor);
      v128.store(row, scores01);
      v128.store(row, scores23, 16);
    }
    low01 = f64x2.pmin(low01, scores01);
    low23 = f64x2.pmin(low23, scores23);
    high01 = f64x2.pmax(high01, scores01);
    high23 = f64x2.pmax(high23, scores23);
  }
  powers(strip, end, high01, high23, scratch, inverse);
  const sum01 = v128.load(inverse);
  const sum23 = v128.load(inverse, 16);
  const one = f64x2.splat(1);
  v128.store(inverse, f64x2.div(one, sum01));
  v128.store(inverse, f64x2.div(one, sum23), 16);
  // An infinite or nan score makes its sum nan, but for -infinity, which passes for a weight of 0.
  const lowest = f64x2.splat(-Infinity);
  return v128.all_true<i64>(
    v128.and(
      v128.and(f64x2.eq(sum01, sum01), f64x2.gt(low01, lowest)),
      v128.and(f64x2.eq(sum23, sum23), f64x2.gt(low23, lowest)),
    ),
  );
}

/**
 * Multiplies the numerators of four queries by the inverse sums, in place, and writes the weights out query by query.
 *
 * Always four rows of an even number of weights, the last key first: what lies past a row's end, or past the last query,
 * is overwritten by what is written after it.
 *
 * @param strip one row of four numerators for each key
 * @param keys T, how many rows there are
 * @param inverse the four inverse sums
 * @param weights where query 0's weights go; the other queries' follow it
 */
export function normalize(strip: usize, keys: usize, inverse: usize, weights: usize): void {
  const inverse01 = v128.load(inverse);
  const inverse23 = v128.load(inverse, 16);
  const row1 = keys << 3;
  const row2 = row1 + row1;
  const row3 = row2 + row1;
  const last = (keys - 1) >> 1;
  let at = strip + (last << 6);
  for (let to = weights + (last << 4); to >= weights; to -= 16) {
    const first01 = f64x2.mul(v128.load(at), inverse01);
    const first23 = f64x2.mul(v128.load(at, 16), inverse23);
    const second01 = f64x2.mul(v128.load(at, 32), inverse01);
    const second23 = f64x2.mul(v128.load(at, 48), inverse23);
    v128.store(at, first01);
    v128.store(at, first23, 16);
    v128.store(at, second01, 32);
    v128.store(at, second23, 48);
    v128.store(to, v128.shuffle<f64>(first01, second01, 0, 2));
    v128.store(to + row1, v128.shuffle<f64>(first01, second01, 1, 3));
    v128.store(to + row2, v128.shuffle<f64>(first23, second23, 0, 2));
    v128.store(to + row3, v128.shuffle<f64>(first23, second23, 1, 3));
    at -= 64;
  }
}
