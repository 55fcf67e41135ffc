/** A notebook → the same notebook executed in a fresh kernel, up to the first cell that fails. */

import { findTslab } from "./kernel/find-tslab.js";
import { Kernel, type Outcome } from "./kernel/kernel.js";
import {
  type Cell,
  type CodeCell,
  hasTag,
  isCode,
  isExecuted,
  type Notebook,
  type Output,
  textOf,
} from "./notebook/format.js";
import { CellOutputs, type Displays } from "./notebook/outputs.js";
import type { NotebookFile } from "./notebook/read.js";
import { printable } from "./terminal.js";

/** How to execute a notebook. */
export interface ExecuteOptions {
  /** The absolute path of the folder that the cells run in. */
  folder: string;
  /** How many seconds one cell may take. */
  timeout: number;
  /** Called when a cell starts: its number, how many there are, and the seconds since the notebook's start. */
  onCell?: (number: number, count: number, seconds: number) => void;
}

/** One cell as executed. */
export interface ExecutedCell {
  /** The cell's number as Jupyter shows it: code cells counted from 1, blank ones left out. */
  number: number;
  /** The cell as the file holds it. */
  committed: CodeCell;
  /** The cell with the outputs of this execution. */
  executed: CodeCell;
  seconds: number;
  /** Why the cell failed, in some lines; undefined if it did not. */
  failure: string | undefined;
}

/** Cells with this tag may end with an error, as in Jupyter's own tools: a lesson may show one. */
const raisesTag = "raises-exception";

/** A notebook as executed. */
export interface Execution {
  /** The executed notebook: execution counts 1 to n, outputs, the kernel's language information. */
  notebook: Notebook;
  /** The cells that were executed; if one failed, it is the last. */
  cells: ExecutedCell[];
}

/**
 * Executes a notebook.
 *
 * Cells run in order, in one kernel that no one else uses; blank cells are skipped, as Jupyter does. Ids, metadata and
 * all other cells are kept.
 *
 * @param file the notebook, which is left as it is
 * @param options where and for how long
 * @returns the notebook with the outputs that its code gives today
 * @throws CannotRun if there is no kernel to run it
 */
export async function executeNotebook(file: NotebookFile, options: ExecuteOptions): Promise<Execution> {
  const started = Date.now();
  const kernel = await Kernel.start(findTslab(options.folder), file.kernel, options.folder, options.timeout);
  try {
    const count = file.notebook.cells.filter(isExecuted).length;
    const displays: Displays = new Map();
    const runs: { cell: ExecutedCell; outputs: CellOutputs }[] = [];
    for (const committed of file.notebook.cells.filter(isExecuted)) {
      const number = runs.length + 1;
      const start = Date.now();
      options.onCell?.(number, count, (start - started) / 1000);
      const outputs = new CellOutputs(displays);
      const source = textOf(committed.source);
      const outcome = await kernel.execute(source, options.timeout, (message) => outputs.add(message));
      const mayFail = outcome.status === "error" && hasTag(committed, raisesTag);
      const failure = mayFail ? undefined : describeFailure(outcome, outputs, options.timeout);
      const executed: CodeCell = { ...committed, execution_count: number, outputs: [] };
      runs.push({ cell: { number, committed, executed, seconds: (Date.now() - start) / 1000, failure }, outputs });
      if (failure !== undefined) {
        break;
      }
    }
    // A later cell may update an earlier one's display, so outputs are taken last.
    for (const { cell, outputs } of runs) {
      cell.executed.outputs = outputs.outputs;
    }
    const cells = runs.map(({ cell }) => cell);
    return { cells, notebook: withCells(file.notebook, cells, kernel.languageInfo) };
  } finally {
    await kernel.stop();
  }
}

function withCells(notebook: Notebook, cells: ExecutedCell[], languageInfo: Record<string, unknown>): Notebook {
  const executed = new Map<Cell, CodeCell>(cells.map((cell) => [cell.committed, cell.executed]));
  return {
    ...notebook,
    metadata: { ...notebook.metadata, language_info: languageInfo },
    cells: notebook.cells.map(
      (cell) => executed.get(cell) ?? (isBlank(cell) ? { ...cell, execution_count: null, outputs: [] } : cell),
    ),
  };
}

function isBlank(cell: Cell): boolean {
  return isCode(cell) && !isExecuted(cell);
}

const shownLines = 30;

// A stack frame of the kernel, of Node, or of the wrapper around the cell: no part of the notebook.
const kernelFrame = /^\s+at .*(?:[\\/]tslab[\\/]dist[\\/]|[\\/]commander[\\/]lib[\\/]|\(node:|at node:)/;

function describeFailure(outcome: Outcome, outputs: CellOutputs, timeout: number): string | undefined {
  switch (outcome.status) {
    case "ok":
      return undefined;
    case "error":
      return withWords("an error ended it", errorText(outputs.outputs));
    case "abort":
      return "the kernel aborted it";
    case "uncaught":
      return withWords("an error that nothing caught", errorText(outputs.outputs) || outcome.error);
    case "timeout":
      return withWords(`it took longer than ${timeout} s and was ended`, errorText(outputs.outputs));
    case "died":
      return withWords(`the kernel ${outcome.how}`, errorText(outputs.outputs), outcome.lastWords);
  }
}

/** What the cell wrote to stderr, which is where tslab prints errors. */
function errorText(outputs: Output[]): string {
  return outputs
    .map((output) => (output.output_type === "stream" && output.name === "stderr" ? textOf(output.text) : ""))
    .join("");
}

function withWords(what: string, ...words: string[]): string {
  const lines = printable(words.filter(Boolean).join("\n"))
    .trimEnd()
    .split("\n")
    .filter((line) => !kernelFrame.test(line));
  const shown = lines.length > shownLines ? [...lines.slice(0, shownLines), "..."] : lines;
  return [what, ...shown].join("\n").trimEnd();
}
