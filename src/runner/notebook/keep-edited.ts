/** A copy that someone has worked in is moved aside, never written over. */

import { existsSync, renameSync } from "node:fs";
import { type Notebook, textOf } from "./format.js";
import { readNotebook } from "./read.js";

/**
 * Moves the file that stands where a notebook is to go, if its cells are not the notebook's: they may be someone's work.
 * Outputs do not count, they can be made again.
 *
 * @param path where the notebook is to go
 * @param notebook the notebook
 * @returns the new path of what stood there, or undefined if nothing had to move
 */
export function keepEdited(path: string, notebook: Notebook): string | undefined {
  if (!existsSync(path) || sourcesIn(path) === sources(notebook)) {
    return undefined;
  }
  let kept = path;
  for (let n = 1; existsSync(kept); n++) {
    kept = path.replace(/(\.ipynb)?$/, ` (kept ${n})$1`);
  }
  renameSync(path, kept);
  return kept;
}

/** The cells of a file, or undefined if it is no notebook. */
function sourcesIn(path: string): string | undefined {
  try {
    return sources(readNotebook(path).notebook);
  } catch {
    return undefined;
  }
}

function sources(notebook: Notebook): string {
  return JSON.stringify(notebook.cells.map((cell) => textOf(cell.source)));
}
