// headSplit: where the columns of x go when it is split into heads.
//
// x on top, its columns in the colours of their heads; under it the same numbers as one block a head, a band leading from the
// columns to their block. On request, under that, the blocks of a reshape without the transpose: the same shape, every number
// in the colour of the head that it belongs to, and so the colours scrambled. One batch at a time.

import { asNDArray, type NDArrayLike } from "../array/array.js";
import { describe, ValueError } from "../array/errors.js";
import type { NDArray } from "../array/ndarray.js";
import { showShape } from "../array/shape.js";
import { splitHeads } from "../attention/heads.js";
import type { Figure } from "../display/figure.js";
import { coloraxis, drawCells, numberWidth, palette, table } from "./cells.js";
import { drawMove, type Move } from "./head-move.js";
import { escapeText, shorten, textWidth, visible } from "./labels.js";
import { brief, exact } from "./numbers.js";
import { checkOptions, chosenFlag, chosenIndex } from "./options.js";
import { headColor, headColors, ink, softInk, tint } from "./palette.js";
import { type Box, Sheet, withoutHover, wordsRoom } from "./sheet.js";
import { readTokens, type Tokens } from "./weights.js";
import { many, range } from "./words.js";

/** What `headSplit` may be told. */
export interface HeadSplitOptions {
  /** The batch to show; 0 when not given. */
  readonly batch?: number;
  /** The words beside the rows of x; their positions when not given. */
  readonly tokens?: Tokens;
  /** Whether to show, under the right blocks, those of a reshape straight to (B, H, T, d). */
  readonly wrong?: boolean;
  /** One of the two moves alone, before and after: "reshape" to (B, T, H, d), then "transpose" to (B, H, T, d). */
  readonly move?: Move;
}

const action = "draw the split into heads";
const mostColumns = 128;
const mostRows = 16;
/** The most cells of x whose hover label says both places: where a number comes from and where it goes. */
const mostExplained = 400;
const pageWidth = 960;
/** Head colours as they lie under numbers: light enough to read on. */
const underNumbers = palette(headColors.map((color) => tint(color, 0.5)));

/** A place in one batch of x: token t, column c. */
interface Place {
  readonly token: number;
  readonly column: number;
}

/**
 * The split into heads as a picture: the columns of x in the colours of their heads, then one block (T, d) a head.
 * Cell [t, j] of block h holds `x[b, t, h·d + j]`.
 *
 * @param x shape (B, T, D)
 * @param nHeads H, how many heads; it divides D
 * @param options `batch` to show (0 when not given), `tokens` for the rows, `wrong: true` for the blocks of a reshape
 *   without the transpose, under the right ones; `move` for one of the two moves alone
 * @returns a figure; each number says on hover where it comes from
 * @throws ValueError if x is empty or has not three axes, nHeads does not divide D, batch is out of range, move is none, or
 *   move and wrong are both given
 * @throws TypeError if x is not an array of numbers, or wrong is neither true nor false
 * @example
 * headSplit(arange(8).reshape(1, 2, 4), 2); // head 0 holds 0 1 and 4 5, head 1 holds 2 3 and 6 7
 */
export function headSplit(x: NDArrayLike, nHeads: number, options: HeadSplitOptions = {}): Figure {
  const given = asNDArray(x, action, "x");
  const [B, H, T, d] = splitHeads(given, nHeads).shape;
  if (given.size === 0) {
    throw new ValueError(`Cannot ${action}: x must hold numbers, got shape (B, T, D) = ${showShape(given.shape)}`);
  }
  checkOptions(action, options, ["batch", "tokens", "wrong", "move"]);
  const batch = chosenIndex(action, "batch", options.batch ?? 0, "B", B);
  const tokens = readTokens(action, options.tokens, [B, T, T]).queries[batch];
  const wrong = chosenFlag(action, "wrong", options.wrong, false);
  const { move } = options;
  if (move !== undefined) {
    if (move !== "reshape" && move !== "transpose") {
      throw new ValueError(`Cannot ${action}: move must be "reshape" or "transpose", got ${describe(move)}`);
    }
    if (wrong) {
      throw new ValueError(
        `Cannot ${action}: move and wrong must not both be given, got move="${move}" and wrong=true; ` +
          "draw a figure of each",
      );
    }
    return drawMove(given, H, batch, tokens, move);
  }
  const width = Math.min(d, mostColumns);
  const shown = { width, heads: Math.min(H, Math.floor(mostColumns / width)), rows: Math.min(T, mostRows) };
  return draw(given, { B, T, D: H * d, H, d, shown }, batch, tokens, wrong);
}

