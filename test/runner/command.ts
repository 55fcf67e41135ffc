/** Helpers of these tests: notebooks in folders of their own, and the built command run on them. */

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll } from "vitest";
import type { Notebook, Output } from "../../src/runner/notebook/format.js";
import { formatNotebook } from "../../src/runner/notebook/format-notebook.js";

const main = resolve(__dirname, "../../dist/runner/main.js");
const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) {
    rmSync(folder, { recursive: true, force: true });
  }
});

/** A fresh folder, removed after the tests. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), "notebooks for tests é-"));
  folders.push(folder);
  return folder;
}

/** A cell's source, or more of a cell. */
export type CellLike = string | { source: string; tags?: string[]; outputs?: Output[]; count?: number | null };

/** A notebook of code cells. */
export function makeNotebook(cells: CellLike[], kernel = "tslab"): Notebook {
  const language = kernel === "jslab" ? "javascript" : "typescript";
  return {
    cells: cells.map((cell, index) => {
      const { source, tags, outputs = [], count = null } = typeof cell === "string" ? { source: cell } : cell;
      return {
        cell_type: "code",
        id: `cell-${index + 1}`,
        metadata: tags ? { tags } : {},
        source,
        outputs,
        execution_count: count,
      };
    }),
    metadata: { kernelspec: { display_name: kernel, language, name: kernel } },
    nbformat: 4,
    nbformat_minor: 5,
  };
}

/** Writes a notebook of code cells into a folder and returns its path. */
export function writeNotebook(folder: string, name: string, cells: CellLike[], kernel = "tslab"): string {
  const path = join(folder, name);
  writeFileSync(path, formatNotebook(makeNotebook(cells, kernel)));
  return path;
}

/** The notebook that a file holds. */
export function load(path: string): Notebook {
  return JSON.parse(readFileSync(path, "utf8")) as Notebook;
}

/** The text of a cell's stream outputs, counted from 0. */
export function streamText(notebook: Notebook, cell: number): string {
  return (notebook.cells[cell].outputs ?? [])
    .map((output) => (output.output_type === "stream" ? [output.text].flat().join("") : ""))
    .join("");
}

/** What a command gave. */
export interface Result {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** Where and how to run a command. */
export interface CommandOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

/** Starts the built command. */
export function startCommand(
  args: string[],
  options: CommandOptions = {},
): { child: ChildProcess; done: Promise<Result> } {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const result: Result = { code: null, signal: null, stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    result.stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    result.stderr += text;
  });
  const done = new Promise<Result>((resolve) => {
    child.once("close", (code, signal) => resolve({ ...result, code, signal }));
  });
  return { child, done };
}

/** Runs the built command. */
export async function tslabAttention(args: string[], options: CommandOptions = {}): Promise<Result> {
  return startCommand(args, options).done;
}

/** The processes whose command line holds a text. */
export function processesWith(text: string): string[] {
  return execFileSync("ps", ["-A", "-o", "pid=,args="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => line.includes(text));
}

/** What a runner may leave behind when it ends: its kernels' processes and its private folders. */
export function leftBy(runner: number): string[] {
  return processesWith(`tslab-attention-${runner}-`);
}

/** Waits until a condition holds, and fails loudly when it never does. */
export async function until(what: string, condition: () => boolean): Promise<void> {
  const end = Date.now() + 20_000;
  while (!condition()) {
    if (Date.now() > end) {
      throw new Error(`waited in vain until ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
