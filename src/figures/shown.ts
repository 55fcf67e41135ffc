// The part of some weights that one figure shows, and what it leaves out, in words.

import type { Weights } from "./weights.js";
import { leftOutOf } from "./words.js";

/** The part of the weights that one figure shows. */
export interface Shown {
  readonly batches: readonly number[];
  readonly heads: readonly number[];
  readonly rows: number;
  readonly columns: number;
}

/** What a figure has no room for; "" where it shows all. */
export function describeLeftOut({ array, batches, heads }: Weights, shown: Shown): string {
  const [, , rows, columns] = array.shape;
  const parts = [
    ...(shown.batches.length < batches.length
      ? [leftOutOf("batch", batches.slice(shown.batches.length), "batch")]
      : []),
    ...(shown.heads.length < heads.length ? [leftOutOf("head", heads.slice(shown.heads.length), "heads")] : []),
    ...(shown.rows < rows ? [`queries from ${shown.rows} on`] : []),
    ...(shown.columns < columns ? [`keys from ${shown.columns} on`] : []),
  ];
  return parts.length === 0 ? "" : `Left out: ${parts.join("; ")}.`;
}
