// Timing many competitors fairly: each warmed up, then in turn, round after round, so that what else the machine does meets
// them all alike. Every stretch begins without garbage, so that nobody waits for another's to be collected.

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Runner } from "./competitor.mjs";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

/** Nanoseconds a call, of the middle round, and of the rounds a quarter from either end. */
export interface Timing {
  readonly median: number;
  readonly quartiles: readonly [number, number];
  readonly best: number;
}

/**
 * @param runners by name
 * @param rounds how many measurements of each
 * @param stretch nanoseconds that one measurement is to take
 * @param between called after each round
 */
export async function measure(
  runners: ReadonlyMap<string, Runner>,
  rounds: number,
  stretch: number,
  between: () => void = () => {},
): Promise<Map<string, Timing>> {
  const calls = new Map<string, number>();
  const times = new Map<string, number[]>();
  for (const [name, runner] of runners) {
    calls.set(name, await warmUp(runner, stretch));
    times.set(name, []);
  }
  const order = [...runners];
  for (let round = 0; round < rounds; round++) {
    for (const [name, runner] of order) {
      const count = calls.get(name) ?? 1;
      collectGarbage();
      if (count > 1) await runner.time(1); // brings its data back into the caches
      times.get(name)?.push((await runner.time(count)) / count);
    }
    order.push(...order.splice(0, 1));
    between();
  }
  return new Map([...times].map(([name, list]) => [name, summary(list)]));
}

/** Calls until compilers are done, and says how many calls take one stretch. */
async function warmUp(runner: Runner, stretch: number): Promise<number> {
  let calls = 1;
  let spent = 0;
  for (;;) {
    const time = await runner.time(calls);
    spent += time;
    const wanted = Math.max(1, Math.round((calls * stretch) / time));
    if (spent > 15 * stretch) return wanted;
    calls = Math.min(wanted, calls * 10);
  }
}

function summary(times: number[]): Timing {
  times.sort((a, b) => a - b);
  const at = (part: number): number => times[Math.round(part * (times.length - 1))];
  return { median: at(0.5), quartiles: [at(0.25), at(0.75)], best: times[0] };
}
