/** `tslab-attention lab`: the person's own Jupyter, with the kernel and the live figures ready. */

import { type ChildProcess, spawn } from "node:child_process";
import { rmSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { Command } from "./command.js";
import { findJupyter } from "./jupyter/find-jupyter.js";
import { writeJupyterSettings } from "./jupyter/settings.js";
import { findTslab } from "./kernel/find-tslab.js";
import { makePrivateFolder } from "./private-folder.js";
import { CannotRun, exitCodes } from "./problem.js";
import { printable } from "./terminal.js";

const usage = `tslab-attention lab [DIR] [-- ARGUMENTS]
  Starts your JupyterLab or Jupyter Notebook in DIR (default: here) with the kernels
  tslab and jslab ready, and figures live without a network. Ctrl-C ends it all.
  The command is JUPYTER where that variable is set, else the one on PATH;
  ARGUMENTS are passed on to it.`;

/** How long Jupyter may take to shut its kernels down. */
const patienceMs = 10_000;

let jupyter: ChildProcess | undefined;
let stopping = false;

/** The command, for the table in main.ts. */
export const labCommand: Command = { usage, run, stop };

async function run(args: string[]): Promise<number> {
  const { folder, passedOn } = readOptions(args);
  const { command, args: own } = findJupyter(process.env);
  const tslab = findTslab(folder);
  const privateFolder = makePrivateFolder();
  try {
    const env = writeJupyterSettings(privateFolder, tslab, process.env);
    console.log(`Starting ${printable(command)} in ${printable(folder)} (Ctrl-C ends it)`);
    jupyter = spawn(command, [...own, ...passedOn], { cwd: folder, env, stdio: "inherit" });
    const code = await ended(jupyter, command);
    return stopping ? exitCodes.fine : code;
  } finally {
    rmSync(privateFolder, { recursive: true, force: true });
  }
}

/** Asks Jupyter to shut down, which ends its kernels, and the run with it. */
function stop(code: number): void {
  if (!jupyter) {
    process.exit(code);
  }
  stopping = true;
  if (process.platform !== "win32") {
    jupyter.kill("SIGTERM"); // on Windows, Ctrl-C has reached Jupyter as well, and kill() would leave its kernels behind
  }
  setTimeout(() => jupyter?.kill("SIGKILL"), patienceMs).unref();
}

function readOptions(args: string[]): { folder: string; passedOn: string[] } {
  const end = args.indexOf("--");
  const own = end < 0 ? args : args.slice(0, end);
  const option = own.find((arg) => arg.startsWith("-"));
  if (option !== undefined || own.length > 1) {
    throw new CannotRun(
      `Cannot start Jupyter: its own arguments must come after --, got ${JSON.stringify(option ?? own[1])}`,
    );
  }
  const folder = resolve(own[0] ?? ".");
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new CannotRun(`Cannot start Jupyter: DIR must be a folder, got ${printable(own[0])}`);
  }
  return { folder, passedOn: end < 0 ? [] : args.slice(end + 1) };
}

async function ended(child: ChildProcess, command: string): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", (error) => {
      reject(new CannotRun(`Cannot start Jupyter: ${printable(command)} must be a program (${error.message})`));
    });
    child.once("exit", (code) => resolve(code ?? exitCodes.cannotRun));
  });
}
