/**
 * Loaded into the kernel's process before tslab (`node --require guard.js tslab kernel ...`): what a runner must know of
 * a kernel and the wire protocol cannot tell.
 *
 * - The kernel never outlives its runner: see leash.ts.
 * - Errors that no cell caught (rejected promises, exceptions from timers) are reported; tslab only prints them.
 * - The kernel says when the work that a cell left behind (timers, requests, child processes) is done.
 *
 * It talks to the runner through Node's channel between processes, hidden from the cells. It knows nothing of tslab.
 */

import { join } from "node:path";
import { isMainThread, Worker } from "node:worker_threads";
import { type GuardReport, guardVariable, type SettleRequest } from "./guard-protocol.js";

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

const folder = process.env[guardVariable];
if (folder !== undefined && isMainThread) {
  guard(folder);
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
  process.on("unhandledRejection", (reason) => report({ uncaught: String(reason) }));
  process.on("uncaughtExceptionMonitor", (error) => report({ uncaught: String(error) }));

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

function activeWork(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const type of process.getActiveResourcesInfo()) {
    if (!lasting.has(type)) {
      counts.set(type, (counts.get(type) ?? 0) + 1);
    }
  }
  return counts;
}
