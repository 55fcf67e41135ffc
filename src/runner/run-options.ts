/** The arguments of `run`, read and checked before anything runs. */

import { availableParallelism } from "node:os";
import { basename } from "node:path";
import { parseArgs } from "node:util";
import { listNotebooks } from "./list-notebooks.js";
import { type Pages, planPages } from "./page/plan.js";
import { CannotRun } from "./problem.js";
import { checkReportPath } from "./report/file.js";
import { printable } from "./terminal.js";

/** The text of `run --help`. */
export const runUsage = `tslab-attention run [options] NOTEBOOK|FOLDER...
  Executes tslab and jslab notebooks in a fresh kernel, from Node alone, and writes
  them with their outputs. A folder stands for the notebooks in it.
  --check            write nothing: compare each output with the one in the file;
                     cells tagged volatile must succeed and are not compared;
                     cells tagged raises-exception may end with an error, always
  --output-dir DIR   write the executed copies there instead of in place
  --html DIR         write each notebook there as a page too, live figures included, that
                     opens in any browser without a network
  --print TAG        print the text outputs of the cells with this tag
  --report FILE      write a report too: JUnit if FILE ends in .xml, or .json
  --timeout SECONDS  end a cell that takes longer (default 600)
  --jobs N           run so many notebooks side by side (default: one a core)
  Exit code: 0 fine, 1 a cell failed or differs, 2 a run that could not be made`;

/** What was asked for. */
export interface RunOptions {
  check: boolean;
  outputDir: string | undefined;
  html: { folder: string; pages: Pages } | undefined;
  printTag: string | undefined;
  report: string | undefined;
  /** Seconds a cell. */
  timeout: number;
  /** How many notebooks run side by side. */
  jobs: number;
  notebooks: string[];
}

/**
 * The options that arguments give.
 *
 * @param args the arguments after `run`
 * @returns the options, with the notebooks that folders stand for
 * @throws CannotRun if an argument is unknown or wrong
 */
export function readRunOptions(args: string[]): RunOptions {
  const { values, positionals } = parse(args);
  for (const name of ["output-dir", "html"] as const) {
    if (values.check && values[name] !== undefined) {
      throw new CannotRun(`Cannot run notebooks: --check writes no notebooks, so leave out --${name}`);
    }
  }
  if (values.report !== undefined) {
    checkReportPath(values.report);
  }
  const notebooks = listNotebooks(positionals);
  if (values["output-dir"] !== undefined) {
    checkNamesDiffer(notebooks);
  }
  return {
    check: values.check ?? false,
    outputDir: values["output-dir"],
    html: values.html === undefined ? undefined : { folder: values.html, pages: planPages(notebooks, values.html) },
    printTag: values.print,
    report: values.report,
    // Node's timers hold no more than 2^31 milliseconds.
    timeout: readNumber("--timeout", values.timeout, 600, (seconds) => seconds > 0 && seconds <= 2_000_000, "seconds"),
    jobs: readNumber(
      "--jobs",
      values.jobs,
      availableParallelism(),
      (jobs) => Number.isInteger(jobs) && jobs > 0,
      "a count",
    ),
    notebooks,
  };
}

function checkNamesDiffer(notebooks: string[]): void {
  const names = notebooks.map((path) => basename(path));
  const twice = names.find((name, index) => names.indexOf(name) < index);
  if (twice !== undefined) {
    throw new CannotRun(`Cannot write copies: names in --output-dir must differ, got ${printable(twice)} twice`);
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        check: { type: "boolean" },
        "output-dir": { type: "string" },
        html: { type: "string" },
        print: { type: "string" },
        report: { type: "string" },
        timeout: { type: "string" },
        jobs: { type: "string" },
      },
    });
  } catch (error) {
    const [what] = (error as Error).message.split(". To specify"); // what follows is advice for another case
    throw new CannotRun(`Cannot run notebooks: ${what} (tslab-attention run --help lists the options)`);
  }
}

function readNumber(
  name: string,
  text: string | undefined,
  standard: number,
  isRight: (value: number) => boolean,
  what: string,
): number {
  const value = text === undefined ? standard : Number(text);
  if (text?.trim() === "" || !isRight(value)) {
    throw new CannotRun(`Cannot run notebooks: ${name} must be ${what} above 0, got ${JSON.stringify(text)}`);
  }
  return value;
}
