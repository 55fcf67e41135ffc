// Shades: the colour of a cell whose number is not printed. The darker a cell, the larger its number.
//
// From 0 on a cell has a shade of its head's colour, below 0 a grey that is paler than every shade of a colour. So the sign is
// seen in the colour, and without it in the lightness, and the darkest cells of a row of scores get the most weight.

import { coloraxis, drawCells, palette } from "./cells.js";
import { headColors, neutral, noNumber, softInk, tint } from "./palette.js";
import type { Part, Sheet } from "./sheet.js";

/** How much of the head's colour is in a cell from 0 on, and the greys below 0; both from small numbers to large. */
const shares = [0.55, 0.7, 0.85, 1];
const greys = ["#FAFAFA", "#F1F1F1", "#E8E8E8"];
/** Light enough for a printed number. */
const underNumber = 0.5;

const perHead = shares.length + 1;
/** Cells of no head come after those of all heads. */
const noHead = headColors.length;
/** Every colour of a cell. Half of all cells are below 0: the first places are short, and so is a figure's file. */
export const colors: readonly string[] = [
  ...greys,
  ...headColors.flatMap((color) => [...shares, underNumber].map((share) => tint(color, share))),
  ...shares.map((share) => tint(softInk, share)),
  neutral,
  noNumber,
];

/** The colours by their places, as a layout's `coloraxis`. */
export const headShades: Part = coloraxis(palette(colors));

/** The sentence that explains shades. */
export const shadesInWords = "The darker a cell, the larger its number; pale grey is below 0.";

/** The place on the scale of a cell with its number printed on it, or with no number known. */
export function plainShade(head: number | undefined): number {
  return firstOf(head) + shares.length;
}

/** The place on the scale of a number, in a block where no number is farther from 0 than `farthest`. */
export function shadeOf(value: number, farthest: number, head: number | undefined): number {
  if (Number.isNaN(value)) return colors.length - 1;
  // Nothing is beyond the last shade: neither the farthest number nor an infinity.
  const share = farthest === 0 && value === 0 ? 0 : Math.min(Math.abs(value) / farthest, 1 - 1e-9);
  return value < 0 ? Math.floor((1 - share) * greys.length) : firstOf(head) + Math.floor(share * shares.length);
}

function firstOf(head: number | undefined): number {
  return greys.length + (head === undefined ? noHead : head % headColors.length) * perHead;
}

/** All shades in a row, for one head, with the place of 0 and the two sides named. */
export function drawShades(sheet: Sheet, head: number, left: number, top: number): void {
  const side = 14;
  const places = [...greys.keys(), ...shares.map((_, at) => firstOf(head) + at)];
  sheet.write("below 0", left, top + side / 2, { size: 11, color: softInk });
  const box = drawCells(sheet, {
    left: left + 52,
    top,
    cellWidth: side,
    cellHeight: side,
    colors: [places],
    scale: { coloraxis: "coloraxis" },
  });
  sheet.write("above 0", box.left + box.width + 8, top + side / 2, { size: 11, color: softInk });
}
