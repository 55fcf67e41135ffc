// A Jupyter server as a person starts it, with `tslab-attention lab`, in a folder that holds one notebook of figures.

import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = resolve(__dirname, "../..");
const token = "for-these-tests";

/** The cells of the notebook: what they show is what the tests look for. */
export const cells: readonly string[] = [
  `import {
  arange, attentionMap, attentionSteps, checkSplitHeads, compareArrays, Figure, headSplit, headView, randomNormal,
  softmax, softmaxBars, stepFigures,
} from "tslab-attention";`,
  `const weights = softmax(randomNormal([2, 3, 4, 4], 1));
attentionMap(weights, { tokens: ["$x$", "<b>bold</b>", "cat", "sat"] })`,
  "headSplit(arange(24).reshape(1, 3, 8), 2)",
  `const data = [{ y: [1, 3, 2], name: "first" }, { y: [2, 1, 3], name: "second" }];
new Figure({ data, layout: { width: 500, height: 240, margin: { t: 20, b: 30 } }, alt: "Two lines" })`,
  'headView(weights, { tokens: ["$x$", "<b>bold</b>", "cat", "sat"] })',
  "softmaxBars(randomNormal([4, 4], 2), { query: 1 })",
  "compareArrays(arange(12).reshape(3, 4), arange(12).reshape(4, 3).transpose())",
  "checkSplitHeads((x, nHeads) => x.reshape(x.shape[0], nHeads, x.shape[1], x.shape[2] / nHeads))",
  `const matrices = [2, 3, 4, 5].map((seed) => randomNormal([4, 4], seed));
const [wQ, wK, wV, wO] = matrices;
stepFigures(attentionSteps(randomNormal([1, 3, 4], 1), wQ, wK, wV, wO, 2), { head: 0 })[5]`,
];
/** How many of the cells show a figure. */
export const figureCount: number = cells.length - 1;

/** Makes a folder with the notebook `figures.ipynb` in it, in which the package is found. */
export function makeLesson(): string {
  const folder = mkdtempSync(join(tmpdir(), "viewer-test-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
  const notebook = {
    cells: [
      { cell_type: "markdown", id: "prose", metadata: {}, source: "# Figures\n\nA formula: $x^2$." },
      ...cells.map((source, k) => ({
        cell_type: "code",
        id: `cell-${k + 1}`,
        metadata: {},
        source,
        outputs: [],
        execution_count: null,
      })),
    ],
    metadata: { kernelspec: { display_name: "TypeScript", language: "typescript", name: "tslab" } },
    nbformat: 4,
    nbformat_minor: 5,
  };
  writeFileSync(join(folder, "figures.ipynb"), JSON.stringify(notebook));
  return folder;
}

/** The notebook as someone else would get it: a copy that no Jupyter here has signed. */
export function sendToAStranger(folder: string): void {
  const notebook = JSON.parse(readFileSync(join(folder, "figures.ipynb"), "utf8"));
  notebook.metadata.sender = "someone else";
  writeFileSync(join(folder, "received.ipynb"), JSON.stringify(notebook));
}

/** Runs the built command line, and throws where it fails. */
export function tslabAttention(...args: string[]): void {
  const { status, stderr } = spawnSync(process.execPath, [join(root, "dist/runner/main.js"), ...args], {
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(stderr);
}

/** A running server. */
export class Jupyter {
  readonly address: string;
  readonly #process: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #home: string;
  #log = "";

  /** Starts `command` in a folder and waits until it answers. */
  static async start(command: string, folder: string): Promise<Jupyter> {
    const jupyter = new Jupyter(command, folder, await freePort());
    const late = Date.now() + 90_000;
    while (!(await jupyter.#answers())) {
      if (jupyter.#process.exitCode !== null || Date.now() > late) {
        await jupyter.stop();
        throw new Error(`${command} did not start:\n${jupyter.#log}`);
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return jupyter;
  }

  private constructor(command: string, folder: string, port: number) {
    this.address = `http://127.0.0.1:${port}`;
    // Settings, signatures and sessions of its own: nothing of the person's is read or written.
    this.#home = mkdtempSync(join(tmpdir(), "viewer-home-"));
    const env = {
      ...process.env,
      JUPYTER: command,
      JUPYTER_TOKEN: token,
      JUPYTER_CONFIG_DIR: join(this.#home, "config"),
      JUPYTER_DATA_DIR: join(this.#home, "data"),
      JUPYTER_RUNTIME_DIR: join(this.#home, "runtime"),
      IPYTHONDIR: join(this.#home, "ipython"),
    };
    for (const name of ["config", "data", "runtime"]) mkdirSync(join(this.#home, name));
    const passedOn = ["--no-browser", `--port=${port}`, ...(process.getuid?.() === 0 ? ["--allow-root"] : [])];
    this.#process = spawn(process.execPath, [join(root, "dist/runner/main.js"), "lab", folder, "--", ...passedOn], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.#log = (this.#log + text).slice(-10_000);
      });
    }
    this.#ended = new Promise((resolve) => this.#process.once("close", resolve));
  }

  /** The address of a page of the server. */
  url(path: string): string {
    return `${this.address}/${path}${path.includes("?") ? "&" : "?"}token=${token}`;
  }

  /** Ends the server and its kernels, as Ctrl-C does. */
  async stop(): Promise<void> {
    this.#process.kill("SIGTERM");
    await this.#ended;
    rmSync(this.#home, { recursive: true, force: true });
  }

  async #answers(): Promise<boolean> {
    try {
      return (await fetch(this.url("api/kernelspecs"))).ok;
    } catch {
      return false;
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
