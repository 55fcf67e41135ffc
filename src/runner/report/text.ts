/** A notebook's result as text for a person. */

import { firstLine } from "../terminal.js";
import { isFine, type NotebookResult } from "./result.js";

/**
 * The lines that tell of a notebook.
 *
 * @param result the notebook's result
 * @param fine the words for a notebook with which nothing is wrong
 * @returns one line if all is well, else a block for each cell with a problem
 */
export function textReport(result: NotebookResult, fine: string): string {
  const path = firstLine(result.path, 1000);
  if (isFine(result)) {
    return `${path}: ${fine}, ${result.seconds.toFixed(1)} s`;
  }
  const cells = result.cells
    .filter((cell) => cell.problems.length > 0)
    .map((cell) => {
      const what = cell.status === "failed" ? "failed" : "differs";
      const lines = cell.problems.flatMap((problem) => problem.replaceAll("\n", "\n  ").split("\n"));
      return [`${path}: cell ${cell.number} ${what}: ${cell.source}`, ...lines.map((line) => `  ${line}`)].join("\n");
    });
  return [...(result.problem === undefined ? [] : [result.problem]), ...cells].join("\n");
}
