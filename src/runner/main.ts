#!/usr/bin/env node
/** The command line `tslab-attention`: a table of commands, each a file of its own. */

import type { Command } from "./command.js";
import { endAllKernels } from "./kernel/kernel.js";
import { labCommand } from "./lab-command.js";
import { CannotRun, exitCodes } from "./problem.js";
import { runCommand } from "./run-command.js";

const commands: Record<string, Command> = { run: runCommand, lab: labCommand };
let running: Command | undefined;

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
  running = commands[name];
  return running.run(args);
}

// What a command started may be in a group of its own, so the end is passed on.
for (const [signal, number] of [
  ["SIGINT", 2],
  ["SIGTERM", 15],
  ["SIGHUP", 1],
] as const) {
  process.on(signal, () => stop(128 + number));
}
// The reader of a pipe may leave early: `... | head`.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", () => stop(128 + 13));
}

function stop(code: number): void {
  running ? running.stop(code) : process.exit(code);
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    endAllKernels();
    console.error(error instanceof CannotRun ? error.message : error);
    process.exitCode = exitCodes.cannotRun;
  },
);
