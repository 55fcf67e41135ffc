// Where a found number came from, read off inputs made with arange: there each number is its own position.

import type { NDArray } from "../array/ndarray.js";
import { indexOf, numberAt } from "./answers.js";
import { list, short } from "./plain-text.js";

/** An input, what came back for it, the right answer, and whether the numbers that came back were moved and not computed. */
export interface Traces {
  readonly x: NDArray;
  readonly found: NDArray;
  readonly wanted: NDArray;
  readonly traced: boolean;
}

/** "token 0's features 4..7", "token 0's features 0, 3, 6 and 9", "token 0's feature 3 and token 1's feature 3", "zeros". */
function describe(
  numbers: readonly number[],
  x: NDArray,
  words: (leading: number[]) => string,
  traced: boolean,
): string {
  if (numbers.length === 0) return "nothing";
  if (numbers.length > 1 && numbers.every((number) => number === 0)) return "zeros";
  const odd = numbers.find((number) => positionOf(number, x) < 0);
  if (odd !== undefined) {
    return `${numbers.length > 1 ? "numbers" : "a number"} that x does not hold, such as ${short(odd)}`;
  }
  if (!traced) return `computed numbers, such as ${short(numbers[0])}, where x's are only to be moved`;
  const groups = new Map<string, number[]>();
  for (const number of numbers) {
    const index = indexOf(positionOf(number, x), x.shape);
    const of = words(index.slice(0, -1));
    groups.set(of, [...(groups.get(of) ?? []), index[index.length - 1]]);
  }
  const shown = [...groups].slice(0, 3).map(([of, indices]) => `${of}'s ${features(indices)}`);
  return groups.size > 3 ? `${shown.join(", ")} and others` : list(shown);
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
export function splitProvenance({ x, found, wanted, traced }: Traces, [b, h, t]: readonly number[]): string {
  const words = ([batch, token]: number[]) => `${batch === b ? "" : `batch ${batch}, `}token ${token}`;
  const say = (heads: NDArray) =>
    describe(row(heads, [b, h, t], 0, heads.shape[3]), x, words, traced || heads === wanted);
  return `${b === 0 ? "" : `batch ${b}, `}head ${h}, token ${t} should hold ${say(wanted)} and holds ${say(found)}`;
}

/** "token 0, columns 4..7 should hold head 1, token 0's features 0..3 and hold ...", for the head's part of row (b, t) with column c. */
export function mergeProvenance({ x, found, wanted, traced }: Traces, [b, t, c]: readonly number[]): string {
  const d = x.shape[3];
  const from = c - (c % d);
  const words = ([batch, head, token]: number[]) =>
    `${batch === b ? "" : `batch ${batch}, `}head ${head}, token ${token}`;
  const say = (merged: NDArray) => describe(row(merged, [b, t], from, from + d), x, words, traced || merged === wanted);
  const [columns, holds] = d === 1 ? [`column ${from}`, "holds"] : [`columns ${from}..${from + d - 1}`, "hold"];
  return `${b === 0 ? "" : `batch ${b}, `}token ${t}, ${columns} should hold ${say(wanted)} and ${holds} ${say(found)}`;
}

/** The position of a number in an arange input, or -1. */
export function positionOf(number: number, x: NDArray): number {
  return x.data.findIndex((value) => Math.abs(value - number) < 1e-3);
}

/** Two inputs with other numbers in the same places, the first made with arange, and what came back for them. */
export interface Twice {
  readonly x: NDArray;
  readonly found: NDArray;
  readonly other: NDArray;
  readonly foundOther: NDArray;
}

/** Whether what came back was moved, and not computed: each number stands for the same place of both inputs, or is 0 or NaN. */
export function isMoved({ x, found, other, foundOther }: Twice): boolean {
  return (
    found.size === foundOther.size &&
    found.data.every((value, i) => {
      const stays = (value === 0 || Number.isNaN(value)) && Object.is(value, foundOther.data[i]);
      return stays || Math.abs(foundOther.data[i] - other.data[positionOf(value, x)]) < 1e-3;
    })
  );
}

/** Whether an array holds exactly the numbers of the input, in whatever order: then the same wrong order backwards restores it. */
export function isRearrangement(x: NDArray, found: NDArray): boolean {
  const sorted = (array: NDArray) => array.data.slice().sort().join();
  return sorted(x) === sorted(found);
}
