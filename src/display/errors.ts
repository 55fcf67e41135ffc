// Errors for the person at the notebook: shown as one line, not with the kernel's stack; `error.stack` still holds it.

import { inspect } from "node:util";

/** The error itself, which from now on prints as its name and message alone. */
export function oneLine<E extends Error>(error: E): E {
  return Object.defineProperty(error, inspect.custom, { value: () => `${error.name}: ${error.message}` });
}
