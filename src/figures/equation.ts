// Equations of arrays: blocks of numbers with signs between them, each block's name and shape under it.
//
// Every block is two axes of an array. Cells take the colour of the head they belong to, or, for weights, that of their
// value. Numbers are printed where they fit; where they do not, a cell is the darker the larger its number. A block whose
// numbers are not known shows its shape alone.

import { coloraxis, drawCells, numberWidth, table } from "./cells.js";
import { textWidth } from "./labels.js";
import { approximate, brief, exact, rounded } from "./numbers.js";
import { headColor, ink, noNumber, softInk, weightScale } from "./palette.js";
import { headShades, plainShade, shadeOf } from "./shades.js";
import type { Box, Part, Sheet } from "./sheet.js";

/** Two axes of an array. */
export interface Block {
  /** What is written under the block, in two lines. */
  readonly name: string;
  readonly shape: string;
  readonly rows: number;
  readonly columns: number;
  /** The number of a cell; without it the block is empty. */
  readonly value?: ((row: number, column: number) => number) | undefined;
  /** The head that a cell belongs to. */
  readonly head?: (row: number, column: number) => number | undefined;
  /** The axis along which the heads follow each other, and are named. */
  readonly heads?: "rows" | "columns";
  /** Whether the colour tells the value, from 0 to 1, and not the head. */
  readonly weights?: boolean;
  /** Whether the block is the same in every batch. */
  readonly shared?: boolean;
  /** The head in whose colour the block is framed: the whole block is its own. */
  readonly frame?: number;
  /** The words beside the rows. */
  readonly rowNames?: readonly string[] | undefined;
  /** The words above the columns; their positions where there is no room for words. */
  readonly columnNames?: readonly string[] | undefined;
  /** The name and the place of a cell, for its hover label. */
  readonly place: (row: number, column: number) => string;
}

/** Blocks and the signs between them; `head` is named above. */
export interface Equation {
  readonly head?: number;
  readonly terms: readonly (Block | string)[];
}

/** The size of every cell of a figure. */
export interface CellSize {
  readonly width: number;
  readonly height: number;
  readonly printed: boolean;
}

/** Whether a hover label gives every digit of a number, four, or nothing. */
export type Told = "exactly" | "roughly" | "not";

export const pageWidth = 960;
const space = 12;
const betweenEquations = 20;
const headRoom = 24;
const nameRoom = 40;
/** The names above columns: the height of their line, and of their letters. */
const columnNames = { room: 13, size: 9 };
/** How tall the equations of a figure are at most, with their numbers and without. */
const tallestPrinted = 1000;
const tallest = 760;
/** The smallest cells that all equations share. */
const leastSide = 5;
/** The most cells of a figure that say every digit on hover, and the most that speak at all: of one batch, and of all. */
const mostExact = { shown: 1_500, inMenu: 2_000 };
const mostTold = { shown: 4_400, inMenu: 8_000 };

/** The scales of the cells, for the layout of a figure of these equations. */
export function equationScales(equations: readonly Equation[]): Part {
  const weights = equations.some(({ terms }) => terms.some((term) => isBlock(term) && term.weights === true));
  return {
    coloraxis: headShades,
    ...(weights ? { coloraxis2: coloraxis({ colorscale: weightScale, zmin: 0, zmax: 1 }) } : {}),
  };
}

/** The heads that follow each other along the named axis of a block, with where each begins and ends. */
function headRuns({ heads, head, rows, columns }: Block): { head: number; from: number; to: number }[] {
  const runs: { head: number; from: number; to: number }[] = [];
  const length = heads === "rows" ? rows : columns;
  for (let at = 0; heads !== undefined && at < length; at++) {
    const owner = heads === "rows" ? head?.(at, 0) : head?.(0, at);
    const last = runs.at(-1);
    if (last !== undefined && last.head === owner && last.to === at) last.to++;
    else if (owner !== undefined) runs.push({ head: owner, from: at, to: at + 1 });
  }
  return runs;
}

function isBlock(term: Block | string): term is Block {
  return typeof term !== "string";
}

/** The room to the left of a block, for the names of its rows or of the heads that own them. */
function namesWidth({ rowNames, heads }: Block): number {
  if (heads === "rows") return 54;
  return rowNames === undefined ? 0 : Math.max(...rowNames.map((name) => textWidth(name, 12))) + 8;
}

/** Whether a line above the blocks is needed, for the names of heads. */
function headed({ terms, head }: Equation): boolean {
  return head !== undefined || terms.some((term) => isBlock(term) && term.heads === "columns");
}

/** A block is as wide as its cells or its name, whichever is wider, and the names of its rows before it. */
function termWidth(term: Block | string, cell: number): number {
  if (!isBlock(term)) return textWidth(term, 18) + 4;
  return namesWidth(term) + Math.max(term.columns * cell, textWidth(term.name, 12), textWidth(term.shape, 11));
}

