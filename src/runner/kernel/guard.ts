/**
 * Loaded into the kernel's process before tslab (`node --require guard.js tslab kernel ...`): what a runner must know of
 * a kernel and the wire protocol cannot tell.
 *
 * - The kernel never outlives its runner: see leash.ts.
 * - Errors that no cell caught (rejected promises, exceptions from timers) are reported; tslab only prints them.
 * - The kernel says when the work that a cell left behind (timers, requests, child processes) is done.
 * - What it publishes is bounded (outlet.ts) and never lost: zeromq.js delays each 513th message of a socket and refuses
 *   the ones that follow before that one is out, unless the socket's time to send is 0.
 *
 * It talks to the runner through Node's channel between processes, hidden from the cells. Of tslab it knows that the
 * kernel publishes on the port that its connection file names.
 */

import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { isMainThread, Worker } from "node:worker_threads";
import type { Connection } from "./connection.js";
import { type GuardReport, guardVariable, type SettleRequest } from "./guard-protocol.js";
import type { Frame } from "./messages.js";
import { Outlet } from "./outlet.js";

// What may stay open for good without owing any output: servers, watchers, pipes, the threads of a pool.
const lasting = new Set([
  "FSEventWrap",
  "MessagePort",
  "PipeWrap",
  "SignalWrap",
  "StatWatcher",
  "TCPServerWrap",
  "TTYWrap",
  "UDPWRAP",
]);

const connectionFile = process.env[guardVariable];
if (connectionFile !== undefined && isMainThread) {
  guard(dirname(connectionFile));
  boundOutput(JSON.parse(readFileSync(connectionFile, "utf8")) as Connection);
}

function guard(folder: string): void {
  delete process.env[guardVariable];
  // Child processes and workers of a cell start without this file.
  process.execArgv.splice(0, process.execArgv.length);
  new Worker(join(__dirname, "leash.js"), { workerData: { folder }, env: {}, execArgv: [] }).unref();

  const send = process.send?.bind(process);
  const report = (message: GuardReport) => {
    send?.(message, undefined, undefined, () => {});
  };
  Reflect.deleteProperty(process, "send");
  process.on("unhandledRejection", (reason) => report({ uncaught: describe(reason) }));
  process.on("uncaughtExceptionMonitor", (error) => report({ uncaught: describe(error) }));

  const allowed = new Map<string, number>();
  process.on("message", ({ settle, atMost }: SettleRequest) => {
    const end = Date.now() + atMost;
    const look = () => {
      const active = activeWork();
      const late = Date.now() >= end;
      if (late || [...active].every(([type, count]) => count <= (allowed.get(type) ?? 0))) {
        // What is still there (an interval, for instance) is not waited for again.
        allowed.clear();
        for (const [type, count] of active) {
          allowed.set(type, count);
        }
        report({ settled: settle });
      } else {
        setTimeout(look, 5).unref();
      }
    };
    setImmediate(look);
  });
  process.channel?.unref();
}

/** System errors carry a code, which says more than their words. */
function describe(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  return code === undefined ? String(error) : `${String(error)} (${String(code)})`;
}

function activeWork(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo()) {
    if (!lasting.has(type)) {
      counts.set(type, (counts.get(type) ?? 0) + 1);
    }
  }
  return counts;
}

function boundOutput({ key, iopub_port: port }: Connection): void {
  const { Publisher } = createRequire(realpathSync(process.argv[1]))("zeromq") as typeof import("zeromq");
  type Socket = InstanceType<typeof Publisher>;
  const { bind, send } = Publisher.prototype;
  const sent = Promise.resolve();
  let kernel: Socket | undefined;
  const outlet = new Outlet(key, (frames) => kernel && send.call(kernel, frames));
  // zeromq's own methods are read-only, so these are defined over them. A cell's own sockets work as ever.
  Object.defineProperties(Publisher.prototype, {
    bind: {
      value(this: Socket, address: string): Promise<void> {
        if (address.endsWith(`:${port}`)) {
          kernel = this;
          this.sendTimeout = 0;
          this.sendHighWaterMark = 0;
        }
        return bind.call(this, address);
      },
    },
    send: {
      value(this: Socket, frames: Frame[]): Promise<void> {
        if (this !== kernel) {
          return send.call(this, frames);
        }
        outlet.publish(frames);
        // One promise for all: a cell that prints in a loop lets go of none before it ends.
        return sent;
      },
    },
  });
}
