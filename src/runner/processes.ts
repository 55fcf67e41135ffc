/** Whether processes live, and how to end one with all it started. */

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
 * Ends a process and, where the system has process groups, everything it started that stayed in its group.
 *
 * @param pid a process that leads a group of its own
 */
export function endGroup(pid: number): void {
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}
