#!/usr/bin/env node
/** The command line `tslab-attention`: a table of commands, each a file of its own. */

import type { Command } from "./command.js";
import { endAllKernels } from "./kernel/kernel.js";
import { CannotRun, CellFailed, exitCodes } from "./problem.js";
import { runCommand } from "./run-command.js";

const commands: Record<string, Command> = { run: runCommand };

async function main([name, ...args]: string[]): Promise<number> {
  const usage = Object.values(commands)
    .map((command) => command.usage)
    .join("\n\n");
  if (name === undefined || name === "--help" || name === "-h") {
    console.log(usage);
    return name === undefined ? exitCodes.cannotRun : exitCodes.fine;
  }
  if (!Object.hasOwn(commands, name)) {
    throw new CannotRun(
      `Cannot run ${JSON.stringify(name)}: the command must be ${Object.keys(commands).join(" or ")}`,
    );
  }
  if (args.includes("--help") || args.includes("-h")) {
    console.log(commands[name].usage);
    return exitCodes.fine;
  }
  return commands[name].run(args);
}

// Kernels are in groups of their own, so the runner passes the end on.
for (const [signal, number] of [
  ["SIGINT", 2],
  ["SIGTERM", 15],
  ["SIGHUP", 1],
] as const) {
  process.on(signal, () => {
    endAllKernels();
    process.exit(128 + number);
  });
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    endAllKernels();
    console.error(error instanceof CannotRun || error instanceof CellFailed ? error.message : error);
    process.exitCode = error instanceof CellFailed ? exitCodes.failed : exitCodes.cannotRun;
  },
);
