// Where a found number came from, read off inputs made with arange: there each number is its own position.

import type { NDArray } from "../array/ndarray.js";
import { indexOf, numberAt } from "./answers.js";
import { list, short } from "./plain-text.js";

/** Where a number of the input lies. */
interface Place {
  /** All but the last index, in words: "token 1", or "head 0, token 1". */
  readonly of: string;
  readonly feature: number;
}

/** "token 0's features 4..7", "token 0's features 0, 3, 6 and 9", "token 0's feature 3 and token 1's feature 3", "zeros". */
function describe(numbers: readonly number[], x: NDArray, words: (leading: number[]) => string): string {
  if (numbers.length === 0) return "nothing";
  if (numbers.length > 1 && numbers.every((number) => number === 0)) return "zeros";
  const groups = new Map<string, number[]>();
  for (const number of numbers) {
    const place = placeOf(number, x, words);
    if (!place) return `${numbers.length > 1 ? "numbers" : "a number"} that x does not hold, such as ${short(number)}`;
    groups.set(place.of, [...(groups.get(place.of) ?? []), place.feature]);
  }
  const shown = [...groups].slice(0, 3).map(([of, indices]) => `${of}'s ${features(indices)}`);
  return groups.size > 3 ? `${shown.join(", ")} and others` : list(shown);
}

function placeOf(number: number, x: NDArray, words: (leading: number[]) => string): Place | undefined {
  const position = positionOf(number, x);
  if (position < 0) return undefined;
  const index = indexOf(position, x.shape);
  return { of: words(index.slice(0, -1)), feature: index[index.length - 1] };
}

function features(indices: readonly number[]): string {
  if (indices.length === 1) return `feature ${indices[0]}`;
  const inOrder = indices.every((feature, i) => feature === indices[0] + i);
  return `features ${inOrder ? `${indices[0]}..${indices[indices.length - 1]}` : list(indices.map(String))}`;
}

/** The numbers that an array has at these places of its last axis. */
function row(x: NDArray, leading: readonly number[], from: number, to: number): number[] {
  const places = Array.from({ length: to - from }, (_, i) => numberAt(x, [...leading, from + i]));
  return places.filter((number) => number !== undefined);
}

/** "head 0, token 1 should hold token 1's features 0..3 and holds token 0's features 4..7", for the row of the index (b, h, t, j). */
export function splitProvenance(x: NDArray, found: NDArray, wanted: NDArray, [b, h, t]: readonly number[]): string {
  const words = ([batch, token]: number[]) => `${batch === b ? "" : `batch ${batch}, `}token ${token}`;
  const say = (heads: NDArray) => describe(row(heads, [b, h, t], 0, heads.shape[3]), x, words);
  return `${b === 0 ? "" : `batch ${b}, `}head ${h}, token ${t} should hold ${say(wanted)} and holds ${say(found)}`;
}

/** "token 0, columns 4..7 should hold head 1, token 0's features 0..3 and hold ...", for the head's part of row (b, t) with column c. */
export function mergeProvenance(x: NDArray, found: NDArray, wanted: NDArray, [b, t, c]: readonly number[]): string {
  const d = x.shape[3];
  const from = c - (c % d);
  const words = ([batch, head, token]: number[]) =>
    `${batch === b ? "" : `batch ${batch}, `}head ${head}, token ${token}`;
  const say = (merged: NDArray) => describe(row(merged, [b, t], from, from + d), x, words);
  const [columns, holds] = d === 1 ? [`column ${from}`, "holds"] : [`columns ${from}..${from + d - 1}`, "hold"];
  return `${b === 0 ? "" : `batch ${b}, `}token ${t}, ${columns} should hold ${say(wanted)} and ${holds} ${say(found)}`;
}

/** The position of a number in an arange input, or -1. */
export function positionOf(number: number, x: NDArray): number {
  return x.data.findIndex((value) => Math.abs(value - number) < 1e-3);
}

/** Whether an array holds exactly the numbers of the input, in whatever order: then the same wrong order backwards restores it. */
export function isRearrangement(x: NDArray, found: NDArray): boolean {
  const sorted = (array: NDArray) => array.data.slice().sort().join();
  return sorted(x) === sorted(found);
}
