/** What the runner and the guard inside the kernel's process say to each other. */

/** The runner asks to be told when the cell's leftover work is done, or after some milliseconds at most. */
export interface SettleRequest {
  settle: number;
  atMost: number;
}

/** What the kernel's process tells the runner. */
export type GuardReport = { settled: number } | { uncaught: string };

/** Set by the runner to the path of the connection file, alone in its folder; removed at once, so that no child process inherits it. */
export const guardVariable = "TSLAB_RUNNER_GUARD";
