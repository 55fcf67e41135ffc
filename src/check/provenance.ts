// Where a found number came from, read off inputs made with arange: there each number is its own position.

import type { NDArray } from "../array/ndarray.js";
import { indexOf } from "./answers.js";
import { list } from "./plain-text.js";

/** Where a number of the input lies. */
interface Place {
  /** All but the last index, in words: "token 1", or "head 0, token 1". */
  readonly of: string;
  readonly feature: number;
}

/** The places that these numbers come from; undefined for a number that the input does not hold. */
function places(
  numbers: readonly number[],
  input: NDArray,
  words: (leading: number[]) => string,
): (Place | undefined)[] {
  return numbers.map((number) => {
    const position = input.data.findIndex((value) => Math.abs(value - number) < 1e-3);
    if (position < 0) return undefined;
    const index = indexOf(position, input.shape);
    return { of: words(index.slice(0, -1)), feature: index[index.length - 1] };
  });
}

/** "token 0's features 4..7", "token 0's features 0, 3, 6 and 9", "token 0's feature 3 and token 1's feature 3". */
function describe(numbers: readonly number[], found: readonly (Place | undefined)[]): string {
  if (numbers.length > 1 && numbers.every((number) => number === 0)) return "zeros";
  const known = found.filter((place) => place !== undefined);
  if (known.length < found.length) return `numbers that x does not hold, such as ${numbers[found.indexOf(undefined)]}`;
  const groups: Place[][] = [];
  for (const place of known) {
    const group = groups.find((members) => members[0].of === place.of);
    if (group) group.push(place);
    else groups.push([place]);
  }
  const shown = groups.slice(0, 3).map((group) => `${group[0].of}'s ${features(group.map(({ feature }) => feature))}`);
  return groups.length > 3 ? `${shown.join(", ")} and others` : list(shown);
}

function features(indices: readonly number[]): string {
  if (indices.length === 1) return `feature ${indices[0]}`;
  const inOrder = indices.every((feature, i) => feature === indices[0] + i);
  return `features ${inOrder ? `${indices[0]}..${indices[indices.length - 1]}` : list(indices.map(String))}`;
}

/** "head 0, token 1 should hold token 1's features 0..3 and holds token 0's features 4..7", for the row of the index (b, h, t, j). */
export function splitProvenance(x: NDArray, found: NDArray, wanted: NDArray, [b, h, t]: readonly number[]): string {
  const words = ([batch, token]: number[]) => `${batch === b ? "" : `batch ${batch}, `}token ${token}`;
  const row = (heads: NDArray) => [...heads.at(b, h, t).data];
  const say = (numbers: number[]) => describe(numbers, places(numbers, x, words));
  return `${b === 0 ? "" : `batch ${b}, `}head ${h}, token ${t} should hold ${say(row(wanted))} and holds ${say(row(found))}`;
}

/** "token 0, columns 4..7 should hold head 1, token 0's features 0..3 and hold ...", for the head's part of row (b, t) with column c. */
export function mergeProvenance(x: NDArray, found: NDArray, wanted: NDArray, [b, t, c]: readonly number[]): string {
  const d = x.shape[3];
  const from = c - (c % d);
  const words = ([batch, head, token]: number[]) =>
    `${batch === b ? "" : `batch ${batch}, `}head ${head}, token ${token}`;
  const part = (merged: NDArray) => [...merged.at(b, t).data.slice(from, from + d)];
  const say = (numbers: number[]) => describe(numbers, places(numbers, x, words));
  const columns = d === 1 ? `column ${from}` : `columns ${from}..${from + d - 1}`;
  const [should, does] = d === 1 ? ["should hold", "holds"] : ["should hold", "hold"];
  return `${b === 0 ? "" : `batch ${b}, `}token ${t}, ${columns} ${should} ${say(part(wanted))} and ${does} ${say(part(found))}`;
}

/** Whether an array holds exactly the numbers of the input, in whatever order: then the same wrong order backwards restores it. */
export function isRearrangement(x: NDArray, found: NDArray): boolean {
  const sorted = (array: NDArray) => array.data.slice().sort().join();
  return sorted(x) === sorted(found);
}
