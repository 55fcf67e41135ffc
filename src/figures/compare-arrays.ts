// compareArrays: two arrays side by side, the places where they differ marked, and by how much.
//
// Two axes make a panel; the axes before them make several, under each other. Where not everything fits, the panels with
// differences come before those without, and what is left out is said under the picture and in the alt text.

import type { Tolerances } from "../array/all-close.js";
import { asNDArray, type NDArrayLike } from "../array/array.js";
import { describe, typeError, ValueError } from "../array/errors.js";
import type { NDArray } from "../array/ndarray.js";
import { sameShape, showShape } from "../array/shape.js";
import type { Figure } from "../display/figure.js";
import { drawCells, numberWidth, palette, table } from "./cells.js";
import { textWidth } from "./labels.js";
import { brief, exact } from "./numbers.js";
import { checkOptions, chosenFlag } from "./options.js";
import { ink, neutral, softInk, wrong } from "./palette.js";
import { type Box, Sheet, wordsRoom } from "./sheet.js";
import { many } from "./words.js";

/** What `compareArrays` may be told: how far apart two numbers may be. Here nan equals nan unless `equalNaN` is false. */
export type CompareArraysOptions = Tolerances;

const action = "compare arrays";
const pageWidth = 960;
const cellHeight = 24;
/** A panel is shown whole up to so many rows and columns; of a larger one, a part around the first cell that differs. */
const whole = 24;
const part = { rows: 12, columns: 8 };
/** Panels go on until the figure is about this tall. */
const tallest = 700;
const gap = 30;
/** The two colours of a cell: as expected, and not. */
const marks = palette([neutral, wrong]);

/**
 * Two arrays as a picture: actual, expected and their difference side by side, each cell that differs marked.
 *
 * @param actual any shape
 * @param expected the shape that actual should have
 * @param tolerances `rtol`, `atol` and `equalNaN` as in allClose, but nan equals nan unless `equalNaN` is false
 * @returns a figure that says how many numbers differ, where the first one is, where the farthest is and how far off; of arrays
 *   that differ in shape, both with their shapes
 * @throws TypeError if one of them is not an array of numbers, or a tolerance is not a number
 * @throws ValueError if one of them is ragged, or a tolerance is negative
 * @example
 * compareArrays([[0, 1], [4, 5]], [[0, 1], [2, 3]]); // 2 of 4 numbers differ, the first at [1, 0]: 4 instead of 2
 */
export function compareArrays(
  actual: NDArrayLike,
  expected: NDArrayLike,
  tolerances: CompareArraysOptions = {},
): Figure {
  const [ours, theirs] = [asNDArray(actual, action, "actual"), asNDArray(expected, action, "expected")];
  checkOptions(action, tolerances, ["rtol", "atol", "equalNaN"]);
  const { rtol = 1e-5, atol = 1e-8 } = tolerances;
  const equalNaN = chosenFlag(action, "equalNaN", tolerances.equalNaN, true);
  for (const [name, value] of Object.entries({ rtol, atol })) {
    if (typeof value !== "number") {
      throw typeError(`Cannot ${action}: ${name} must be a number, got ${describe(value)}`);
    }
    if (!(value >= 0)) throw new ValueError(`Cannot ${action}: ${name} must be at least 0, got ${value}`);
  }
  const differs = (a: number, e: number): boolean =>
    !(
      a === e ||
      (equalNaN && Number.isNaN(a) && Number.isNaN(e)) ||
      (Number.isFinite(e) && Math.abs(a - e) <= atol + rtol * Math.abs(e))
    );
  return sameShape(ours.shape, theirs.shape) ? drawSame(ours, theirs, differs) : drawOther(ours, theirs);
}

/** One array as panels of two axes: how many, how large, and the index of the axes before. */
interface Panels {
  readonly count: number;
  readonly rows: number;
  readonly columns: number;
  readonly lead: readonly number[];
}