function equationWidth({ terms }: Equation, cell: number): number {
  return terms.reduce((sum, term) => sum + termWidth(term, cell), 0) + space * (terms.length - 1);
}

/** The room above the blocks, for the names of heads and of columns. */
function roomAbove(equation: Equation, cell: number): number {
  const named = equation.terms.some((term) => isBlock(term) && namesOfColumns(term, cell).length > 0);
  return (headed(equation) ? headRoom : 0) + (named ? columnNames.room : 0);
}

/** What stands above the columns of a block: all their words, or all their positions, or nothing, by what has room. */
function namesOfColumns({ columnNames: words = [] }: Block, cell: number): readonly string[] {
  const fit = (names: readonly string[]): boolean => names.every((name) => textWidth(name, columnNames.size) < cell);
  return [words, words.map((_, column) => String(column))].find(fit) ?? [];
}

function equationHeight(equation: Equation, { width, height }: CellSize): number {
  const tallest = Math.max(...equation.terms.filter(isBlock).map(({ rows }) => rows));
  return roomAbove(equation, width) + tallest * height + nameRoom;
}

/** How many cells the blocks of equations have; `counted` says which blocks. */
export function cellCount(equations: readonly Equation[], counted: (block: Block) => boolean = () => true): number {
  const blocks = equations.flatMap(({ terms }) => terms.filter(isBlock)).filter(counted);
  return blocks.reduce((sum, { rows, columns }) => sum + rows * columns, 0);
}

/**
 * The largest cells with which the equations fit the page, all of them if that can be; `numbers` are all that may be printed.
 * A figure with its numbers may be taller.
 */
export function fitCells(equations: readonly Equation[], numbers: readonly Float64Array[]): CellSize {
  const wanted = Math.max(34, 12 + numbers.reduce((most, data) => Math.max(most, numberWidth(data)), 0));
  const fits = (cell: CellSize, tallest: number): boolean =>
    equations.every((equation) => equationWidth(equation, cell.width) <= pageWidth - 32) &&
    equationsThatFit(equations, cell, tallest) === equations.length;
  for (let width = wanted; width >= wanted - 8; width--) {
    const cell = { width, height: 24, printed: true };
    if (fits(cell, tallestPrinted)) return cell;
  }
  for (let side = 16; side > leastSide; side--) {
    const cell = { width: side, height: side, printed: false };
    if (fits(cell, tallest)) return cell;
  }
  // Not all of them fit: as many as do, each as large as the page is wide.
  let side = 16;
  while (side > 3 && equations.some((equation) => equationWidth(equation, side) > pageWidth - 32)) side--;
  return { width: side, height: side, printed: false };
}

/** The upper left corners of equations in the order of reading, as many to a line as fit. */
function placeEquations(
  equations: readonly Equation[],
  cell: CellSize,
): { left: number; top: number; width: number }[] {
  const height = Math.max(...equations.map((equation) => equationHeight(equation, cell)));
  let [left, top] = [16, 0];
  return equations.map((equation) => {
    const width = equationWidth(equation, cell.width);
    if (left > 16 && left + width > pageWidth - 16) [left, top] = [16, top + height + 12];
    const place = { left, top, width };
    left += width + betweenEquations;
    return place;
  });
}

/** How far to the right equations reach. */
export function equationsReach(equations: readonly Equation[], cell: CellSize): number {
  return Math.max(...placeEquations(equations, cell).map(({ left, width }) => left + width));
}

/** Draws equations from `top` on and says where they end. */
export function drawEquations(
  sheet: Sheet,
  equations: readonly Equation[],
  top: number,
  cell: CellSize,
  told: Told,
): { readonly bottom: number } {
  const ends = placeEquations(equations, cell).map((place, at) => {
    const height = equationHeight(equations[at], cell);
    drawEquation(
      sheet,
      equations[at],
      { left: place.left, top: top + place.top, width: place.width, height },
      cell,
      told,
    );
    return top + place.top + height;
  });
  return { bottom: Math.max(...ends) };
}

/** How many of `equations` fit a figure. */
export function equationsThatFit(equations: readonly Equation[], cell: CellSize, height: number = tallest): number {
  const perLine = Math.max(
    1,
    Math.floor((pageWidth - 32 + betweenEquations) / (equationWidth(equations[0], cell.width) + betweenEquations)),
  );
  const lines = Math.max(1, Math.floor((height + 12) / (equationHeight(equations[0], cell) + 12)));
  return Math.min(equations.length, perLine * lines);
}

/** What hover labels say where so many cells are shown, in so many batches. */
export function toldOf(cells: number, batches: number): Told {
  const within = (most: { readonly shown: number; readonly inMenu: number }): boolean =>
    cells <= most.shown && cells * batches <= most.inMenu;
  return within(mostExact) ? "exactly" : within(mostTold) ? "roughly" : "not";
}

