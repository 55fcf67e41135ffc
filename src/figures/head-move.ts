// One of the two moves that splitHeads is made of, as before and after: the reshape from (B, T, D) to (B, T, H, d), or the
// transpose from there to (B, H, T, d). Every number keeps the colour of its head, so the eye sees what a move moves.

import type { NDArray } from "../array/ndarray.js";
import { showShape } from "../array/shape.js";
import type { Figure } from "../display/figure.js";
import { coloraxis, drawCells, numberWidth, palette } from "./cells.js";
import { escapeText, shorten, textWidth, visible } from "./labels.js";
import { brief, exact } from "./numbers.js";
import { headColor, headColors, ink, softInk, tint } from "./palette.js";
import { Sheet, titleRoom } from "./sheet.js";
import { range } from "./words.js";

/** The two moves of splitHeads, in their order. */
export type Move = "reshape" | "transpose";

const most = { tokens: 16, heads: 8, width: 16 };
/** So many tokens are always shown; more where the figure stays this low and has no more cells than this before the move. */
const always = { tokens: 8, height: 900, cells: 576 };
const pageWidth = 960;
/** Between a block and the next. */
const between = 20;
/** The most lines of blocks with their numbers. */
const mostLines = 3;
const underNumbers = palette(headColors.map((color) => tint(color, 0.5)));

/** A block of numbers with a name; `place` says which token and column of x a cell holds. */
interface Block {
  readonly name: string;
  readonly plate?: string;
  readonly rows: readonly string[];
  readonly columns: number;
  readonly place: (row: number, column: number) => { readonly token: number; readonly column: number };
}

/** x (B, T, D) of which batch `batch` is shown, before and after `move`. */
export function drawMove(x: NDArray, H: number, batch: number, tokens: readonly string[], move: Move): Figure {
  const draw = (count: number): Drawn => drawTokens(x, H, batch, tokens, move, count);
  let count = Math.min(tokens.length, most.tokens);
  let drawn = draw(count);
  while (count > always.tokens && (drawn.height > always.height || drawn.cells > always.cells)) drawn = draw(--count);
  return drawn.sheet.toFigure(drawn.width, drawn.height, drawn.alt, { coloraxis: coloraxis(underNumbers) });
}

/** Both stages of a move, of so many tokens. */
interface Drawn {
  readonly sheet: Sheet;
  readonly width: number;
  readonly height: number;
  readonly cells: number;
  readonly alt: string;
}

function drawTokens(x: NDArray, H: number, batch: number, tokens: readonly string[], move: Move, count: number): Drawn {
  const [B, T, D] = x.shape;
  const d = D / H;
  const shown = { T: count, H: Math.min(H, most.heads), d: Math.min(d, most.width) };
  const names = tokens
    .slice(0, shown.T)
    .map((token, t) => (token === String(t) ? `t=${t}` : shorten(visible(token), 9)));
  const heads = Array.from({ length: shown.H }, (_, h) => `head ${h}`);

  const whole: Block = {
    name: "",
    rows: names,
    columns: shown.H * shown.d,
    place: (token, c) => ({ token, column: Math.floor(c / shown.d) * d + (c % shown.d) }),
  };
  const byToken = names.map(
    (name, token): Block => ({
      name,
      rows: heads,
      columns: shown.d,
      place: (h, j) => ({ token, column: h * d + j }),
    }),
  );
  const byHead = heads.map(
    (name, h): Block => ({
      name,
      plate: headColor(h),
      rows: names,
      columns: shown.d,
      place: (token, j) => ({ token, column: h * d + j }),
    }),
  );
  const stages = {
    x: { title: "x", axes: "(B, T, D)", shape: [B, T, D], blocks: [whole] },
    byToken: { title: "a block for each token", axes: "(B, T, H, d)", shape: [B, T, H, d], blocks: byToken },
    byHead: { title: "a block for each head", axes: "(B, H, T, d)", shape: [B, H, T, d], blocks: byHead },
  };
  const [before, after] = move === "reshape" ? [stages.x, stages.byToken] : [stages.byToken, stages.byHead];

  const left = Math.max(76, 24 + Math.max(...names.map((name) => textWidth(name, 12))));
  const widest = numberWidth(x.at(batch).data);
  const columns = Math.max(before.blocks[0].columns, after.blocks[0].columns);
  const room = Math.floor((pageWidth - left) / columns);
  const wide = Math.min(Math.max(24, widest + 12), room);
  // Numbers are printed while the blocks do not make a tower of them; else a cell is its colour.
  const tower = (cell: number): boolean =>
    [before, after].some(({ blocks }) => linesOf(blocks, cell, left) > mostLines);
  const printed = wide >= widest + 6 && !tower(wide);
  let cell = printed ? wide : Math.min(16, room);
  while (!printed && cell > 6 && tower(cell)) cell--;
  const look = { left, cell, height: printed ? 26 : 16, printed };
  const sheet = new Sheet();
  let right = 480;
  let bottom = 12;
  for (const [stage, call] of [
    [before, ""],
    [after, move === "reshape" ? `.reshape${showShape([B, T, H, d])}: ` : ".transpose(0, 2, 1, 3): "],
  ] as const) {
    const title = `${call}${stage.title}`;
    sheet.write(title, 16, bottom + 14, { size: 16 });
    sheet.write(`${stage.axes} = ${showShape(stage.shape)}${B > 1 ? `, batch ${batch}` : ""}`, 16, bottom + 38, {
      color: softInk,
    });
    const end = drawBlocks(sheet, stage.blocks, bottom + 60, look, { x, batch, d });
    bottom = end.bottom + 22;
    right = Math.max(right, end.right + 20, titleRoom(title));
  }

  const leftOut = [
    ...(shown.H < H ? [range("head", shown.H, H)] : []),
    ...(shown.d < d ? [`columns from ${shown.d} on in each head`] : []),
    ...(shown.T < T ? [range("token", shown.T, T)] : []),
  ].join(", ");
  if (leftOut !== "") {
    sheet.write(`Left out: ${leftOut}.`, 16, bottom, { color: softInk });
    bottom += 20;
  }
  const said =
    move === "reshape"
      ? "The reshape cuts each token's row into one piece a head; the order of reading stays."
      : "The transpose gathers each head's pieces of all tokens; every block then has one colour.";
  const alt = `From ${before.axes} = ${showShape(before.shape)} to ${after.axes} = ${showShape(after.shape)}. ${said}${leftOut === "" ? "" : ` Left out: ${leftOut}.`}`;
  return { sheet, width: right, height: bottom, cells: shown.T * shown.H * shown.d, alt };
}