function panelsOf(shape: readonly number[]): Panels {
  const columns = shape.at(-1) ?? 1;
  const rows = shape.at(-2) ?? 1;
  const lead = shape.slice(0, -2);
  return { count: lead.reduce((product, length) => product * length, 1), rows, columns, lead };
}

/** The index of the number at `position` of a row-major array. */
function indexOf(position: number, shape: readonly number[]): number[] {
  const index: number[] = [];
  let rest = position;
  for (const length of [...shape].reverse()) {
    index.unshift(rest % length);
    rest = Math.floor(rest / length);
  }
  return index;
}

function showIndex(index: readonly number[]): string {
  return `[${index.join(", ")}]`;
}

/** How much of an axis is shown. */
function extent(length: number, some: number): number {
  return length <= whole ? length : some;
}

/** Where `shown` positions of an axis of `length` start so that `wanted` is among them. */
function startOf(length: number, shown: number, wanted: number): number {
  return Math.max(0, Math.min(wanted - Math.floor(shown / 2), length - shown));
}

/** How many panels of so many rows are shown under each other. */
function panelsShown(count: number, rows: number): number {
  return Math.min(count, Math.max(1, Math.floor(tallest / (rows * cellHeight + 46))));
}

function drawSame(actual: NDArray, expected: NDArray, differs: (a: number, e: number) => boolean): Figure {
  const { shape, size } = actual;
  const { count, rows, columns, lead } = panelsOf(shape);
  const [ours, theirs] = [actual.data, expected.data];
  const wrongAt = Array.from(ours.keys()).filter((at) => differs(ours[at], theirs[at]));
  const off = (at: number): number => ours[at] - theirs[at];
  const distance = (at: number): number => Math.abs(off(at)) || 0;
  const farthestAt = ours.reduce((most, _, at) => (distance(at) > distance(most) ? at : most), 0);
  const farthest =
    size === 0 || distance(farthestAt) === 0
      ? ""
      : `The farthest${shape.length === 0 ? "" : `, ${showIndex(indexOf(farthestAt, shape))},`} is off by ${brief(distance(farthestAt))}`;
  const sentences = inWords(actual, expected, wrongAt, farthest);
  if (size === 0) return drawWords(sentences);

  const wrongSet = new Set(wrongAt);
  const rank = new Set(wrongAt.map((at) => Math.floor(at / (rows * columns))));
  const order = Array.from({ length: count }, (_, panel) => panel).sort(
    (a, b) => Number(rank.has(b)) - Number(rank.has(a)) || a - b,
  );
  const tall = extent(rows, part.rows);
  const wide = extent(columns, part.columns);
  const shown = order.slice(0, panelsShown(count, tall)).sort((a, b) => a - b);

  const [wantedA, wantedE] = [ours, theirs].map((data) => numberWidth(data));
  const edge = 16 + textWidth(String(rows - 1), 11) + 10;
  const wanted = Math.max(34, 12 + Math.max(wantedA, wantedE));
  const cell = Math.min(wanted, Math.floor((pageWidth - edge - 2 * gap - 16) / (3 * wide)));
  const printed = cell >= wanted - 8;
  const width = Math.max(520, edge + 3 * wide * cell + 2 * gap + 20, wordsRoom(sentences[0], sentences.slice(1)));
  const sheet = new Sheet();
  sentences.forEach((sentence, at) => {
    sheet.write(sentence, 16, 21 + at * 22, at === 0 ? { size: 16 } : { color: softInk });
  });

  let top = 24 + 22 * sentences.length;
  const columnsAt = [0, 1, 2].map((k) => edge + k * (wide * cell + gap));
  for (const panel of shown) {
    const start = panel * rows * columns;
    const first = wrongAt.find((at) => at >= start && at < start + rows * columns);
    const [r, c] = first === undefined ? [0, 0] : [Math.floor((first - start) / columns), (first - start) % columns];
    const down = startOf(rows, tall, r);
    const across = startOf(columns, wide, c);
    const at = (row: number, column: number): number => start + (down + row) * columns + across + column;
    const index = indexOf(panel, lead);
    top += 46;
    ["actual", "expected", "actual - expected"].forEach((name, k) => {
      const slice = lead.length === 0 ? "" : showIndex(index);
      sheet.write(`${name}${k < 2 ? slice : ""}`, columnsAt[k], top - 24, { size: 12 });
      for (let column = 0; column < wide && cell >= 16; column++) {
        sheet.write(String(across + column), columnsAt[k] + (column + 0.5) * cell, top - 8, {
          size: 10,
          color: softInk,
          align: "center",
        });
      }
      const value = (position: number): string => brief([ours[position], theirs[position], off(position)][k]);
      const box = drawCells(sheet, {
        left: columnsAt[k],
        top,
        cellWidth: cell,
        cellHeight,
        colors: table(tall, wide, (row, column) => Number(k !== 1 && wrongSet.has(at(row, column)))),
        scale: marks,
        text: printed
          ? table(tall, wide, (row, column) =>
              k === 2 && !wrongSet.has(at(row, column)) ? "=" : value(at(row, column)),
            )
          : undefined,
        hover: table(tall, wide, (row, column) => {
          const position = at(row, column);
          const told = `${showIndex(indexOf(position, shape))}<br>${exact(ours[position])}`;
          return wrongSet.has(position) ? `${told} instead of ${exact(theirs[position])}` : told;
        }),
      });
      if (first !== undefined && first === wrongAt[0]) markFirst(sheet, box, r - down, c - across, cell);
    });
    for (let row = 0; row < tall; row++) {
      sheet.write(String(down + row), edge - 6, top + (row + 0.5) * cellHeight, {
        size: 10,
        color: softInk,
        align: "right",
      });
    }
    top += tall * cellHeight;
  }
  const notes = [
    ...(shown.length < count ? [leftOutPanels(order, shown, lead)] : []),
    ...(tall < rows ? [`${rows - tall} of ${rows} rows of a panel`] : []),
    ...(wide < columns ? [`${columns - wide} of ${columns} columns of a panel`] : []),
  ];
  const leftOut = notes.length === 0 ? "" : `Left out: ${notes.join(", ")}.`;
  if (leftOut !== "") {
    top = sheet.paragraph(leftOut, 16, top + 26, width - 32, { color: softInk }) - 18;
  }
  return sheet.toFigure(width, top + 22, [...sentences, ...(leftOut === "" ? [] : [leftOut])].join(" "));
}

