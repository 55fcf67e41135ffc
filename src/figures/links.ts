// The links of a head that are drawn as ribbons: the heaviest of all its queries, as many as there is room for.
//
// A cut never goes through links that weigh the same, so that a head that looks everywhere alike is not taken for one that has
// chosen a few keys. All of them are drawn, if need be with more links than a figure has otherwise; where they are too many even
// for that, none.

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
  /** The largest weight of a query that has no link; 0 where each has one. */
  readonly withoutLink: number;
  /** Whether all its weights are the same, or as good as. */
  readonly even: boolean;
}

/** Weights below this have no ribbon: as thick as its weight it would not be seen. */
const leastWeight = 0.02;

/**
 * The heaviest links of a head of shape (T, T), among its first rows and columns: `most`, and up to `mostAlike` where the last
 * of them weigh the same.
 */
export function heaviest(head: NDArray, rows: number, columns: number, most: number, mostAlike: number): Links {
  const links = Array.from({ length: rows }, (_, i) =>
    Array.from({ length: columns }, (_, j) => ({ i, j, weight: head.get(i, j) })),
  )
    .flat()
    .filter(({ weight }) => weight >= leastWeight && weight < Number.POSITIVE_INFINITY)
    .sort((a, b) => b.weight - a.weight);
  const cut = Math.min(most, links.length);
  const isBetween = (at: number): boolean =>
    at > 0 && at < links.length && same(links[at - 1].weight, links[at].weight);
  const even = isEven(head);
  let [first, last] = even ? [0, links.length] : [cut, cut]; // of the links that weigh as those at the cut do
  while (isBetween(first)) first--;
  while (isBetween(last)) last++;
  const drawn = links.slice(0, last <= mostAlike ? last : first);
  const sum = (weights: Iterable<number>): number =>
    Array.from(weights).reduce(
      (total, weight) => total + (weight > 0 && weight < Number.POSITIVE_INFINITY ? weight : 0),
      0,
    );
  const whole = sum(head.data);
  const withLink = new Set(drawn.map(({ i }) => i));
  const without = links.find(({ i }) => !withLink.has(i));
  return {
    drawn,
    share: whole === 0 ? 1 : sum(drawn.map(({ weight }) => weight)) / whole,
    withoutLink: without?.weight ?? 0,
    even,
  };
}

/** Whether several keys have all the same weight, to one part in a hundred, and not 0. */
function isEven({ shape, data }: NDArray): boolean {
  return (
    shape[1] > 1 && data[0] !== 0 && data.every((weight) => Math.abs(weight - data[0]) <= 0.01 * Math.abs(data[0]))
  );
}

function same(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.abs(a);
}
