/** Results as JUnit XML: a suite for each notebook, a case for each cell. */

import { visible } from "../terminal.js";
import type { CellResult, NotebookResult } from "./result.js";

/**
 * The report as XML.
 *
 * @param results the notebooks' results
 * @returns the text of a JUnit file
 */
export function junitReport(results: NotebookResult[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${results.map(suite).join("")}</testsuites>\n`;
}

function suite(result: NotebookResult): string {
  const failures = result.cells.filter((cell) => cell.problems.length > 0).length;
  const errors = result.problem === undefined ? 0 : 1;
  const counts = attributes({
    name: result.path,
    tests: result.cells.length + result.skipped + errors,
    failures,
    errors,
    skipped: result.skipped,
    time: result.seconds.toFixed(3),
  });
  const cases = result.cells.map((cell) => cellCase(result.path, cell));
  if (result.problem !== undefined) {
    cases.push(testCase(result.path, "run", undefined, `<error ${attributes({ message: result.problem })}/>`));
  }
  const first = result.cells.length + 1;
  for (let number = first; number < first + result.skipped; number++) {
    cases.push(testCase(result.path, `cell ${number}`, undefined, "<skipped/>"));
  }
  return `  <testsuite ${counts}>\n${cases.join("")}  </testsuite>\n`;
}

function cellCase(path: string, cell: CellResult): string {
  const failure =
    cell.problems.length === 0
      ? ""
      : `<failure ${attributes({ message: cell.problems[0].split("\n")[0] })}>${escaped(cell.problems.join("\n"))}</failure>`;
  return testCase(path, `cell ${cell.number}: ${cell.source}`, cell.seconds, failure);
}

function testCase(path: string, name: string, seconds: number | undefined, body: string): string {
  const time = seconds === undefined ? {} : { time: seconds.toFixed(3) };
  const head = `    <testcase ${attributes({ classname: path, name, ...time })}`;
  return body === "" ? `${head}/>\n` : `${head}>${body}</testcase>\n`;
}

function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}="${escaped(String(value)).replaceAll("\n", "&#10;")}"`)
    .join(" ");
}

/** XML 1.0 cannot hold control characters or lone surrogates at all. */
function escaped(text: string): string {
  return visible(text)
    .replace(/\p{Surrogate}|[\ufffe\uffff]/gu, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