/** Of many panels that are left out, it is shorter to name those that are shown. */
function leftOutPanels(all: readonly number[], shown: readonly number[], lead: readonly number[]): string {
  const missing = all.filter((panel) => !shown.includes(panel)).sort((a, b) => a - b);
  const few = missing.length <= 4;
  const names = (few ? missing : shown).map((panel) => showIndex(indexOf(panel, lead)));
  return `${missing.length} of ${all.length} panels (${few ? "" : "all but "}${names.join(", ")})`;
}

/** A frame around the first cell that differs. */
function markFirst(sheet: Sheet, box: Box, row: number, column: number, cell: number): void {
  sheet.box(
    { left: box.left + column * cell, top: box.top + row * cellHeight, width: cell, height: cellHeight },
    { line: ink, width: 2, over: true },
  );
}

function inWords(actual: NDArray, expected: NDArray, wrongAt: readonly number[], farthest: string): string[] {
  const { shape, size } = actual;
  const numbers = many(size, "number");
  if (wrongAt.length === 0) {
    return [
      size === 0
        ? "Both arrays are empty."
        : size === 1
          ? "The number is as expected."
          : `All ${numbers} are as expected.`,
      `Shape ${showShape(shape)}.${farthest === "" ? "" : ` ${farthest}, within the tolerance.`}`,
    ];
  }
  const [first] = wrongAt;
  const sorted = (data: Float64Array): string => Float64Array.from(data).sort().join();
  const moved = sorted(actual.data) === sorted(expected.data);
  return [
    `The same shape, but ${wrongAt.length} of ${numbers} ${wrongAt.length === 1 ? "differs" : "differ"}.`,
    `Shape ${showShape(shape)}. The first is ${showIndex(indexOf(first, shape))}: ` +
      `${exact(actual.data[first])} instead of ${exact(expected.data[first])}.`,
    ...(farthest === "" ? [] : [`${farthest}.`]),
    ...(moved ? ["Both hold the same numbers, in other places."] : []),
  ];
}

