// The browser of this machine, for the tests that need one: `CHROMIUM`, or the first of the usual names on PATH.

import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"];

function executable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Where the browser is, or undefined; then it says so, once. */
export const chromiumPath: string | undefined =
  process.env.CHROMIUM ??
  (process.env.PATH ?? "")
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(executable);

if (!chromiumPath) console.log("SKIPPED the tests that need a browser: set CHROMIUM to one, or put chromium on PATH");

/** A browser that reaches nothing but this machine. */
export function launch(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath ?? "chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ],
  });
}
