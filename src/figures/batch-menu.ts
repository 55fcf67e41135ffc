// The menu that changes the batch.
//
// The live plot of a figure's HTML has every batch, packed. Plotly's JSON beside it has a line in the notebook's file for every
// number: where all batches together would be too heavy there, it has the first alone, and its menu says how to see another.

import { menu, type Part } from "./sheet.js";
import { drawWith, named } from "./words.js";

/** The choice of one batch: its number, and what Plotly's "update" method takes to show it. */
export interface BatchChoice {
  readonly batch: number;
  readonly args: readonly unknown[];
}

/** Where the menu stands, on a sheet of that width and height. */
export type Place = Parameters<typeof menu>[1];

/** The menu, and its counterpart in Plotly's JSON: both the same unless the numbers are too `heavy` there. */
export function batchMenu(choices: readonly BatchChoice[], place: Place, heavy: boolean): { menu: Part; inJson: Part } {
  const whole = menu(
    choices.map(({ batch, args }) => ({ label: `batch ${batch}`, method: "update", args })),
    place,
  );
  if (!heavy) return { menu: whole, inJson: whole };
  const [first, ...others] = choices.map(({ batch }) => batch);
  const labels = [`batch ${first}`, `${named("batch", others, "batches")}: ${drawWith("batch", others)}`];
  return {
    menu: whole,
    inJson: menu(
      labels.map((label) => ({ label, method: "skip", args: [] })),
      place,
    ),
  };
}
