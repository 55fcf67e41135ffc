/**
 * A running kernel that executes one piece of code at a time.
 *
 * However it ends (asked to, dead, killed, or with the runner), its process group and its connection file are gone.
 */

import { rmSync } from "node:fs";
import type { KernelName } from "../notebook/read.js";
import { CannotRun } from "../problem.js";
import { Channel } from "./channel.js";
import { type ConnectionFile, makeConnectionFile } from "./connection.js";
import type { Tslab } from "./find-tslab.js";
import type { GuardReport } from "./guard-protocol.js";
import { type Ending, KernelProcess } from "./launch.js";
import type { Message } from "./messages.js";

/** How an execution ended. */
export type Outcome =
  | { status: "ok" | "error" | "abort" }
  | { status: "uncaught"; error: string }
  | { status: "timeout" }
  | ({ status: "died" } & Ending);

/** Seconds and milliseconds that the kernel is given. */
const patience = {
  /** For the first answer: ten times as long as for a cell, within these bounds. */
  startSeconds: { least: 10, most: 60 },
  /** For an interrupted cell to end. */
  interruptMs: 2000,
  /** For the timers and requests that a cell leaves behind. */
  settleMs: 2000,
  /** For tslab to take code again after an error: for 200 ms it aborts what it is sent. */
  afterErrorMs: 400,
  /** For the process to leave by itself. */
  leaveMs: 500,
};

interface Request {
  onMessage: ((message: Message) => void) | undefined;
  replied: boolean;
  idle: boolean;
  done: (content: Record<string, unknown>) => void;
  reply: Record<string, unknown>;
}

const running = new Set<Kernel>();

/** Ends every kernel at once: for the moment in which the runner itself must go. */
export function endAllKernels(): void {
  for (const kernel of running) {
    kernel.end();
  }
}

export class Kernel {
  /** What the kernel says of its language, as notebooks keep it. */
  languageInfo: Record<string, unknown> = {};
  readonly #file: ConnectionFile;
  readonly #channel: Channel;
  readonly #process: KernelProcess;
  readonly #requests = new Map<string, Request>();
  readonly #settled = new Map<number, () => void>();
  #settleCount = 0;
  #uncaught: string | undefined;
  #published = false;

  /**
   * Starts a kernel and waits for its first answer.
   *
   * @param tslab the tslab to start
   * @param name its TypeScript kernel or its JavaScript one
   * @param folder the absolute path of the folder that the cells run in
   * @param seconds how long a cell may take
   * @throws CannotRun if it dies or does not answer in time
   */
  static async start(tslab: Tslab, name: KernelName, folder: string, seconds: number): Promise<Kernel> {
    // Another process may take one of its ports before the kernel does: then the ports are chosen anew.
    for (let attempt = 1; ; attempt++) {
      const kernel = new Kernel(tslab, name, folder, await makeConnectionFile());
      const problem = await kernel.#firstAnswer(clamp(seconds));
      if (problem === undefined) {
        return kernel;
      }
      kernel.end();
      if (attempt === 3 || !problem.includes("EADDRINUSE")) {
        throw new CannotRun(`Cannot start the ${name} kernel of ${tslab.folder}: ${problem}`);
      }
    }
  }

  private constructor(tslab: Tslab, name: KernelName, folder: string, file: ConnectionFile) {
    this.#file = file;
    running.add(this);
    this.#process = new KernelProcess(tslab, name, folder, file, (report) => this.#hear(report));
    this.#channel = new Channel(file.connection, (message) => this.#receive(message));
  }