function drawBlocks(
  sheet: Sheet,
  blocks: readonly Block[],
  top: number,
  { left, cell, height: cellHeight, printed }: { left: number; cell: number; height: number; printed: boolean },
  { x, batch, d }: { x: NDArray; batch: number; d: number },
): { right: number; bottom: number } {
  const height = blocks[0].rows.length * cellHeight;
  const named = blocks[0].name === "" ? 0 : 26;
  const step = stepOf(blocks, cell);
  const perLine = blocksPerLine(blocks, cell, left);
  blocks.forEach((block, k) => {
    const at = {
      left: left + (k % perLine) * step,
      top: top + Math.floor(k / perLine) * (height + named + 14) + named,
    };
    const places = block.rows.map((_, r) => Array.from({ length: block.columns }, (_, c) => block.place(r, c)));
    const value = (token: number, column: number): number => x.get(batch, token, column);
    const box = drawCells(sheet, {
      ...at,
      cellWidth: cell,
      cellHeight,
      colors: places.map((row) => row.map(({ column }) => Math.floor(column / d) % headColors.length)),
      scale: { coloraxis: "coloraxis" },
      text: printed ? places.map((row) => row.map(({ token, column }) => brief(value(token, column)))) : undefined,
      textColor: ink,
      hover: places.map((row) =>
        row.map(
          ({ token, column }) =>
            `x[${batch}, ${token}, ${column}] = ${exact(value(token, column))}<br>of head ${Math.floor(column / d)}`,
        ),
      ),
    });
    sheet.box(box, { line: block.plate ?? softInk, width: block.plate === undefined ? 1 : 2, over: true });
    if (block.name !== "") {
      sheet.write(escapeText(block.name), box.left - 1, at.top - 3, {
        valign: "bottom",
        ...(block.plate === undefined ? {} : { plate: block.plate }),
      });
    }
    if (k % perLine === 0) {
      block.rows.forEach((row, r) => {
        sheet.write(escapeText(row), left - 8, at.top + (r + 0.5) * cellHeight, { align: "right" });
      });
    }
  });
  const lines = Math.ceil(blocks.length / perLine);
  return {
    right: left + Math.min(blocks.length, perLine) * step - between,
    bottom: top + lines * (height + named + 14) - 14,
  };
}

/** From the left of one block to that of the next. */
function stepOf(blocks: readonly Block[], cell: number): number {
  return Math.max(blocks[0].columns * cell, textWidth(longest(blocks.map(({ name }) => name)), 12) + 10) + between;
}

function blocksPerLine(blocks: readonly Block[], cell: number, left: number): number {
  return Math.max(1, Math.floor((pageWidth - left + between) / stepOf(blocks, cell)));
}

function linesOf(blocks: readonly Block[], cell: number, left: number): number {
  return Math.ceil(blocks.length / blocksPerLine(blocks, cell, left));
}

function longest(texts: readonly string[]): string {
  return texts.reduce((a, b) => (textWidth(b, 12) > textWidth(a, 12) ? b : a));
}
