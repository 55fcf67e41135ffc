// Cells: a table of numbers on a sheet, each on its colour.

import { textWidth } from "./labels.js";
import { brief } from "./numbers.js";
import type { Box, Part, Sheet } from "./sheet.js";

/** A table to draw. */
export interface Cells {
  readonly left: number;
  readonly top: number;
  readonly cellWidth: number;
  readonly cellHeight: number;
  /** What the colour stands for: a number on the scale, or the position of a colour. */
  readonly colors: readonly (readonly (number | null)[])[];
  /** Plotly's `colorscale`, `zmin` and `zmax`, or its `coloraxis`. */
  readonly scale: Part;
  /** What is printed; nothing when not given. */
  readonly text?: readonly (readonly string[])[] | undefined;
  /** The colour of the print; what reads on each cell when not given. */
  readonly textColor?: string;
  /** What a cell says on hover, in Plotly's markup; nothing when not given. */
  readonly hover?: readonly (readonly string[])[] | undefined;
  /** What is said before that, the same in every cell. */
  readonly hoverStart?: string;
}

/** Plotly's scale of colours between two numbers. */
export interface Scale extends Part {
  readonly colorscale: readonly unknown[];
  readonly zmin: number;
  readonly zmax: number;
}

/** The scale for a layout's `coloraxis`, which its heatmaps share. */
export function coloraxis({ colorscale, zmin, zmax }: Scale): Part {
  return { colorscale, cmin: zmin, cmax: zmax, showscale: false };
}

/** Draws the table and returns the box it takes. */
export function drawCells(sheet: Sheet, cells: Cells): Box {
  const { left, top, cellWidth, cellHeight, colors, scale, text, textColor, hover, hoverStart = "" } = cells;
  sheet.draw({
    type: "heatmap",
    z: colors,
    x0: left + cellWidth / 2,
    dx: cellWidth,
    y0: top + cellHeight / 2,
    dy: cellHeight,
    ...(cellWidth < 9 ? {} : { xgap: 1, ygap: 1 }),
    ...("coloraxis" in scale ? scale : { ...scale, showscale: false }),
    ...(hover === undefined
      ? { hoverinfo: "skip" }
      : { hovertext: hover, hovertemplate: `${hoverStart}%{hovertext}<extra></extra>` }),
    ...(text === undefined
      ? {}
      : {
          text,
          texttemplate: "%{text}",
          textfont: { size: 12, ...(textColor === undefined ? {} : { color: textColor }) },
        }),
  });
  return { left, top, width: colors[0].length * cellWidth, height: colors.length * cellHeight };
}

/** The scale on which position k has the k-th colour. */
export function palette(colors: readonly string[]): Scale {
  const n = colors.length;
  return {
    colorscale: colors.flatMap((color, at) => [
      [at / n, color],
      [(at + 1) / n, color],
    ]),
    zmin: -0.5,
    zmax: n - 0.5,
  };
}

/** Rows of columns, each cell from its place. */
export function table<V>(rows: number, columns: number, value: (row: number, column: number) => V): V[][] {
  return Array.from({ length: rows }, (_, r) => Array.from({ length: columns }, (_, c) => value(r, c)));
}

/** The width of the widest of these numbers in a cell. */
export function numberWidth(numbers: Float64Array): number {
  return numbers.reduce((most, value) => Math.max(most, textWidth(brief(value), 12)), 0);
}
