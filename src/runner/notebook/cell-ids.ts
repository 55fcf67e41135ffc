/** Cell ids, which the format demands from version 4.5 on. */

import { createHash } from "node:crypto";
import { type Cell, type Notebook, textOf } from "./format.js";

/**
 * The notebook with an id for each cell that must have one and has none.
 *
 * @param notebook any notebook of format 4
 * @returns the same cells; a new id comes from the cell's place and source, so that it is the same on every run
 */
export function withCellIds(notebook: Notebook): Notebook {
  if (!(notebook.nbformat_minor >= 5)) {
    return notebook;
  }
  return { ...notebook, cells: notebook.cells.map((cell, index) => ({ ...cell, id: cell.id ?? idOf(cell, index) })) };
}

function idOf(cell: Cell, index: number): string {
  return createHash("sha256")
    .update(`${index} ${textOf(cell.source)}`)
    .digest("hex")
    .slice(0, 8);
}
