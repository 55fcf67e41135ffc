/** Results as a file for another program: JUnit's XML, which CI systems read, or JSON. */

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { replaceFile } from "../notebook/replace-file.js";
import { CannotRun } from "../problem.js";
import { printable } from "../terminal.js";
import { junitReport } from "./junit.js";
import type { NotebookResult } from "./result.js";

const formats: Record<string, (results: NotebookResult[]) => string> = {
  xml: junitReport,
  json: (results) => `${JSON.stringify({ notebooks: results.map(({ print, ...result }) => result) }, undefined, 2)}\n`,
};

/**
 * Checks that a report file's name tells its format, before any notebook runs.
 *
 * @param path the report file
 * @throws CannotRun if the name does not end in .xml or .json
 */
export function checkReportPath(path: string): void {
  if (!Object.hasOwn(formats, extension(path))) {
    throw new CannotRun(`Cannot write a report: --report must end in .xml (JUnit) or .json, got ${printable(path)}`);
  }
}

/**
 * Writes the report.
 *
 * @param path the report file, whose ending tells the format
 * @param results the notebooks' results
 * @throws CannotRun if the file cannot be written
 */
export function writeReport(path: string, results: NotebookResult[]): void {
  try {
    mkdirSync(dirname(path), { recursive: true });
    replaceFile(path, formats[extension(path)](results));
  } catch (error) {
    throw new CannotRun(`Cannot write the report ${printable(path)}: ${(error as Error).message}`);
  }
}

function extension(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1).toLowerCase();
}