  /**
   * Executes code, and waits for what it leaves behind to settle.
   *
   * @param code the cell's source
   * @param seconds how long it may take; then it is interrupted
   * @param onMessage called with each output message
   * @returns how it ended; after `timeout` and `died` the kernel is of no more use
   */
  async execute(code: string, seconds: number, onMessage: (message: Message) => void): Promise<Outcome> {
    this.#uncaught = undefined;
    const execution = this.#executeAndSettle(code, onMessage);
    const first = await Promise.race([execution, this.#death(), after(seconds * 1000)]);
    if (first !== "late") {
      return first;
    }
    this.#process.interrupt();
    await Promise.race([execution, this.#process.ended, after(patience.interruptMs)]);
    return { status: "timeout" };
  }

  /** Lets the kernel leave, then ends it and all that it started. */
  async stop(): Promise<void> {
    this.#channel.send("shutdown_request", { restart: false });
    await Promise.race([this.#process.ended, after(patience.leaveMs)]);
    this.end();
  }

  /** Ends the kernel at once. */
  end(): void {
    running.delete(this);
    this.#process.end();
    this.#channel.close();
    this.#removeFile();
  }

  async #firstAnswer(seconds: number): Promise<string | undefined> {
    const end = Date.now() + seconds * 1000;
    let answered: Record<string, unknown> | undefined;
    // A subscription takes effect at some moment after it is made, so the question is asked until both sockets speak.
    while (Date.now() < end) {
      const { done } = this.#request("kernel_info_request", {});
      done.then(
        (reply) => {
          answered = reply;
        },
        () => {},
      );
      const ending = await Promise.race([this.#process.ended, done, after(100)]);
      if (ending !== "late" && "how" in ending) {
        return [`it ${ending.how}`, ending.lastWords].filter(Boolean).join("\n");
      }
      if (this.#uncaught !== undefined) {
        return this.#uncaught;
      }
      if (answered && this.#published) {
        this.languageInfo = answered.language_info as Record<string, unknown>;
        this.#removeFile();
        return undefined;
      }
    }
    return `it did not answer within ${seconds} s`;
  }

  async #executeAndSettle(code: string, onMessage: (message: Message) => void): Promise<Outcome> {
    const content = {
      code,
      silent: false,
      store_history: true,
      user_expressions: {},
      allow_stdin: false,
      stop_on_error: true,
    };
    const { id, done } = this.#request("execute_request", content, onMessage);
    const reply = await done;
    await (reply.status === "ok" ? this.#settle() : after(patience.afterErrorMs));
    // Published messages keep their order: when this answer is here, so is everything before it.
    await this.#request("kernel_info_request", {}).done;
    this.#requests.delete(id);
    if (reply.status === "ok" && this.#uncaught !== undefined) {
      return { status: "uncaught", error: this.#uncaught };
    }
    return { status: reply.status === "ok" || reply.status === "error" ? reply.status : "abort" };
  }

  async #settle(): Promise<void> {
    const settle = ++this.#settleCount;
    const settled = new Promise<void>((resolve) => this.#settled.set(settle, resolve));
    this.#process.askToSettle({ settle, atMost: patience.settleMs });
    await Promise.race([settled, this.#process.silent]);
    this.#settled.delete(settle);
  }

  async #death(): Promise<Outcome> {
    return { status: "died", ...(await this.#process.ended) };
  }

  #request(type: string, content: Record<string, unknown>, onMessage?: (message: Message) => void) {
    const id = this.#channel.send(type, content);
    const done = new Promise<Record<string, unknown>>((resolve) => {
      this.#requests.set(id, { onMessage, replied: false, idle: false, done: resolve, reply: {} });
    });
    return { id, done };
  }

  #receive(message: Message): void {
    const request = this.#requests.get(message.parentId ?? "");
    if (message.type === "status") {
      this.#published = true;
      if (request && message.content.execution_state === "idle") {
        request.idle = true;
      }
    } else if (request && message.type.endsWith("_reply")) {
      request.replied = true;
      request.reply = message.content;
    } else {
      request?.onMessage?.(message);
    }
    if (request?.replied && request.idle) {
      request.done(request.reply);
      if (!request.onMessage) {
        this.#requests.delete(message.parentId ?? "");
      }
    }
  }

  #hear(report: GuardReport): void {
    if ("settled" in report) {
      this.#settled.get(report.settled)?.();
    } else {
      this.#uncaught ??= report.uncaught;
    }
  }

  #removeFile(): void {
    rmSync(this.#file.folder, { recursive: true, force: true });
  }
}

function clamp(seconds: number): number {
  const { least, most } = patience.startSeconds;
  return Math.min(Math.max(10 * seconds, least), most);
}

async function after(milliseconds: number): Promise<"late"> {
  return new Promise((resolve) => {
    setTimeout(() => resolve("late"), milliseconds).unref();
  });
}