/** The sizes B, T, D, H, d of one split, and the part of it that is shown. */
interface Sizes {
  readonly B: number;
  readonly T: number;
  readonly D: number;
  readonly H: number;
  readonly d: number;
  readonly shown: { readonly heads: number; readonly width: number; readonly rows: number };
}

function draw(x: NDArray, sizes: Sizes, batch: number, tokens: readonly string[], wrong: boolean): Figure {
  const { B, T, D, H, d } = sizes;
  const { heads, width, rows } = sizes.shown;
  const columns = heads * width;
  const names = tokens.slice(0, rows).map((token, t) => (token === String(t) ? `t=${t}` : shorten(visible(token), 12)));
  const value = ({ token, column }: Place): number => x.get(batch, token, column);

  const left = 34 + Math.max(...names.map((name) => textWidth(name, 12)));
  const gap = Math.min(20, Math.floor(160 / heads));
  const wanted = 12 + numberWidth(x.at(batch).data);
  const room = Math.floor((pageWidth - left - 16 - gap * (heads - 1)) / columns);
  const cell = Math.min(Math.max(38, wanted), room);
  const printed = cell >= wanted - 6;
  const cellHeight = printed ? 26 : 14;
  const explained = rows * columns <= mostExplained;
  const blockWidth = width * cell;
  const blockLeft = (head: number): number => left + head * (blockWidth + gap);

  const plates = platesOf(heads, blockWidth + gap);

  const sheet = new Sheet();
  const drawPlaces = (
    places: Place[][],
    at: { left: number; top: number },
    told: (row: number, column: number) => string,
  ): Box =>
    drawCells(sheet, {
      ...at,
      cellWidth: cell,
      cellHeight,
      colors: places.map((row) => row.map(({ column }) => Math.floor(column / d) % headColors.length)),
      scale: { coloraxis: "coloraxis" },
      text: printed ? places.map((row) => row.map((place) => brief(value(place)))) : undefined,
      textColor: ink,
      hover: places.map((row, r) =>
        row.map((place, c) => {
          const { token, column } = place;
          const source = `x[${batch}, ${token}, ${column}] = ${exact(value(place))}`;
          return explained ? `${source}<br>of head ${Math.floor(column / d)}<br>${told(r, c)}` : source;
        }),
      ),
    });
  const rowNames = (right: number, top: number): void => {
    names.forEach((name, t) => {
      sheet.write(escapeText(name), right - 8, top + (t + 0.5) * cellHeight, { align: "right" });
    });
  };
  const block = (
    head: number,
    top: number,
    place: (t: number, j: number) => Place,
    told: (t: number, j: number) => string,
  ): void => {
    const box = drawPlaces(table(rows, width, place), { left: blockLeft(head), top }, told);
    sheet.box(box, { line: headColor(head), width: 2, over: true });
    if (head % plates.every !== 0) return;
    sheet.write(plates.name(head), box.left - 1, top - 3, {
      valign: "bottom",
      plate: headColor(head),
      size: plates.size,
    });
  };

  // x, its columns in the colours of their heads.
  const xLeft = Math.round(left + (gap * (heads - 1)) / 2);
  const xTop = 92;
  const places = table(
    rows,
    columns,
    (token, c): Place => ({ token, column: Math.floor(c / width) * d + (c % width) }),
  );
  const title = `splitHeads(x, ${H})`;
  const shapes = `x: (B, T, D) = ${showShape([B, T, D])}. Its columns, head by head: (B, H, T, d) = ${showShape([B, H, T, d])}.`;
  const sentences = [`${shapes}${B > 1 ? ` Batch ${batch}.` : ""}`];
  sheet.write(title, 16, 21, { size: 16 });
  sheet.write(sentences[0], 16, 46, { color: softInk });
  rowNames(xLeft, xTop);
  drawPlaces(places, { left: xLeft, top: xTop }, (t, c) => {
    const { column } = places[t][c];
    return `goes to split[${batch}, ${Math.floor(column / d)}, ${t}, ${column % d}]`;
  });
  if (cell >= 20) {
    sheet.write("column", xLeft - 8, xTop - 12, { color: softInk, size: 11, align: "right" });
    places[0].forEach(({ column }, c) => {
      sheet.write(String(column), xLeft + (c + 0.5) * cell, xTop - 12, { color: softInk, size: 11, align: "center" });
    });
  }

  // The blocks, each at the end of a band from its columns.
  const splitTop = xTop + rows * cellHeight + 74;
  rowNames(left, splitTop);
  for (let head = 0; head < heads; head++) {
    const [from, to] = [xLeft + head * blockWidth, blockLeft(head)];
    const [start, end] = [xTop + rows * cellHeight + 2, splitTop - 1];
    sheet.area(
      [
        [from + 1, start],
        [from + blockWidth - 1, start],
        [to + blockWidth, end],
        [to, end],
      ],
      tint(headColor(head), 0.22),
    );
    block(
      head,
      splitTop,
      (token, j) => ({ token, column: head * d + j }),
      (t, j) => `stands at split[${batch}, ${head}, ${t}, ${j}]`,
    );
  }
  let bottom = splitTop + rows * cellHeight;
  if (cell >= 20) {
    sheet.write("j", left - 8, bottom + 11, { color: softInk, size: 11, align: "right" });
    for (let c = 0; c < columns; c++) {
      const x = blockLeft(Math.floor(c / width)) + ((c % width) + 0.5) * cell;
      sheet.write(String(c % width), x, bottom + 11, { color: softInk, size: 11, align: "center" });
    }
    bottom += 18;
  }

  // The same buffer cut straight into (B, H, T, d): the sources in the order of the buffer.
  if (wrong) {
    const top = bottom + 100;
    const source = (head: number, t: number, j: number): Place => {
      const position = (head * T + t) * d + j;
      return { token: Math.floor(position / D), column: position % D };
    };
    const misplaced = countMisplaced(sizes, source);
    sheet.write(`x.reshape${showShape([B, H, T, d])}, without the transpose`, 16, bottom + 34, { size: 16 });
    const found = `${misplaced} of ${many(T * D, "number")} ${misplaced === 1 ? "stands" : "stand"} in the wrong place`;
    sentences.push(
      misplaced === 0
        ? `The same numbers in the same places: with T=${T} and H=${H} this mistake does not show.`
        : `The same shape, but ${found}.`,
    );
    sheet.write(sentences[1], 16, bottom + 57, { color: softInk });
    rowNames(left, top);
    for (let head = 0; head < heads; head++) {
      block(
        head,
        top,
        (t, j) => source(head, t, j),
        (t, j) =>
          `here should be x[${batch}, ${t}, ${head * d + j}] = ${exact(value({ token: t, column: head * d + j }))}`,
      );
    }
    bottom = top + rows * cellHeight;
  }

  const leftOut = [
    ...(heads < H ? [range("head", heads, H)] : []),
    ...(width < d ? [`columns from ${width} on in each head`] : []),
    ...(rows < T ? [range("token", rows, T)] : []),
  ].join(", ");
  if (leftOut !== "") {
    sheet.write(`Left out: ${leftOut}.`, 16, bottom + 24, { color: softInk });
    bottom += 24;
  }
  const alt = [
    `x of shape (B, T, D) = ${showShape([B, T, D])}${B > 1 ? `, batch ${batch},` : ""} split into ${many(H, "head")} of ${many(d, "column")}:`,
    `head 0 holds ${range("column", 0, d)}${H > 1 ? `, head 1 ${range("column", d, 2 * d)}` : ""}${H > 2 ? ", and so on" : ""}.`,
    ...(wrong ? [`Below, a reshape without the transpose. ${sentences[1]}`] : []),
    ...(leftOut === "" ? [] : [`Left out: ${leftOut}.`]),
  ].join(" ");
  const right = blockLeft(heads - 1) + blockWidth + 20;
  return sheet.toFigure(Math.max(480, right, wordsRoom(title, sentences)), bottom + 20, alt, {
    coloraxis: coloraxis(underNumbers),
    dataInJson: wrong && !explained ? sheet.data.map(withoutHover) : undefined,
  });
}

/** How heads are named above blocks that follow each other every `step` pixels: in full, by number, or only some of them. */
function platesOf(heads: number, step: number): { name: (head: number) => string; size: number; every: number } {
  const fits = (name: string, size: number, every: number): boolean => textWidth(name, size) + 6 <= step * every;
  if (fits(`head ${heads - 1}`, 12, 1)) return { name: (head) => `head ${head}`, size: 12, every: 1 };
  const size = heads > 16 ? 10 : 12;
  return { name: String, size, every: [1, 2, 5].find((every) => fits(String(heads - 1), size, every)) ?? 10 };
}

function countMisplaced({ T, H, d }: Sizes, source: (head: number, t: number, j: number) => Place): number {
  let count = 0;
  for (let head = 0; head < H; head++) {
    for (let t = 0; t < T; t++) {
      for (let j = 0; j < d; j++) {
        const { token, column } = source(head, t, j);
        count += Number(token !== t || column !== head * d + j);
      }
    }
  }
  return count;
}
