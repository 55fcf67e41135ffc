// What stands on the starting line: something that computes multi-head attention, and how to time it.

import type { Problem } from "./problem.mjs";

export interface Result {
  readonly output: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
}

/** A competitor with its inputs laid out as it likes them, which is not timed. */
export interface Runner {
  result(): Promise<Result>;
  /** Nanoseconds for this many calls in a row. */
  time(calls: number): Promise<number>;
  close?(): void;
}

export interface Competitor {
  readonly name: string;
  readonly version: string;
  /** How far results may be from the oracle, relative to the largest number. */
  readonly tolerance: number;
  prepare(problem: Problem): Promise<Runner>;
  close?(): void;
}

/** A competitor, or why there is none. */
export type Entry = Competitor | { readonly name: string; readonly skipped: string };

/** Results end here, so that no compiler can leave out making them. */
export const sink = { value: 0 };

/** Times a function that returns numbers. */
export function runner(call: () => Result): Runner {
  return {
    result: async () => call(),
    time: async (calls) => {
      const start = process.hrtime.bigint();
      for (let n = 0; n < calls; n++) {
        const { output, weights } = call();
        sink.value += output[0] + weights[0];
      }
      return Number(process.hrtime.bigint() - start);
    },
  };
}
