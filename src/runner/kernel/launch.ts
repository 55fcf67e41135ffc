/** Starts the kernel's process, with a guard inside it and a leash around it. */

import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import type { KernelName } from "../notebook/read.js";
import { endGroup } from "../processes.js";
import type { ConnectionFile } from "./connection.js";
import type { Tslab } from "./find-tslab.js";
import { type GuardReport, guardVariable, type SettleRequest } from "./guard-protocol.js";

/** How a process ended. */
export interface Ending {
  /** A sentence's end: `ended with exit code 3`, `was ended by SIGKILL`. */
  how: string;
  /** The last of what the process wrote to its own stderr, which no cell shows. */
  lastWords: string;
}

const keptWords = 4000;

/** A kernel's process. */
export class KernelProcess {
  /** Resolves when the process has ended, and never rejects. */
  readonly ended: Promise<Ending>;
  /** Resolves when the guard can be asked no more: the process has ended, or a cell cut the channel. */
  readonly silent: Promise<void>;
  readonly #child: ChildProcess;

  /**
   * @param tslab the tslab to start
   * @param name its TypeScript kernel or its JavaScript one
   * @param folder the folder that the cells run in
   * @param file the connection file, gone when the process finds its runner gone
   * @param onReport called with what the guard reports
   */
  constructor(
    tslab: Tslab,
    name: KernelName,
    folder: string,
    file: ConnectionFile,
    onReport: (report: GuardReport) => void,
  ) {
    const kernel = [tslab.script, "kernel", "--config-path", file.path, ...(name === "jslab" ? ["--js"] : [])];
    this.#child = spawn(process.execPath, ["--require", join(__dirname, "guard.js"), ...kernel], {
      cwd: folder,
      // Node prints in colour where this variable is set, as it is on some CI systems: outputs would depend on the place.
      env: { ...process.env, FORCE_COLOR: undefined, [guardVariable]: file.path },
      // stdin is empty, as under Jupyter; what cells print comes as messages, so stdout proper goes nowhere (a pipe could be
      // full, and fail a cell that writes to it). The fourth is the leash, the fifth the guard's channel.
      stdio: ["ignore", "ignore", "pipe", "pipe", "ipc"],
      // A group of its own: Ctrl-C reaches the runner alone, and ending the group ends what the cells started.
      detached: true,
      windowsHide: true,
    });
    this.silent = new Promise((resolve) => {
      this.#child.once("disconnect", resolve).once("error", () => resolve());
    });
    this.#child.on("message", onReport as (message: unknown) => void);
    let lastWords = "";
    this.#child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      lastWords = (lastWords + text).slice(-keptWords);
    });
    this.ended = new Promise((resolve) => {
      this.#child.once("error", (error) => resolve({ how: `could not be started (${error.message})`, lastWords }));
      this.#child.once("exit", (code, signal) => {
        const how = signal ? `was ended by ${signal}` : `ended with exit code ${code}`;
        const tell = () => resolve({ how, lastWords: lastWords.trim() });
        // Its last words may still be on their way; a child of the kernel may hold the pipe open for ever.
        this.#child.once("close", tell);
        setTimeout(tell, 200).unref();
      });
    });
  }

  /** Asks the guard to report when the work that a cell left behind is done. */
  askToSettle(request: SettleRequest): void {
    if (this.#child.connected) {
      this.#child.send(request, () => {});
    }
  }

  /** Interrupts the cell that runs. Windows has no such signal: there, nothing happens. */
  interrupt(): void {
    if (process.platform !== "win32") {
      this.#child.kill("SIGINT");
    }
  }

  /** Ends the process, and all that it started, at once. */
  end(): void {
    if (this.#child.pid !== undefined) {
      endGroup(this.#child.pid);
    }
  }
}