/** Arrays of different shapes: nothing to compare cell by cell, so each is shown as it is. */
function drawOther(actual: NDArray, expected: NDArray): Figure {
  const sentences = [
    "The shapes differ.",
    `actual has shape ${showShape(actual.shape)}, expected ${showShape(expected.shape)}.`,
    ...(actual.size === expected.size
      ? []
      : [`actual holds ${many(actual.size, "number")}, expected ${expected.size}.`]),
  ];
  if (actual.size === 0 || expected.size === 0) return drawWords(sentences);
  const sheet = new Sheet();
  sentences.forEach((sentence, at) => {
    sheet.write(sentence, 16, 21 + at * 22, at === 0 ? { size: 16 } : { color: softInk });
  });
  const parts = [actual, expected].map((array) => ({ array, ...panelsOf(array.shape) }));
  const wide = parts.map(({ columns }) => extent(columns, part.columns));
  const wanted = Math.max(34, 12 + Math.max(...parts.map(({ array }) => numberWidth(array.data))));
  const cell = Math.min(wanted, Math.floor((pageWidth - 2 * 16 - gap) / (wide[0] + wide[1])));
  const start = 24 + 22 * sentences.length;
  let [bottom, left] = [start, 16];
  const leftOut: string[] = [];
  parts.forEach(({ array, count, rows, columns, lead }, k) => {
    const name = ["actual", "expected"][k];
    const tall = extent(rows, part.rows);
    const shown = panelsShown(count, tall);
    let top = start;
    for (let panel = 0; panel < shown; panel++) {
      const position = (row: number, column: number): number => (panel * rows + row) * columns + column;
      const value = (row: number, column: number): number => array.data[position(row, column)];
      sheet.write(`${name}${lead.length === 0 ? "" : showIndex(indexOf(panel, lead))}`, left, top + 14);
      drawCells(sheet, {
        left,
        top: top + 26,
        cellWidth: cell,
        cellHeight,
        colors: table(tall, wide[k], () => 0),
        scale: marks,
        text: cell >= wanted - 8 ? table(tall, wide[k], (row, column) => brief(value(row, column))) : undefined,
        hover: table(
          tall,
          wide[k],
          (row, column) =>
            `${name}${showIndex(indexOf(position(row, column), array.shape))}<br>${exact(value(row, column))}`,
        ),
      });
      top += 34 + tall * cellHeight;
    }
    if (shown < count)
      leftOut.push(`${count - shown} of ${count} panels of ${name} (from ${showIndex(indexOf(shown, lead))} on)`);
    if (tall < rows || wide[k] < columns)
      leftOut.push(`what lies beyond ${tall} rows and ${wide[k]} columns of ${name}`);
    left += wide[k] * cell + gap;
    bottom = Math.max(bottom, top);
  });
  const note = leftOut.length === 0 ? "" : `Left out: ${leftOut.join(", ")}.`;
  const width = Math.max(520, left, wordsRoom(sentences[0], sentences.slice(1)));
  if (note !== "") {
    bottom = sheet.paragraph(note, 16, bottom + 16, width - 32, { color: softInk }) - 18;
  }
  return sheet.toFigure(width, bottom + 20, [...sentences, ...(note === "" ? [] : [note])].join(" "));
}

/** Words alone, where there is no number to show. */
function drawWords(sentences: readonly string[]): Figure {
  const sheet = new Sheet();
  sentences.forEach((sentence, at) => {
    sheet.write(sentence, 16, 21 + at * 22, at === 0 ? { size: 16 } : { color: softInk });
  });
  return sheet.toFigure(
    Math.max(520, wordsRoom(sentences[0], sentences.slice(1))),
    20 + 22 * sentences.length,
    sentences.join(" "),
  );
}