function drawEquation(sheet: Sheet, equation: Equation, box: Box, cell: CellSize, told: Told): void {
  const { terms, head } = equation;
  if (head !== undefined) sheet.write(`head ${head}`, box.left, box.top, { valign: "top", plate: headColor(head) });
  const tallest = Math.max(...terms.filter(isBlock).map(({ rows }) => rows)) * cell.height;
  const middle = box.top + roomAbove(equation, cell.width) + tallest / 2;
  let left = box.left;
  for (const term of terms) {
    const width = termWidth(term, cell.width);
    if (isBlock(term)) {
      const names = namesWidth(term);
      const start = left + names + Math.max(0, (width - names - term.columns * cell.width) / 2);
      drawBlock(sheet, term, Math.round(start), Math.round(middle - (term.rows * cell.height) / 2), cell, told);
    } else {
      sheet.write(term, left + width / 2, middle, { size: 18, align: "center" });
    }
    left += width + space;
  }
}

function drawBlock(sheet: Sheet, block: Block, left: number, top: number, cell: CellSize, told: Told): void {
  const { rows, columns, value, place, frame, rowNames } = block;
  const head = block.head ?? (() => frame);
  const farthest = value === undefined ? 0 : farthestFromZero(rows, columns, value);
  const shade = (row: number, column: number): number =>
    value === undefined || cell.printed
      ? plainShade(head(row, column))
      : shadeOf(value(row, column), farthest, head(row, column));
  const box = drawCells(sheet, {
    left,
    top,
    cellWidth: cell.width,
    cellHeight: cell.height,
    colors: table(rows, columns, (row, column) => {
      if (block.weights === true && value !== undefined) return rounded(value(row, column), 4);
      return shade(row, column);
    }),
    scale: { coloraxis: block.weights === true ? "coloraxis2" : "coloraxis" },
    text:
      value !== undefined && cell.printed
        ? table(rows, columns, (row, column) => brief(value(row, column)))
        : undefined,
    ...(block.weights === true ? {} : { textColor: ink }),
    hover:
      value && told !== "not"
        ? table(rows, columns, (row, column) => {
            if (told === "roughly") return `${place(row, column)}<br>${approximate(value(row, column))}`;
            const owner = head(row, column);
            return `${place(row, column)}<br>${exact(value(row, column))}${owner === undefined ? "" : `<br>head ${owner}`}`;
          })
        : undefined,
  });
  if (block.weights === true) sheet.box(box, { fill: noNumber });
  if (frame !== undefined) sheet.box(box, { line: headColor(frame), width: 2, over: true });
  if (rowNames !== undefined && cell.height >= 12) {
    rowNames.forEach((name, row) => {
      sheet.write(name, left - 6, top + (row + 0.5) * cell.height, { align: "right" });
    });
  }
  namesOfColumns(block, cell.width).forEach((name, column) => {
    const style = { size: columnNames.size, color: softInk, align: "center", valign: "bottom" } as const;
    sheet.write(name, left + (column + 0.5) * cell.width, top - 2, style);
  });
  nameHeads(sheet, block, box, cell);
  const middle = left + box.width / 2;
  sheet.write(block.name, middle, top + box.height + 6, { align: "center", valign: "top" });
  sheet.write(block.shape, middle, top + box.height + 22, {
    size: 11,
    color: softInk,
    align: "center",
    valign: "top",
  });
}

/** The names of the heads above their columns or to the left of their rows: their numbers, or nothing, where there is no room. */
function nameHeads(sheet: Sheet, block: Block, { left, top }: Box, { width, height }: CellSize): void {
  const runs = headRuns(block);
  if (block.heads === "rows") {
    if (runs.some(({ from, to }) => (to - from) * height < 18)) return;
    for (const { head, from, to } of runs) {
      const middle = top + ((from + to) / 2) * height;
      sheet.write(`head ${head}`, left - 4, middle, { size: 11, align: "right", plate: headColor(head) });
    }
    return;
  }
  const fits = (name: (head: number) => string): boolean =>
    runs.every(({ head, from, to }) => textWidth(name(head), 11) + 4 <= (to - from) * width + 4);
  const name = [(head: number): string => `head ${head}`, (head: number): string => String(head)].find(fits);
  if (name === undefined) return;
  for (const { head, from } of runs) {
    const style = { size: 11, valign: "bottom", plate: headColor(head) } as const;
    sheet.write(name(head), left + from * width + 2, top - 4, style);
  }
}

function farthestFromZero(rows: number, columns: number, value: (row: number, column: number) => number): number {
  const sizes = table(rows, columns, (row, column) => Math.abs(value(row, column))).flat();
  return sizes.reduce((most, size) => (size > most && size < Number.POSITIVE_INFINITY ? size : most), 0);
}
