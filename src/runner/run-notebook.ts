/** One notebook of a run: read, executed, then compared or written. */

import { mkdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { compareCell, leftErrors } from "./compare/cell.js";
import { blankCellProblems, executionOrderProblems } from "./compare/execution-order.js";
import { type ExecutedCell, executeNotebook } from "./execute.js";
import { withCellIds } from "./notebook/cell-ids.js";
import { hasTag, isExecuted, type Notebook, type Output, textOf } from "./notebook/format.js";
import { formatNotebook } from "./notebook/format-notebook.js";
import { keepEdited } from "./notebook/keep-edited.js";
import { type NotebookFile, readNotebook } from "./notebook/read.js";
import { holds, replaceFile } from "./notebook/replace-file.js";
import { CannotRun } from "./problem.js";
import type { CellResult, NotebookResult } from "./report/result.js";
import type { RunOptions } from "./run-options.js";
import { firstLine, printable } from "./terminal.js";

/** Cells with this tag are executed and not compared. */
const volatileTag = "volatile";

/**
 * Runs one notebook.
 *
 * @param path the notebook
 * @param options what to do with it
 * @param onCell called when a cell starts, as in executeNotebook
 * @returns what there is to tell of it; a problem is told, not thrown
 */
export async function runNotebook(
  path: string,
  options: RunOptions,
  onCell: (number: number, count: number, seconds: number) => void,
): Promise<NotebookResult> {
  const started = Date.now();
  const result: NotebookResult = {
    path,
    seconds: 0,
    problem: undefined,
    cells: [],
    skipped: 0,
    written: undefined,
    kept: undefined,
    page: undefined,
    print: undefined,
  };
  try {
    const file = readNotebook(path);
    const { notebook, cells } = await executeNotebook(file, {
      folder: resolve(dirname(path)),
      timeout: options.timeout,
      onCell,
    });
    const told = options.check ? [executionOrderProblems(file.notebook), blankCellProblems(file.notebook)] : [];
    result.cells = cells.map((cell) =>
      cellResult(
        cell,
        options.check,
        told.flatMap((problems) => problems.get(cell.number) ?? []),
      ),
    );
    result.skipped = file.notebook.cells.filter(isExecuted).length - cells.length;
    if (cells.every((cell) => cell.failure === undefined)) {
      result.print = options.printTag === undefined ? undefined : taggedText(notebook, options.printTag);
      if (!options.check) {
        Object.assign(result, write(file, notebook, options.outputDir));
      }
      if (options.html) {
        const { writePage } = await import("./page/write-page.js"); // loaded where pages are asked for
        result.page = writePage(path, notebook, options.html.folder, options.html.pages);
      }
    }
  } catch (error) {
    // Whatever else goes wrong with one notebook (no room for temporary files, say) is its own: the others run on.
    result.problem = error instanceof CannotRun ? error.message : printable(`Cannot run ${path}: ${String(error)}`);
  }
  result.seconds = (Date.now() - started) / 1000;
  return result;
}

function cellResult(cell: ExecutedCell, check: boolean, fileProblems: string[]): CellResult {
  const isVolatile = hasTag(cell.committed, volatileTag);
  const problems = [
    ...(cell.failure === undefined ? [] : [cell.failure]),
    ...fileProblems,
    ...(check ? leftErrors(cell.committed) : []),
    ...(check && cell.failure === undefined && !isVolatile ? compareCell(cell.committed, cell.executed) : []),
  ];
  return {
    number: cell.number,
    source: firstLine(textOf(cell.committed.source)),
    seconds: cell.seconds,
    status:
      cell.failure !== undefined ? "failed" : problems.length > 0 ? "different" : isVolatile ? "volatile" : "fine",
    problems,
  };
}

function write(
  file: NotebookFile,
  notebook: Notebook,
  outputDir: string | undefined,
): Pick<NotebookResult, "written" | "kept"> {
  const target = outputDir === undefined ? file.path : join(outputDir, basename(file.path));
  const text = formatNotebook(withCellIds(notebook));
  let kept: string | undefined;
  try {
    if (outputDir !== undefined) {
      mkdirSync(outputDir, { recursive: true });
    }
    if (!holds(target, text)) {
      if (target === file.path && !holds(target, file.text)) {
        throw new Error("it was changed by someone else during the run; run it again");
      }
      kept = target === file.path ? undefined : keepEdited(target, notebook);
      replaceFile(target, text);
    }
  } catch (error) {
    throw new CannotRun(`Cannot write ${printable(target)}: ${printable((error as Error).message)}`);
  }
  return { written: target, kept };
}

function taggedText(notebook: Notebook, tag: string): string {
  return printable(
    notebook.cells
      .filter((cell) => isExecuted(cell) && hasTag(cell, tag))
      .flatMap((cell) => (cell.outputs ?? []).map(plainText))
      .join(""),
  ).trimEnd();
}

function plainText(output: Output): string {
  if (output.output_type === "stream") {
    return textOf(output.text);
  }
  const plain = output.data?.["text/plain"];
  return plain === undefined ? "" : `${textOf(plain as string | string[])}\n`;
}
