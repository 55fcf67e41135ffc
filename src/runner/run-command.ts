/** `tslab-attention run`: executes notebooks and writes them. */

import { mkdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { Command } from "./command.js";
import { executeNotebook } from "./execute.js";
import { endAllKernels } from "./kernel/kernel.js";
import { listNotebooks } from "./list-notebooks.js";
import { hasTag, isCode, type Notebook, type Output, textOf } from "./notebook/format.js";
import { readNotebook } from "./notebook/read.js";
import { formatNotebook, holds, replaceFile } from "./notebook/write.js";
import { openingLines } from "./opening.js";
import { CannotRun, CellFailed, exitCodes } from "./problem.js";
import { Progress } from "./progress.js";
import { printable } from "./terminal.js";

const usage = `tslab-attention run [options] NOTEBOOK|FOLDER...
  Executes tslab and jslab notebooks in a fresh kernel, from Node alone, and writes
  them with their outputs. A folder stands for the notebooks in it.
  --output-dir DIR   write the executed copies there instead of in place
  --print TAG        print the text outputs of the cells with this tag
  --timeout SECONDS  end a cell that takes longer (default 600)
  Exit code: 0 fine, 1 a cell failed, 2 a run that could not be made`;

interface Options {
  outputDir: string | undefined;
  printTag: string | undefined;
  timeout: number;
  notebooks: string[];
}

/** The command, for the table in main.ts. */
export const runCommand: Command = {
  usage,
  run,
  stop: (code) => {
    endAllKernels();
    process.exit(code);
  },
};

async function run(args: string[]): Promise<number> {
  const options = readOptions(args);
  const progress = new Progress(process.stderr);
  const written: string[] = [];
  const failures: string[] = [];
  const prints: string[] = [];
  for (const path of options.notebooks) {
    try {
      const started = Date.now();
      const file = readNotebook(path);
      const notebook = await executeNotebook(file, {
        folder: resolve(dirname(path)),
        timeout: options.timeout,
        onCell: (number, count, seconds) => progress.cell(path, number, count, seconds),
      });
      written.push(write(path, file.text, notebook, options.outputDir));
      progress.done(path, `done, ${((Date.now() - started) / 1000).toFixed(1)} s`);
      if (options.printTag !== undefined) {
        prints.push(...taggedText(path, notebook, options.printTag));
      }
    } catch (error) {
      if (!(error instanceof CellFailed)) {
        progress.clear();
        throw error;
      }
      progress.done(path, "failed");
      failures.push(error.message);
    }
  }
  for (const text of prints) {
    console.log(text);
  }
  if (failures.length > 0) {
    console.error(failures.join("\n\n"));
    return exitCodes.failed;
  }
  console.log(openingLines(written).join("\n"));
  return exitCodes.fine;
}

function readOptions(args: string[]): Options {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { "output-dir": { type: "string" }, print: { type: "string" }, timeout: { type: "string" } },
    });
    const timeout = Number(values.timeout ?? 600);
    if (!(timeout > 0 && timeout <= 2_000_000)) {
      throw new CannotRun(
        `Cannot run notebooks: --timeout must be seconds above 0 and at most 2000000, got ${values.timeout}`,
      );
    }
    return {
      outputDir: values["output-dir"],
      printTag: values.print,
      timeout,
      notebooks: listNotebooks(positionals),
    };
  } catch (error) {
    throw error instanceof CannotRun ? error : new CannotRun(`Cannot run notebooks: ${(error as Error).message}`);
  }
}

function write(path: string, before: string, notebook: Notebook, outputDir: string | undefined): string {
  const target = outputDir === undefined ? path : join(outputDir, basename(path));
  const text = formatNotebook(notebook);
  try {
    if (outputDir !== undefined) {
      mkdirSync(outputDir, { recursive: true });
    }
    if (!holds(target, text)) {
      if (target === path && !holds(path, before)) {
        throw new Error("it was changed by someone else during the run; run it again");
      }
      replaceFile(target, text);
    }
  } catch (error) {
    throw new CannotRun(`Cannot write ${printable(target)}: ${(error as Error).message}`);
  }
  return target;
}

function taggedText(path: string, notebook: Notebook, tag: string): string[] {
  const texts = notebook.cells
    .filter((cell) => hasTag(cell, tag))
    .filter(isCode)
    .flatMap((cell) => cell.outputs.map(plainText));
  return texts.length === 0 ? [] : [`${printable(path)}\n${printable(texts.join("")).trimEnd()}\n`];
}

function plainText(output: Output): string {
  if (output.output_type === "stream") {
    return textOf(output.text);
  }
  const plain = output.data?.["text/plain"];
  return plain === undefined ? "" : `${textOf(plain as string | string[])}\n`;
}
