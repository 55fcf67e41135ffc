// Which weights are the strongest, in words, for alt texts. Where several are equally strong none is picked: the words say so.

import { quoted } from "./labels.js";
import { weightText } from "./numbers.js";
import { many } from "./words.js";

/** A token by name, with its position where the name is repeated; by its position alone where it has no other name. */
export function tokenName(tokens: readonly string[], at: number): string {
  if (tokens[at] === String(at)) return String(at);
  const repeated = tokens.indexOf(tokens[at]) !== tokens.lastIndexOf(tokens[at]);
  return `${quoted(tokens[at])}${repeated ? ` at ${at}` : ""}`;
}

/** Weights that differ by less than this are equally strong. */
const alike = 1e-9;

/** The positions of the largest finite numbers, all that are equally large; none where no number is finite. */
export function largestAt(numbers: Float64Array): number[] {
  const most = numbers.reduce(
    (best, one) => (Number.isFinite(one) ? Math.max(best, one) : best),
    Number.NEGATIVE_INFINITY,
  );
  return Array.from(numbers.keys()).filter((at) => Number.isFinite(numbers[at]) && most - numbers[at] < alike);
}

/** Where one head's attention is strongest: "in head 0 query 'cat' to key 'cat' (0.77)". */
export function strongestOfHead(
  head: number,
  panel: readonly Float64Array[],
  queries: readonly string[],
  keys: readonly string[],
): string {
  const numbers = Float64Array.from(panel.flatMap((row) => [...row]));
  const [first, ...others] = largestAt(numbers);
  if (first === undefined) return `head ${head} has no finite weight`;
  const weight = weightText(numbers[first]);
  if (others.length > 0 && others.length + 1 === numbers.length) {
    return numbers[first] === 0 ? `head ${head} is 0 everywhere` : `head ${head} is even (${weight} everywhere)`;
  }
  // Whoever sees the weights as they are printed sees no strongest.
  if (numbers.length > 1 && numbers.every((number) => weightText(number) === weight)) {
    return `head ${head} is nearly even (${weight === "0.00" ? "under 0.005" : weight} everywhere)`;
  }
  const [i, j] = [Math.floor(first / keys.length), first % keys.length];
  const more = others.length === 0 ? "" : ` and ${others.length} more as strong`;
  return `in head ${head} query ${tokenName(queries, i)} to key ${tokenName(keys, j)} (${weight})${more}`;
}

/** Where one query looks: "query 'the' looks most at 'cat' (0.90)". */
export function strongestOfQuery(query: string, row: Float64Array, keys: readonly string[]): string {
  const largest = largestAt(row);
  if (largest.length === 0) return `query ${query} has no finite weight`;
  const weight = weightText(row[largest[0]]);
  if (row.every((one) => one === 0)) return `query ${query} looks at no key (all weights are 0)`;
  if (largest.length === row.length && row.length > 1) return `query ${query} looks at all keys alike`;
  if (largest.length === 1) return `query ${query} looks most at ${tokenName(keys, largest[0])} (${weight})`;
  const names = largest.length > 3 ? many(largest.length, "key") : largest.map((j) => tokenName(keys, j)).join(" and ");
  return `query ${query} looks most at ${names} (${weight} each)`;
}
