/** Where the executed notebooks are, and how a person opens them. */

import { dirname, join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { printable } from "./terminal.js";

/**
 * The closing lines of a run.
 *
 * @param paths the notebooks that were written
 * @param pages the HTML pages that were written
 * @param kept the copies with other cells that were moved aside
 * @returns lines for the terminal
 */
export function openingLines(paths: string[], pages: string[], kept: string[]): string[] {
  const folder = dirname(paths[0]);
  return [
    "Executed notebooks:",
    ...paths.map((path) => `  ${printable(path)}`),
    "",
    ...(kept.length > 0
      ? ["Copies with other cells stood there; they are kept as:", ...kept.map((path) => `  ${printable(path)}`), ""]
      : []),
    ...(pages.length > 0
      ? ["Pages to read in any browser, no network needed:", ...pages.map((path) => `  ${pathToFileURL(path)}`), ""]
      : []),
    "To open them in Jupyter (needs Python 3 with JupyterLab or Notebook):",
    `  ${self()} lab ${printable(folder)}`,
    "To open them in VS Code (its Jupyter extension; once: npm install --global tslab, then tslab install):",
    "  open a file and choose the kernel TypeScript.",
  ];
}

/** This command, as a person types it: npx knows it in a project that has installed it, not in its own. */
function self(): string {
  const installed = __dirname.includes(`${sep}node_modules${sep}`);
  return installed ? "npx tslab-attention" : `node ${relative(process.cwd(), join(__dirname, "main.js"))}`;
}
