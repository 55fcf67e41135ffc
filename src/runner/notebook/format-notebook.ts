/**
 * A notebook → the bytes that Jupyter itself would write.
 *
 * Follows nbformat's writer (nbformat/v4/nbjson.py and rwbase.py): one space of indentation, sorted keys, text as lists
 * of lines, non-ASCII letters as they are, numbers as Python prints them, a line end last. Saving the file again in
 * Jupyter changes nothing.
 */

import { type Bundle, type Cell, isCode, type MultilineText, type Notebook, type Output, textOf } from "./format.js";

/**
 * The text of a notebook file.
 *
 * @param notebook any notebook of format 4
 * @returns JSON as nbformat writes it, with a line end last
 */
export function formatNotebook(notebook: Notebook): string {
  return `${toJson({ ...notebook, cells: notebook.cells.map(splitCell) }, "\n")}\n`;
}

function splitCell(cell: Cell): Cell {
  const split: Cell = { ...cell, source: splitLines(cell.source) };
  if (cell.attachments) {
    split.attachments = Object.fromEntries(
      Object.entries(cell.attachments).map(([name, bundle]) => [name, splitBundle(bundle)]),
    );
  }
  if (isCode(cell)) {
    split.outputs = cell.outputs.map(splitOutput);
  }
  return split;
}

function splitOutput(output: Output): Output {
  if (output.output_type === "stream") {
    return { ...output, text: splitLines(output.text) };
  }
  return output.data ? ({ ...output, data: splitBundle(output.data) } as Output) : output;
}

function splitBundle(bundle: Bundle): Bundle {
  return Object.fromEntries(
    Object.entries(bundle).map(([type, data]) => [type, isTextType(type) && isText(data) ? splitLines(data) : data]),
  );
}

function isTextType(type: string): boolean {
  return type.startsWith("text/") || type === "application/javascript" || type === "image/svg+xml";
}

function isText(data: unknown): data is MultilineText {
  return typeof data === "string" || (Array.isArray(data) && data.every((line) => typeof line === "string"));
}

// Where Python's str.splitlines ends a line: more places than "\n".
// biome-ignore lint/suspicious/noControlCharactersInRegex: Python ends lines at some of them
const line = /[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]*(?:\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])|.+$/gsu;

function splitLines(text: MultilineText): string[] {
  return textOf(text).match(line) ?? [];
}

function toJson(value: unknown, lineEnd: string): string {
  if (typeof value === "number") {
    return formatNumber(value);
  }
  if (typeof value !== "object" || value === null) {
    return JSON.stringify(value);
  }
  const inner = `${lineEnd} `;
  if (Array.isArray(value)) {
    return value.length === 0
      ? "[]"
      : `[${inner}${value.map((item) => toJson(item, inner)).join(`,${inner}`)}${lineEnd}]`;
  }
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => `${JSON.stringify(key)}: ${toJson(item, inner)}`);
  return entries.length === 0 ? "{}" : `{${inner}${entries.join(`,${inner}`)}${lineEnd}}`;
}

/** Python writes 0.00001 as 1e-05; every other number that JSON can hold looks the same in both languages. */
function formatNumber(value: number): string {
  const size = Math.abs(value);
  return size > 0 && size < 1e-4 ? value.toExponential().replace(/e-(\d)$/, "e-0$1") : JSON.stringify(value);
}
