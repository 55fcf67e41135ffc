// splitHeads and mergeHeads against the least that a fresh array costs: copying it.

import { runner } from "./competitor.mjs";
import { lesson } from "./competitors/ours.mjs";
import { measure } from "./measure.mjs";
import { problem } from "./problem.mjs";

/** How many times as long as `new Float64Array(source)` of the same bytes. */
export async function headsAgainstCopying(): Promise<{ split: number; merge: number }> {
  const { B, T, D, H, x } = problem([16, 16, 64, 8]);
  const given = lesson.array({ shape: [B, T, D], data: x });
  const split = lesson.splitHeads(given, H);
  const time = (call: () => Float64Array) =>
    runner(() => {
      const data = call();
      return { output: data, weights: data };
    });
  const timings = await measure(
    new Map([
      ["copy", time(() => new Float64Array(x))],
      ["split", time(() => lesson.splitHeads(given, H).data)],
      ["merge", time(() => lesson.mergeHeads(split).data)],
    ]),
    21,
    2e7,
  );
  const median = (name: string): number => timings.get(name)?.median ?? Number.NaN;
  return { split: median("split") / median("copy"), merge: median("merge") / median("copy") };
}
