// The picture of a verdict: the learner's result beside the right one, block by block.
//
// Of a split or a merge each number has the colour of the head it belongs to, so a wrong order shows as scrambled colours. Of
// attention, weights and output have the scales of the other figures. Wrong numbers are framed, the first one boldly. One
// batch is shown, and of large arrays the upper left corner.

import type { NDArray } from "../array/ndarray.js";
import type { Figure } from "../display/figure.js";
import { drawCells, palette, table } from "../figures/cells.js";
import { textWidth } from "../figures/labels.js";
import { brief, fixed, exact as inFull } from "../figures/numbers.js";
import * as colors from "../figures/palette.js";
import { type Part, Sheet } from "../figures/sheet.js";
import { exact, numberAt, sameShapes } from "./answers.js";
import { lettered } from "./letters.js";
import type { Sizes } from "./probes.js";
import { positionOf } from "./provenance.js";

/** How the numbers of an array are drawn. */
export interface Look {
  /** The number on the scale that stands for a value. */
  readonly color: (value: number) => number | null;
  readonly scale: Part;
  readonly text: (value: number) => string;
  readonly textColor?: string;
  /** Whether each wrong number is framed, or just the first. */
  readonly frames: boolean;
}

/** The numbers of an arange input in the colours of their heads; `headAt` says to which head a position of x belongs. */
export function byHead(x: NDArray, headAt: (position: number) => number): Look {
  const { headColors, neutral, tint, ink } = colors;
  return {
    color: (value) => {
      const position = positionOf(value, x);
      return position < 0 ? headColors.length : headAt(position) % headColors.length;
    },
    scale: palette([...headColors.map((color) => tint(color, 0.5)), neutral]),
    text: brief,
    textColor: ink,
    frames: true,
  };
}

/** Numbers of which the largest are `most` and, with signs, `-most`. */
function onScale(scale: readonly (readonly [number, string])[], least: number, most: number): Look {
  return {
    color: (value) => (Number.isFinite(value) ? Math.min(Math.max(value, least), most) : null),
    scale: { colorscale: scale, zmin: least, zmax: most },
    text: (value) => (most > 0.1 && Math.abs(value) < 1000 ? fixed(value, 2) : brief(value)),
    frames: false,
  };
}

/** Weights, from 0 to 1. */
export function asWeights(): Look {
  return onScale(colors.weightScale, 0, 1);
}

/** Numbers with signs, up to the largest of `wanted`. */
export function asNumbers(wanted: NDArray): Look {
  const most = wanted.data.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0) || 1;
  return onScale(colors.signedScale, -most, most);
}

/** What is drawn: one array of an answer, and the right one. */
export interface Comparison {
  /** "Your split", "Your weights". */
  readonly yours: string;
  readonly found: NDArray;
  readonly wanted: NDArray;
  readonly sizes: Sizes;
  /** The index of the first wrong number; empty if there is none in its place. */
  readonly first: readonly number[];
  readonly look: Look;
  /** Whether the found numbers tell where they came from; if not, they have no head's colour. */
  readonly traced: boolean;
}

const cellHeight = 24;
const gap = 14;
const most = { columns: 16, rows: 10 };

/** The found array beside the wanted one; undefined if the found one cannot be drawn as blocks of rows. */
export function drawComparison(comparison: Comparison): Figure | undefined {
  const { yours, found, wanted, first, look, traced } = comparison;
  if (found.size === 0 || found.ndim > 4) return undefined;
  const batch = first[0] ?? 0;
  const [left, right] = [blocksOf(found, batch), blocksOf(wanted, batch)];
  const numbers = [...cellsOf(left).flat(2), ...cellsOf(right).flat(2)].map(({ value }) => look.text(value));
  const cell = 4 + Math.max(24, ...numbers.map((text) => textWidth(text, 12)));
  const wrong = countWrong(found, wanted, batch);

  const sheet = new Sheet();
  const yoursEnd = drawSide(sheet, 16, cell, yours, left, {
    ...comparison,
    look: traced ? withPlacesLeft(look, found, wanted) : { ...look, color: () => colors.headColors.length },
  });
  const end = drawSide(sheet, yoursEnd.right + 40, cell, "The right one", right, {
    ...comparison,
    found: wanted,
    first: [],
  });
  const told = [
    wrong === undefined
      ? "another shape than the right one"
      : wrong === 0
        ? "every number is right"
        : `${wrong} of ${wanted.size / wanted.shape[0]} numbers are wrong`,
    ...(left.cut || right.cut ? ["the upper left corner is shown"] : []),
  ].join("; ");
  sheet.write(`${wanted.shape[0] > 1 ? `Batch ${batch}: ` : ""}${told}`, 16, 44, { color: colors.softInk });
  const where = first.length > 0 ? `, the first at [${first.join(", ")}]` : "";
  return sheet.toFigure(
    Math.max(end.right + 16, 480),
    Math.max(yoursEnd.bottom, end.bottom) + 16,
    `${yours} beside the right one: ${told}${where}.`,
  );
}

/**
 * The look of numbers by their heads where some places may have been left at 0: with more zeros than the right array has, none
 * of them tells whether it is x's own 0, so a zero has no head's colour.
 */
