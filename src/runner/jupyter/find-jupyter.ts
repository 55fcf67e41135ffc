/** The person's own Jupyter: JupyterLab, or else Notebook. */

import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { basename, delimiter, join, resolve, sep } from "node:path";
import { CannotRun } from "../problem.js";

/** A command and the arguments that come before all others. */
export interface JupyterCommand {
  command: string;
  args: string[];
}

/**
 * The command that starts Jupyter's server.
 *
 * @param environment `JUPYTER`, where set, is the command: a path, or words as in a shell (`py -m jupyter lab`); `PATH` is
 *   searched for `jupyter-lab`, `jupyter-notebook`, and a `jupyter` that can start either
 * @returns the first one found
 * @throws CannotRun if there is none
 */
export function findJupyter(environment: NodeJS.ProcessEnv): JupyterCommand {
  const named = environment.JUPYTER?.trim();
  if (named) {
    const [word, ...args] = existsSync(named) ? [named] : splitWords(named);
    const command = /[\\/]/.test(word) ? resolve(word) : (onPath(word, environment) ?? word);
    const alone = args.length === 0 && /^jupyter(\.exe)?$/i.test(basename(command));
    return (alone && subcommand(command)) || { command, args };
  }
  for (const name of ["jupyter-lab", "jupyter-notebook"]) {
    const command = onPath(name, environment);
    if (command) {
      return { command, args: [] };
    }
  }
  const jupyter = onPath("jupyter", environment);
  const found = jupyter && subcommand(jupyter);
  if (!found) {
    throw new CannotRun(
      "Cannot start Jupyter: jupyter-lab or jupyter-notebook must be on PATH or named by the variable JUPYTER, found neither (install JupyterLab: python3 -m pip install jupyterlab)",
    );
  }
  return found;
}

/** `jupyter lab` or `jupyter notebook`, whichever this `jupyter` knows. */
function subcommand(command: string): JupyterCommand | undefined {
  return [["lab"], ["notebook"]]
    .map((args) => ({ command, args }))
    .find(({ args }) => spawnSync(command, [...args, "--version"], { stdio: "ignore" }).status === 0);
}

/** Words between spaces; double quotes hold a word with spaces together. */
function splitWords(text: string): string[] {
  return (text.match(/(?:"[^"]*"|[^\s"])+/g) ?? [text]).map((word) => word.replaceAll('"', ""));
}

function onPath(name: string, { PATH = "" }: NodeJS.ProcessEnv): string | undefined {
  const names = sep === "\\" ? [`${name}.exe`, name] : [name];
  return PATH.split(delimiter)
    .filter(Boolean)
    .flatMap((folder) => names.map((file) => join(folder, file)))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
