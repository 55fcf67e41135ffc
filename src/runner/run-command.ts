/** `tslab-attention run`: executes notebooks side by side and tells of them in order. */

import type { Command } from "./command.js";
import { endAllKernels } from "./kernel/kernel.js";
import { openingLines } from "./opening.js";
import { Progress } from "./progress.js";
import { writeReport } from "./report/file.js";
import { exitCodeOf, type NotebookResult } from "./report/result.js";
import { textReport } from "./report/text.js";
import { runNotebook } from "./run-notebook.js";
import { readRunOptions, runUsage } from "./run-options.js";
import { mapSideBySide } from "./side-by-side.js";
import { printable } from "./terminal.js";

/** The command, for the table in main.ts. */
export const runCommand: Command = {
  usage: runUsage,
  run,
  stop: (code) => {
    endAllKernels();
    // What the shell prints next starts on a line of its own, not after the progress.
    if (process.stderr.isTTY) {
      process.stderr.write("\n");
    }
    process.exit(code);
  },
};

async function run(args: string[]): Promise<number> {
  const options = readRunOptions(args);
  const progress = new Progress(process.stderr);
  // A comparison is what --check is asked for, so it goes to stdout; a run's own talk does not.
  const tell = options.check ? console.log : console.error;
  const fine = options.check ? "every output is what its code gives" : "done";
  const results = await mapSideBySide(
    options.notebooks,
    options.jobs,
    (path) => runNotebook(path, options, (number, count, seconds) => progress.cell(path, number, count, seconds)),
    (result) => progress.done(result.path, () => tell(textReport(result, fine))),
  );
  for (const { path, print } of results) {
    if (print) {
      console.log(`\n${printable(path)}\n${print}`);
    }
  }
  if (options.report !== undefined) {
    writeReport(options.report, results);
  }
  const written = results.flatMap((result: NotebookResult) => result.written ?? []);
  if (written.length > 0) {
    const pages = results.flatMap((result: NotebookResult) => result.page ?? []);
    const kept = results.flatMap((result: NotebookResult) => result.kept ?? []);
    console.log(`\n${openingLines(written, pages, kept).join("\n")}`);
  }
  return exitCodeOf(results);
}
