// Calls code that may throw, loop without end or print a great deal, so that the caller and the page come to no harm.
// It cannot stop what runs after an `await`, nor a single built-in call that takes forever, such as sorting a huge array.

import { types } from "node:util";
import { createContext, Script } from "node:vm";
import { describeThrown } from "./plain-text.js";

/** What became of a call. */
export type Outcome<T> =
  | { readonly kind: "returned"; readonly value: T }
  | { readonly kind: "threw"; readonly error: string }
  | { readonly kind: "endless" };

/** How long one call may take, in milliseconds: a thousand times what the largest input needs. */
export const patience = 2000;

// V8 ends everything above a timed-out script, functions from elsewhere included. The script reaches the call through a
// context of its own, so nothing is left on the global object.
const room: { call?: (() => void) | undefined } = createContext({});
const script = new Script("call()");

/** The outcome of `call()`, which has `patience` milliseconds and whose printing to the console is held back. */
export function callSafely<T>(call: () => T): Outcome<T> {
  let outcome: Outcome<T> = { kind: "endless" };
  room.call = () => {
    outcome = attempt(call);
  };
  const restore = holdConsole();
  try {
    script.runInContext(room, { timeout: patience });
  } catch {
    return { kind: "endless" };
  } finally {
    restore();
    room.call = undefined;
  }
  return outcome;
}

function attempt<T>(call: () => T): Outcome<T> {
  try {
    return { kind: "returned", value: call() };
  } catch (thrown) {
    try {
      return { kind: "threw", error: describeThrown(thrown) };
    } catch {
      return { kind: "threw", error: "an error that cannot be shown" };
    }
  }
}

/** Makes the console silent; what comes back makes it speak again. */
function holdConsole(): () => void {
  const held = [
    "debug",
    "dir",
    "error",
    "group",
    "groupCollapsed",
    "groupEnd",
    "info",
    "log",
    "table",
    "trace",
    "warn",
  ] as const;
  const own = held.map((name) => [name, Object.getOwnPropertyDescriptor(console, name)] as const);
  for (const name of held)
    Object.defineProperty(console, name, { value: () => {}, configurable: true, writable: true });
  return () => {
    for (const [name, descriptor] of own) {
      if (descriptor) Object.defineProperty(console, name, descriptor);
      else Reflect.deleteProperty(console, name);
    }
  };
}

/** Whether calling `fn` would start work that goes on after the call: an async function, bound or generating ones included. */
export function isAsync(fn: unknown): boolean {
  const kind = callSafely(
    () => types.isAsyncFunction(fn) || /^\[object Async/.test(Object.prototype.toString.call(fn)),
  );
  return kind.kind === "returned" && kind.value;
}

/** Takes the sting out of a promise that will never be awaited: its rejection counts as handled. */
export function disarm(value: unknown): boolean {
  if (!types.isPromise(value)) return false;
  Promise.prototype.then.call(value, undefined, () => {}).catch(() => {});
  return true;
}
