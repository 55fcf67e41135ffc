/** The notebooks that the arguments of a command name. */

import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { CannotRun } from "./problem.js";
import { printable } from "./terminal.js";

/**
 * The notebooks that paths stand for.
 *
 * @param paths notebooks, and folders that stand for the notebooks directly in them, by name
 * @returns the notebooks' paths in order, each once
 * @throws CannotRun if there is no path, or a folder without notebooks
 */
export function listNotebooks(paths: string[]): string[] {
  if (paths.length === 0) {
    throw new CannotRun("Cannot run notebooks: name at least one notebook or folder");
  }
  const unique = new Map(paths.flatMap(expand).map((path) => [resolve(path), path]));
  return [...unique.values()];
}

function expand(path: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    return [path];
  }
  const names = readdirSync(path).filter((name) => name.endsWith(".ipynb") && !name.startsWith("."));
  if (names.length === 0) {
    throw new CannotRun(`Cannot run ${printable(path)}: the folder must hold a notebook (.ipynb), found none`);
  }
  return names.sort().map((name) => join(path, name));
}
