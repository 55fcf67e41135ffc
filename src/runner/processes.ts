/** Whether processes live, and how to end one with all it started. */

import { execFileSync } from "node:child_process";

/** @returns whether a process of this id exists */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/**
 * Ends a process and everything it started: what stayed in its group, or on Windows what descends from it.
 *
 * @param pid a process that leads a group of its own
 */
export function endGroup(pid: number): void {
  try {
    if (process.platform === "win32") {
      execFileSync("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore", windowsHide: true });
    } else {
      process.kill(-pid, "SIGKILL");
    }
  } catch {
    // It is gone already.
  }
}
