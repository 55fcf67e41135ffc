/** Text → a file, whole or not at all, whenever the process ends. */

import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { isAlive } from "../processes.js";

/**
 * Puts text in a file's place in one step, so that the file is the old one or the new one at every moment.
 *
 * The text goes to a hidden file beside it first. A process killed in between leaves that hidden file; the next write
 * of the same file removes it. A link is followed, the file's mode is kept.
 *
 * @param path the file, which may not exist yet
 * @param text its new contents
 */
export function replaceFile(path: string, text: string): void {
  const target = resolveLink(path);
  const folder = dirname(target);
  const prefix = `.${basename(target)}.`;
  removeLeftovers(folder, prefix);
  const draft = join(folder, `${prefix}${process.pid}.tmp`);
  try {
    const file = openSync(draft, "w", 0o666);
    try {
      writeFileSync(file, text);
      keepMode(target, file);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** @returns whether the file holds this text already */
export function holds(path: string, text: string): boolean {
  try {
    return readFileSync(path, "utf8") === text;
  } catch {
    return false;
  }
}

function resolveLink(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function keepMode(target: string, file: number): void {
  const mode = statSync(target, { throwIfNoEntry: false })?.mode;
  if (mode !== undefined && process.platform !== "win32") {
    fchmodSync(file, mode & 0o7777);
  }
}

function removeLeftovers(folder: string, prefix: string): void {
  for (const name of readdirSync(folder)) {
    const owner = name.startsWith(prefix) ? /^(\d+)\.tmp$/.exec(name.slice(prefix.length)) : null;
    if (owner && !isAlive(Number(owner[1]))) {
      rmSync(join(folder, name), { force: true });
    }
  }
}
