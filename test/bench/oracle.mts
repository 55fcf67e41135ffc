// Results are checked before anything is timed: a fast wrong answer is no answer.

import type { Competitor, Result } from "./competitor.mjs";

/** The largest difference from the expected numbers, relative to the largest of them. */
function distance(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  if (actual.length !== expected.length) return Number.POSITIVE_INFINITY;
  let largest = 0;
  let worst = 0;
  for (let i = 0; i < expected.length; i++) {
    largest = Math.max(largest, Math.abs(expected[i]));
    const difference = Math.abs(actual[i] - expected[i]);
    if (!(difference <= worst)) worst = difference;
  }
  return worst / largest;
}

/** @throws if the result is further from the oracle's than the competitor's tolerance */
export function checkResult({ name, tolerance }: Competitor, actual: Result, expected: Result): void {
  const miss = Math.max(distance(actual.output, expected.output), distance(actual.weights, expected.weights));
  if (!(miss <= tolerance)) {
    throw new Error(`Cannot time ${name}: its result must be within ${tolerance} of the oracle's, got ${miss}`);
  }
}
