/** A notebook → the same notebook executed in a fresh kernel, or the failure of one of its cells. */

import { findTslab } from "./kernel/find-tslab.js";
import { Kernel, type Outcome } from "./kernel/kernel.js";
import { type Cell, isCode, isExecuted, type Notebook, textOf } from "./notebook/format.js";
import { CellOutputs, type Displays } from "./notebook/outputs.js";
import type { NotebookFile } from "./notebook/read.js";
import { CellFailed } from "./problem.js";
import { firstLine, printable } from "./terminal.js";

/** How to execute a notebook. */
export interface ExecuteOptions {
  /** The absolute path of the folder that the cells run in. */
  folder: string;
  /** How many seconds one cell may take. */
  timeout: number;
  /** Called when a cell starts: its number, how many there are, and the seconds since the notebook's start. */
  onCell?: (number: number, count: number, seconds: number) => void;
}

/**
 * The notebook with the outputs that its code gives today.
 *
 * Cells run in order, in one kernel that no one else uses; blank cells are skipped, as Jupyter does. Ids, metadata and
 * all other cells are kept.
 *
 * @param file the notebook, which is left as it is
 * @param options where and for how long
 * @returns the executed notebook: execution counts 1 to n, outputs, the kernel's language information
 * @throws CellFailed if a cell fails, is aborted, takes too long, or its kernel ends
 * @throws CannotRun if there is no kernel to run it
 */
export async function executeNotebook(file: NotebookFile, options: ExecuteOptions): Promise<Notebook> {
  const started = Date.now();
  const kernel = await Kernel.start(findTslab(options.folder), file.kernel, options.folder);
  try {
    const { cells } = file.notebook;
    const count = cells.filter(isExecuted).length;
    const displays: Displays = new Map();
    const executed: Cell[] = [];
    const collected = new Map<Cell, CellOutputs>();
    let number = 0;
    for (const cell of cells) {
      if (!isExecuted(cell)) {
        executed.push(isCode(cell) ? { ...cell, execution_count: null, outputs: [] } : cell);
        continue;
      }
      number++;
      options.onCell?.(number, count, (Date.now() - started) / 1000);
      const source = textOf(cell.source);
      const outputs = new CellOutputs(displays);
      const outcome = await kernel.execute(source, options.timeout, (message) => outputs.add(message));
      if (outcome.status !== "ok") {
        throw new CellFailed(describe(file.path, number, source, outcome, outputs, options.timeout));
      }
      const done = { ...cell, execution_count: number };
      collected.set(done, outputs);
      executed.push(done);
    }
    for (const [cell, outputs] of collected) {
      cell.outputs = outputs.finish();
    }
    return {
      ...file.notebook,
      metadata: { ...file.notebook.metadata, language_info: kernel.languageInfo },
      cells: executed,
    };
  } finally {
    await kernel.stop();
  }
}

const shownLines = 30;

// A stack frame of the kernel, of Node, or of the wrapper around the cell: no part of the notebook.
const kernelFrame = /^\s+at .*(?:[\\/]tslab[\\/]dist[\\/]|[\\/]commander[\\/]lib[\\/]|\(node:|at node:)/;

function describe(
  path: string,
  number: number,
  source: string,
  outcome: Outcome,
  outputs: CellOutputs,
  timeout: number,
): string {
  const what = {
    ok: "",
    error: "failed",
    abort: "was aborted by the kernel",
    uncaught: "failed with an error that nothing caught",
    timeout: `took longer than ${timeout} s and was ended`,
    died: outcome.status === "died" ? `failed: the kernel ${outcome.how}` : "",
  }[outcome.status];
  const words = outputs.lastErrorText || (outcome.status === "uncaught" ? outcome.error : "");
  const lastWords = outcome.status === "died" ? outcome.lastWords : "";
  const lines = printable([words, lastWords].filter(Boolean).join("\n"))
    .trimEnd()
    .split("\n")
    .filter((line) => !kernelFrame.test(line));
  const shown = lines.length > shownLines ? [...lines.slice(0, shownLines), "..."] : lines;
  return [`${printable(path)}: cell ${number} ${what}`, `  ${firstLine(source)}`, ...shown.map((line) => `    ${line}`)]
    .join("\n")
    .trimEnd();
}
