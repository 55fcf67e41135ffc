/**
 * A file on disk → a notebook that a tslab or jslab kernel can run, or a message that says why not.
 */

import { readFileSync } from "node:fs";
import { CannotRun } from "../problem.js";
import { printable } from "../terminal.js";
import { type Cell, isCode, type Notebook } from "./format.js";

/** The kernels that the runner starts: TypeScript and its JavaScript twin. */
export type KernelName = "tslab" | "jslab";

/** A notebook as read. */
export interface NotebookFile {
  /** The path as the user gave it. */
  path: string;
  /** The file's text. */
  text: string;
  notebook: Notebook;
  kernel: KernelName;
}

/**
 * The notebook that a file holds.
 *
 * @param path the notebook's path
 * @returns the parsed notebook, its text and the kernel it asks for
 * @throws CannotRun if the file is missing, unreadable, not JSON, not a notebook of format 4, or made for another kernel
 */
export function readNotebook(path: string): NotebookFile {
  const text = readText(path);
  const notebook = parse(path, text);
  return { path, text, notebook, kernel: kernelOf(path, notebook) };
}

const reasons: Record<string, string> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  ERR_ENCODING_INVALID_ENCODED_DATA: "the file must be text in UTF-8",
};

function readText(path: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(path));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw refusal(path, reasons[code ?? ""] ?? (error as Error).message);
  }
}

function parse(path: string, text: string): Notebook {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw refusal(path, `the file must hold JSON (${(error as Error).message})`);
  }
  if (!isRecord(value) || !Array.isArray(value.cells) || typeof value.nbformat !== "number") {
    const old = isRecord(value) && typeof value.nbformat === "number" ? ` (its nbformat is ${value.nbformat})` : "";
    throw refusal(path, `the file must be a Jupyter notebook of format 4${old}`);
  }
  if (value.nbformat !== 4) {
    throw refusal(path, `the notebook must be of format 4, got ${value.nbformat}`);
  }
  if (!isRecord(value.metadata)) {
    throw refusal(path, "the notebook must have metadata");
  }
  value.cells.forEach((cell: unknown, index) => {
    const problem = problemWith(cell);
    if (problem) {
      throw refusal(path, `${problem} in cell at position ${index + 1}`);
    }
  });
  return value as unknown as Notebook;
}

function problemWith(cell: unknown): string | undefined {
  if (!isRecord(cell) || typeof cell.cell_type !== "string" || !isRecord(cell.metadata)) {
    return "cell_type or metadata missing";
  }
  if (!isText(cell.source)) {
    return "source missing";
  }
  if (isCode(cell as unknown as Cell) && !(Array.isArray(cell.outputs) && cell.outputs.every(isOutput))) {
    return "outputs missing or malformed";
  }
  return undefined;
}

function isOutput(output: unknown): boolean {
  if (!isRecord(output)) {
    return false;
  }
  switch (output.output_type) {
    case "stream":
      return typeof output.name === "string" && isText(output.text);
    case "display_data":
    case "execute_result":
      return isRecord(output.data);
    default:
      return typeof output.output_type === "string";
  }
}

function kernelOf(path: string, notebook: Notebook): KernelName {
  const { kernelspec, language_info: language } = notebook.metadata;
  if (kernelspec?.name === "tslab" || kernelspec?.name === "jslab") {
    return kernelspec.name;
  }
  if (!kernelspec?.name && language?.name === "typescript") {
    return "tslab";
  }
  const made = kernelspec?.name || language?.name;
  throw refusal(
    path,
    made === undefined
      ? "the notebook must name its kernel, tslab or jslab, in metadata.kernelspec; it names none"
      : `the notebook must be made for the kernel tslab or jslab, got ${JSON.stringify(made)}`,
  );
}

function refusal(path: string, reason: string): CannotRun {
  return new CannotRun(`Cannot run ${printable(path)}: ${printable(reason)}`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): boolean {
  return typeof value === "string" || (Array.isArray(value) && value.every((line) => typeof line === "string"));
}
