/** Where tslab is installed: beside the notebook, beside this package, or globally. */

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { CannotRun } from "../problem.js";
import { printable } from "../terminal.js";

/** An installed tslab. */
export interface Tslab {
  /** The script that Node runs to start it. */
  script: string;
  /** The folder of its package. */
  folder: string;
}

/**
 * The tslab that a notebook's kernel is started from.
 *
 * @param notebookFolder the absolute path of the notebook's folder
 * @returns the first one found: from the notebook's folder upward, from this package upward, on PATH, in npm's global folder
 * @throws CannotRun if there is none
 */
export function findTslab(notebookFolder: string): Tslab {
  const found = installedFor(join(notebookFolder, "notebook.js")) ?? installedFor(__filename) ?? onPath() ?? globally();
  if (!found) {
    throw new CannotRun(
      `Cannot run the notebooks in ${printable(notebookFolder)}: tslab must be installed there or globally, found none (npm install tslab)`,
    );
  }
  return found;
}

function installedFor(file: string): Tslab | undefined {
  try {
    return tslabIn(dirname(createRequire(file).resolve("tslab/package.json")));
  } catch {
    return undefined;
  }
}

function onPath(): Tslab | undefined {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const command = join(folder, "tslab");
    if (folder !== "" && existsSync(command)) {
      // npm links the command to <package>/bin/tslab; on Windows it lies beside node_modules.
      const found = tslabIn(dirname(dirname(realpathSync(command)))) ?? tslabIn(join(folder, "node_modules", "tslab"));
      if (found) {
        return found;
      }
    }
  }
  return undefined;
}

function globally(): Tslab | undefined {
  try {
    const root = execFileSync("npm", ["root", "--global"], {
      encoding: "utf8",
      shell: process.platform === "win32",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
    return tslabIn(join(root, "tslab"));
  } catch {
    return undefined;
  }
}

function tslabIn(folder: string): Tslab | undefined {
  try {
    const { name, bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
      name?: string;
      bin?: { tslab?: string };
    };
    return name === "tslab" && bin?.tslab ? { folder, script: join(folder, bin.tslab) } : undefined;
  } catch {
    return undefined;
  }
}
