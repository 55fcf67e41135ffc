/** Where the executed notebooks are, and how a person opens them. */

import { dirname } from "node:path";
import { printable } from "./terminal.js";

/**
 * The closing lines of a run.
 *
 * @param paths the notebooks that were written
 * @returns lines for the terminal
 */
export function openingLines(paths: string[]): string[] {
  const folder = dirname(paths[0]);
  return [
    "Executed notebooks:",
    ...paths.map((path) => `  ${printable(path)}`),
    "",
    "To open them in Jupyter (once: npx tslab install; needs Python 3 with JupyterLab):",
    `  npm exec -c "jupyter lab ${printable(folder)}"`,
    "To open them in VS Code: install its Jupyter extension, then open a file and choose the kernel tslab.",
  ];
}
