/** Whether the file says that its cells were executed from top to bottom, and blank ones not at all. */

import { isCode, isExecuted, type Notebook } from "../notebook/format.js";

/**
 * The cells that break the order.
 *
 * Counts must rise from cell to cell. Gaps are fine: a person may execute a cell twice. A file in which no cell has a
 * count says nothing (nbconvert writes such ones for tslab) and is fine too.
 *
 * @param notebook a notebook as a file holds it
 * @returns what is wrong, by the cell's number
 */
export function executionOrderProblems(notebook: Notebook): Map<number, string> {
  const problems = new Map<number, string>();
  const counts = notebook.cells.filter(isExecuted).map((cell) => cell.execution_count);
  if (counts.every((count) => typeof count !== "number")) {
    return problems;
  }
  let highest = 0;
  counts.forEach((count, index) => {
    if (typeof count !== "number") {
      problems.set(index + 1, "it was never executed: its execution count is empty");
    } else if (count <= highest) {
      problems.set(index + 1, `it was executed out of order: its execution count is ${count}, after ${highest}`);
    }
    highest = Math.max(highest, count ?? 0);
  });
  return problems;
}

/**
 * The cells with a blank code cell after them that holds outputs: no code gives those.
 *
 * @param notebook a notebook as a file holds it
 * @returns what is wrong, by the number of the executed cell before the blank one (or of the first, where none is before)
 */
export function blankCellProblems(notebook: Notebook): Map<number, string> {
  const problems = new Map<number, string>();
  let number = 0;
  for (const cell of notebook.cells) {
    if (isExecuted(cell)) {
      number++;
    } else if (isCode(cell) && cell.outputs.length > 0) {
      problems.set(Math.max(number, 1), `the blank cell ${number > 0 ? "after" : "before"} it was left with outputs`);
    }
  }
  return problems;
}
