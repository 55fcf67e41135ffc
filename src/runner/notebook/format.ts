/**
 * What the runner knows of the notebook format, nbformat 4 (https://nbformat.readthedocs.io).
 *
 * Only the fields that the runner reads or writes are named; every other field is kept as it came.
 */

/** Any JSON value. */
export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Text as the file holds it: whole, or as a list of lines that keep their ends. */
export type MultilineText = string | string[];

/** MIME type to data. */
export type Bundle = Record<string, Json>;

export interface StreamOutput {
  output_type: "stream";
  name: string;
  text: MultilineText;
}

export interface DisplayOutput {
  output_type: "display_data";
  data: Bundle;
  metadata: Record<string, Json>;
}

/** What tslab does not send but a file may hold: `execute_result` and `error`. */
export interface OtherOutput {
  output_type: "execute_result" | "error";
  data?: Bundle;
  [key: string]: unknown;
}

export type Output = StreamOutput | DisplayOutput | OtherOutput;

export interface Cell {
  cell_type: string;
  id?: string;
  source: MultilineText;
  metadata: { tags?: string[]; [key: string]: unknown };
  outputs?: Output[];
  execution_count?: number | null;
  attachments?: Record<string, Bundle>;
}

export interface CodeCell extends Cell {
  cell_type: "code";
  outputs: Output[];
  execution_count: number | null;
}

export interface Notebook {
  nbformat: number;
  nbformat_minor: number;
  metadata: {
    kernelspec?: { name?: string; display_name?: string; language?: string };
    language_info?: { name?: string; [key: string]: unknown };
    [key: string]: unknown;
  };
  cells: Cell[];
}

/** @returns whether the cell is one that can be executed */
export function isCode(cell: Cell): cell is CodeCell {
  return cell.cell_type === "code";
}

/** @returns whether the kernel is asked to execute the cell: code that is not blank */
export function isExecuted(cell: Cell): cell is CodeCell {
  return isCode(cell) && textOf(cell.source).trim() !== "";
}

/** @returns whether the cell carries the tag */
export function hasTag(cell: Cell, tag: string): boolean {
  return Array.isArray(cell.metadata.tags) && cell.metadata.tags.includes(tag);
}

/** @returns the text as one string */
export function textOf(text: MultilineText): string {
  return typeof text === "string" ? text : text.join("");
}
