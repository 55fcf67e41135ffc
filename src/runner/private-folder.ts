/** Folders for what one run alone needs: its owner alone can enter them. */

import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "./processes.js";

const prefix = "tslab-attention-";

/**
 * Makes a private folder in the system's folder for temporary files.
 *
 * @returns its absolute path; whoever asks removes it, and the next call does so where they were killed before
 */
export function makePrivateFolder(): string {
  removeLeftovers();
  return mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`));
}

function removeLeftovers(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = name.startsWith(prefix) ? /^(\d+)-/.exec(name.slice(prefix.length)) : null;
    if (owner && !isAlive(Number(owner[1]))) {
      try {
        rmSync(join(tmpdir(), name), { recursive: true, force: true });
      } catch {
        // Another user's: theirs to remove.
      }
    }
  }
}
