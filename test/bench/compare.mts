// One shape, all competitors: checked, timed, and told in tables.

import type { Ceiling } from "./ceiling.mjs";
import type { Competitor, Runner } from "./competitor.mjs";
import { attention as oracle } from "./competitors/naive.mjs";
import { ours } from "./competitors/ours.mjs";
import { measure, type Timing } from "./measure.mjs";
import { checkResult } from "./oracle.mjs";
import { operations, problem, type Shape } from "./problem.mjs";
import { microseconds, table } from "./table.mjs";

export interface Row {
  readonly shape: Shape;
  readonly timings: Record<string, Timing>;
  /** Billions of operations a second. */
  readonly speed: number;
  readonly registers: number;
  readonly cached: number;
}

export async function compare(shape: Shape, competitors: readonly Competitor[], limit: Ceiling): Promise<Row> {
  const given = problem(shape);
  const expected = oracle(given);
  const runners = new Map<string, Runner>();
  for (const competitor of competitors) {
    const runner = await competitor.prepare(given);
    checkResult(competitor, await runner.result(), expected);
    runners.set(competitor.name, runner);
  }
  let registers = 0;
  let cached = 0;
  const large = operations(given) > 5e7;
  const timings = await measure(runners, large ? 3 : 21, 2e7, () => {
    registers = Math.max(registers, limit.registers());
    cached = Math.max(cached, limit.cached());
  });
  for (const runner of runners.values()) runner.close?.();
  const median = timings.get(ours.name)?.median ?? Number.NaN;
  return { shape, timings: Object.fromEntries(timings), speed: operations(given) / median, registers, cached };
}

export function showRows(rows: readonly Row[], names: readonly string[]): void {
  const shapes = rows.map((row) => row.shape.join(","));
  const cell = (time: Timing): string =>
    `${microseconds(time.median)} ±${Math.round((50 * (time.quartiles[1] - time.quartiles[0])) / time.median)}%`;
  console.log("\nMicroseconds a call, (B,T,D,H): the median, and half the distance between the quartiles");
  console.log(
    table(
      ["", ...shapes],
      names.map((name) => [name, ...rows.map((row) => cell(row.timings[name]))]),
    ),
  );
  console.log("\nHow many times as long as tslab-attention");
  const ratio = (row: Row, name: string): string =>
    (row.timings[name].median / row.timings[ours.name].median).toFixed(2);
  const others = names.filter((name) => name !== ours.name);
  console.log(
    table(
      ["", ...shapes],
      others.map((name) => [name, ...rows.map((row) => ratio(row, name))]),
    ),
  );
  console.log("\ntslab-attention against the ceiling of fixed-width SIMD, in billions of operations a second");
  const percent = (row: Row, most: number): string => `${most.toFixed(1)} (${Math.round((100 * row.speed) / most)}%)`;
  console.log(
    table(
      ["", ...shapes],
      [
        ["tslab-attention", ...rows.map((row) => row.speed.toFixed(1))],
        ["ceiling, operands from the cache", ...rows.map((row) => percent(row, row.cached))],
        ["ceiling, registers alone", ...rows.map((row) => percent(row, row.registers))],
      ],
    ),
  );
}
