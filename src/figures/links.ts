// The links of a head that are drawn as ribbons: the heaviest of all its queries, as many as there is room for.
//
// A cut never goes through links that weigh the same: all of them are drawn or none, so that a head that looks everywhere alike
// is not taken for one that has chosen a few keys.

import type { NDArray } from "../array/ndarray.js";

/** The weight from query i to key j. */
export interface Link {
  readonly i: number;
  readonly j: number;
  readonly weight: number;
}

/** What one head shows. */
export interface Links {
  readonly drawn: readonly Link[];
  /** How much of the head's weight the drawn links hold, 0 to 1. */
  readonly share: number;
  /** Whether all its weights are the same. */
  readonly even: boolean;
}

/** Weights below this have no ribbon: as thick as its weight it would not be seen. */
const leastWeight = 0.02;

/** The heaviest links of a head of shape (T, T), at most so many, among its first rows and columns. */
export function heaviest(head: NDArray, rows: number, columns: number, most: number): Links {
  const links = Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => ({ i, j, weight: head.get(i, j) })),
  )
    .flat()
    .filter(({ weight }) => weight >= leastWeight && weight < Number.POSITIVE_INFINITY)
    .sort((a, b) => b.weight - a.weight);
  let count = Math.min(most, links.length);
  while (count > 0 && count < links.length && same(links[count - 1].weight, links[count].weight)) count--;
  const drawn = links.slice(0, count);
  const sum = (weights: Iterable<number>): number =>
    Array.from(weights).reduce(
      (total, weight) => total + (weight > 0 && weight < Number.POSITIVE_INFINITY ? weight : 0),
      0,
    );
  const whole = sum(head.data);
  return { drawn, share: whole === 0 ? 1 : sum(drawn.map(({ weight }) => weight)) / whole, even: isEven(head) };
}

/** Whether several keys have all the same weight, and not 0. */
function isEven({ shape, data }: NDArray): boolean {
  return shape[1] > 1 && data[0] !== 0 && data.every((weight) => same(weight, data[0]));
}

function same(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.abs(a);
}
