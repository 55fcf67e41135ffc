/** A notebook's page, written where it was planned. */

import { mkdirSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { Notebook } from "../notebook/format.js";
import { holds, replaceFile } from "../notebook/replace-file.js";
import { CannotRun } from "../problem.js";
import { printable } from "../terminal.js";
import { Links } from "./links.js";
import { notebookPage } from "./page.js";
import type { Pages } from "./plan.js";

/**
 * Writes the page of a notebook.
 *
 * @param path the notebook's path
 * @param notebook as executed
 * @param folder where the page goes
 * @param pages all pages of this run
 * @returns the page's path
 * @throws CannotRun if it cannot be written
 */
export function writePage(path: string, notebook: Notebook, folder: string, pages: Pages): string {
  const name = basename(path, ".ipynb");
  const page = join(folder, `${name}.html`);
  const html = notebookPage(notebook, name, new Links(resolve(path), pages));
  try {
    mkdirSync(dirname(page), { recursive: true });
    if (!holds(page, html)) {
      replaceFile(page, html);
    }
  } catch (error) {
    throw new CannotRun(`Cannot write ${printable(page)}: ${printable((error as Error).message)}`);
  }
  return page;
}
