/** What there is to tell of notebooks after a run, in whatever form. */

import { exitCodes } from "../problem.js";

/** One executed cell. */
export interface CellResult {
  /** The cell's number as Jupyter shows it. */
  number: number;
  /** Its first line. */
  source: string;
  seconds: number;
  /** `volatile`: it succeeded, and its outputs were not compared. */
  status: "fine" | "volatile" | "failed" | "different";
  /** What is wrong, each in some lines; empty if nothing is. */
  problems: string[];
}

/** One notebook. */
export interface NotebookResult {
  /** The path as the user gave it. */
  path: string;
  seconds: number;
  /** Why the notebook could not be run, or its result not be written. */
  problem: string | undefined;
  cells: CellResult[];
  /** How many cells were not executed because an earlier one failed. */
  skipped: number;
  /** Where the executed notebook was written. */
  written: string | undefined;
  /** Where a copy with other cells was moved that stood in its place. */
  kept: string | undefined;
  /** Where its page was written. */
  page: string | undefined;
  /** The text outputs that were asked for. */
  print: string | undefined;
}

/** @returns the exit code that tells of these notebooks */
export function exitCodeOf(results: NotebookResult[]): number {
  if (results.some((result) => result.problem !== undefined)) {
    return exitCodes.cannotRun;
  }
  return results.every(isFine) ? exitCodes.fine : exitCodes.failed;
}

/** @returns whether nothing is wrong with the notebook */
export function isFine(result: NotebookResult): boolean {
  return result.problem === undefined && result.cells.every((cell) => cell.problems.length === 0);
}
