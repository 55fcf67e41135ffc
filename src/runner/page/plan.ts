/** Which notebook becomes which page. */

import { basename, resolve } from "node:path";
import { CannotRun } from "../problem.js";
import { printable } from "../terminal.js";

/** Notebooks and the pages that they become, as absolute paths. */
export type Pages = ReadonlyMap<string, string>;

/**
 * The pages that notebooks become.
 *
 * @param notebooks their paths
 * @param folder where the pages go
 * @returns the absolute path of each notebook, and of its page
 * @throws CannotRun if two would become the same page
 */
export function planPages(notebooks: readonly string[], folder: string): Pages {
  const pages = new Map<string, string>();
  for (const notebook of notebooks) {
    const page = resolve(folder, `${basename(notebook, ".ipynb")}.html`);
    if ([...pages.values()].includes(page)) {
      throw new CannotRun(`Cannot write pages: names in --html must differ, got ${printable(basename(page))} twice`);
    }
    pages.set(resolve(notebook), page);
  }
  return pages;
}
