// What attentionMap says in words: above the panels, under them, and in the alt text.

import type { NDArray } from "../array/ndarray.js";
import { weightText } from "./numbers.js";
import { findOddities } from "./odd-weights.js";
import { describeLeftOut, type Shown } from "./shown.js";
import { strongestOfHead } from "./strongest.js";
import type { Weights } from "./weights.js";
import { many, span } from "./words.js";

/** How one batch is read: what a row is, how many tokens are labelled, why no cell is dark where none is printed. */
export function describeReading(panels: readonly NDArray[], labelEvery: number, printed: boolean): string {
  return [
    `Each row is a query, each column a key${findOddities(panels).sumToOne ? "; each row sums to 1" : ""}.`,
    ...(labelEvery === 1 ? [] : [`Every ${labelEvery === 2 ? "2nd" : `${labelEvery}th`} is labelled.`]),
    ...(printed ? [] : paleness(panels)),
  ].join(" ");
}

/** What explains a pale figure: many keys share a weight of 1. */
function paleness(panels: readonly NDArray[]): string[] {
  const largest = panels.reduce((most, { data }) => data.reduce((best, weight) => Math.max(best, weight), most), 0);
  return largest < 0.35 ? [`The largest weight is ${weightText(largest)}, so every cell is pale.`] : [];
}

/** What a softmax never gives, and how it is drawn; "" where there is nothing to say. */
export function describeOdd(panels: readonly NDArray[]): string {
  const { note, beyond } = findOddities(panels);
  return `${note}${beyond ? " The colours end at 0 and 1." : ""}`;
}

/** The whole in words, of the batch that is shown first, for who cannot see the picture. */
export function altText(given: Weights, { batches, heads, rows, columns }: Shown, note: string): string {
  const { array, queries, keys } = given;
  const [batch] = batches;
  const panels = heads.map((head) =>
    Array.from({ length: rows }, (_, i) =>
      Float64Array.from({ length: columns }, (_, j) => array.get(batch, head, i, j)),
    ),
  );
  const strongest = heads
    .slice(0, 4)
    .map((head, at) => strongestOfHead(head, panels[at], queries[batch], keys[batch].slice(0, columns)));
  const bad = panels.flat().reduce((count, row) => count + row.filter((weight) => !Number.isFinite(weight)).length, 0);
  const leftOut = describeLeftOut(given, { batches, heads, rows, columns });
  return [
    `Attention weights${array.shape[0] > 1 ? ` of batch ${batch}` : ""}: ${many(heads.length, "head")}, ` +
      `${many(rows, "query", "queries")} by ${many(columns, "key")}.`,
    `Strongest: ${strongest.join("; ")}.`,
    ...(bad === 0 ? [] : [`${many(bad, "weight is", "weights are")} not finite.`]),
    ...(note === "" ? [] : [note]),
    ...(batches.length > 1 ? [`A menu shows batches ${span(batches)}.`] : []),
    ...(leftOut === "" ? [] : [leftOut]),
  ].join(" ");
}