function withPlacesLeft(look: Look, found: NDArray, wanted: NDArray): Look {
  const zeros = ({ data }: NDArray): number => data.reduce((count, value) => count + Number(value === 0), 0);
  if (!look.frames || zeros(found) <= zeros(wanted)) return look;
  return { ...look, color: (value) => (value === 0 ? colors.headColors.length : look.color(value)) };
}

/** How many numbers of one batch are wrong; undefined if the shapes differ. */
function countWrong(found: NDArray, wanted: NDArray, batch: number): number | undefined {
  if (!sameShapes([found], [wanted])) return undefined;
  const right = wanted.at(batch).data;
  return found.at(batch).data.reduce((count, value, i) => count + Number(differs(value, right[i])), 0);
}

function differs(value: number, right: number | undefined): boolean {
  return right === undefined || !(Math.abs(value - right) <= exact * Math.max(1, Math.abs(right)));
}

/** One batch of an array as blocks of rows, and how much of it is shown. */
interface Blocks {
  readonly array: NDArray;
  readonly shown: { readonly blocks: number; readonly rows: number; readonly columns: number };
  readonly cut: boolean;
  readonly indexOf: (block: number, row: number, column: number) => readonly number[];
}

function blocksOf(array: NDArray, batch: number): Blocks {
  const leading = array.ndim < 3 ? [] : [Math.min(batch, array.shape[0] - 1)];
  const [blocks, rows, columns] = [1, 1, ...array.shape.slice(leading.length)].slice(-3);
  const shown = {
    blocks: Math.min(blocks, Math.max(1, Math.floor(most.columns / columns))),
    rows: Math.min(rows, most.rows),
    columns: Math.min(columns, most.columns),
  };
  return {
    array,
    shown,
    cut: shown.blocks < blocks || shown.rows < rows || shown.columns < columns,
    indexOf: (block, row, column) => [...leading, ...[block, row, column].slice(leading.length - array.ndim)],
  };
}

/** The shown cells of each block. */
function cellsOf({ array, shown, indexOf }: Blocks): { index: readonly number[]; value: number }[][][] {
  return Array.from({ length: shown.blocks }, (_, block) =>
    table(shown.rows, shown.columns, (row, column) => {
      const index = indexOf(block, row, column);
      return { index, value: array.get(...index) };
    }),
  );
}

function drawSide(
  sheet: Sheet,
  left: number,
  cell: number,
  name: string,
  blocks: Blocks,
  { found, wanted, sizes, first, look }: Comparison,
): { right: number; bottom: number } {
  const comparable = found.ndim === wanted.ndim;
  const named = found.ndim === 4;
  const rightOf = (index: readonly number[]) => (comparable ? numberAt(wanted, index) : undefined);
  const title = `${name}: ${lettered(found.shape, sizes)}`;
  sheet.write(title, left, 21, { size: 14 });
  const top = Math.max(found.ndim, wanted.ndim) === 4 ? 92 : 64;
  const begin = left + 24;
  const width = blocks.shown.columns * cell;
  cellsOf(blocks).forEach((rows, block) => {
    const x = begin + block * (width + gap);
    drawCells(sheet, {
      left: x,
      top,
      cellWidth: cell,
      cellHeight,
      colors: rows.map((row) => row.map(({ value }) => look.color(value))),
      scale: look.scale,
      text: rows.map((row) => row.map(({ value }) => look.text(value))),
      ...(look.textColor === undefined ? {} : { textColor: look.textColor }),
      hover: rows.map((row) =>
        row.map(({ index, value }) => {
          const right = rightOf(index);
          const told = right === undefined || !differs(value, right) ? "" : `<br>should be ${inFull(right)}`;
          return `[${index.join(", ")}] = ${inFull(value)}${told}`;
        }),
      ),
    });
    if (named) {
      const isHeads = sameShapes([found], [wanted]);
      const plate = isHeads ? { plate: colors.headColor(block) } : { color: colors.softInk };
      const label = isHeads ? `head ${block}` : `[${blocks.indexOf(block, 0, 0).slice(0, 2).join(", ")}]`;
      sheet.write(label, x, top - 4, { valign: "bottom", ...plate });
    }
    rows.forEach((row, r) => {
      row.forEach(({ index, value }, c) => {
        const isFirst = index.join() === first.join();
        if (!isFirst && !(look.frames && comparable && differs(value, rightOf(index)))) return;
        const inset = isFirst ? 1 : 2;
        const box = { left: x + c * cell + inset, top: top + r * cellHeight + inset };
        const size = { width: cell - 2 * inset, height: cellHeight - 2 * inset };
        sheet.box({ ...box, ...size }, { line: colors.wrong, width: isFirst ? 3 : 1, over: true });
      });
    });
  });
  for (let row = 0; row < blocks.shown.rows; row++) {
    sheet.write(String(row), begin - 8, top + (row + 0.5) * cellHeight, { align: "right", color: colors.softInk });
  }
  return {
    right: Math.max(begin + blocks.shown.blocks * (width + gap) - gap, left + textWidth(title, 14)),
    bottom: top + blocks.shown.rows * cellHeight,
  };
}
