// npm run bench: multi-head attention here and elsewhere, in one process and on one thread. Prints tables, writes results.json.
// npm run bench -- quick takes a minute and writes nothing.

import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { type Ceiling, ceiling } from "./ceiling.mjs";
import type { Competitor, Entry, Runner } from "./competitor.mjs";
import { naive, attention as oracle } from "./competitors/naive.mjs";
import { numpyTs } from "./competitors/numpyTs.mjs";
import { onnx } from "./competitors/onnx.mjs";
import { ours } from "./competitors/ours.mjs";
import { peer } from "./competitors/peers.mjs";
import { pythonCompetitors } from "./competitors/python.mjs";
import { tfjs } from "./competitors/tfjs.mjs";
import { headsAgainstCopying } from "./heads.mjs";
import { measure, type Timing } from "./measure.mjs";
import { checkResult } from "./oracle.mjs";
import { operations, problem, type Shape } from "./problem.mjs";
import { type Curve, drawCurves, scalingCurves } from "./scaling.mjs";
import { startUp, startUpInKernel } from "./startUp.mjs";
import { microseconds, table } from "./table.mjs";

const LESSON: readonly Shape[] = [
  [1, 3, 4, 2],
  [2, 8, 16, 4],
  [4, 16, 32, 4],
  [16, 16, 64, 8],
  [16, 16, 64, 64],
  [16, 16, 64, 1],
];
const BEYOND: readonly Shape[] = [
  [1, 256, 256, 8],
  [1, 512, 512, 8],
  [1, 1024, 512, 8],
];

const quick = process.argv.includes("quick");

interface Row {
  readonly shape: Shape;
  readonly timings: Record<string, Timing>;
  /** Billions of operations a second. */
  readonly speed: number;
  readonly registers: number;
  readonly cached: number;
}

async function compare(shape: Shape, competitors: readonly Competitor[], limit: Ceiling): Promise<Row> {
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
  const timings = await measure(runners, quick ? 3 : large ? 5 : 15, quick || large ? 1e7 : 3e7, () => {
    registers = Math.max(registers, limit.registers());
    cached = Math.max(cached, limit.cached());
  });
  for (const runner of runners.values()) runner.close?.();
  const median = timings.get(ours.name)?.median ?? Number.NaN;
  return { shape, timings: Object.fromEntries(timings), speed: operations(given) / median, registers, cached };
}

function showRows(rows: readonly Row[], names: readonly string[]): void {
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

// OpenBLAS of 2022 does not know later processors; on x64 these two names stand for AVX-512 and for what came before it.
const coreType = process.env.BENCH_CORETYPE ?? (/EPYC|Xeon/.test(cpus()[0].model) ? "SKYLAKEX" : "HASWELL");
const entries: Entry[] = [
  ours,
  naive,
  ...(await pythonCompetitors(coreType)),
  await peer("onnxruntime-node", onnx),
  await peer("numpy-ts", numpyTs),
  await peer("@tensorflow/tfjs", tfjs),
];
const competitors = entries.filter((entry): entry is Competitor => !("skipped" in entry));
for (const entry of entries) {
  console.log(
    "skipped" in entry ? `SKIPPED ${entry.name}: ${entry.skipped}` : `${entry.name}, version ${entry.version}`,
  );
}
const names = competitors.map(({ name }) => name);
const limit = await ceiling();

const lesson: Row[] = [];
for (const shape of LESSON) lesson.push(await compare(shape, competitors, limit));
showRows(lesson, names);

const beyond: Row[] = [];
for (const shape of quick ? BEYOND.slice(0, 1) : BEYOND) beyond.push(await compare(shape, competitors, limit));
showRows(beyond, names);

const heads = await headsAgainstCopying();
console.log("\nSplitting and merging heads at (16,16,64,8), as many times as long as new Float64Array(source)");
console.log(table(["", "splitHeads", "mergeHeads"], [["", heads.split.toFixed(2), heads.merge.toFixed(2)]]));

const start = startUp();
console.log("\nIn a fresh process, milliseconds");
console.log(
  table(["import", "first attention", "next"], [[start.import, start.first, start.next].map((ms) => ms.toFixed(2))]),
);

const kernel = startUpInKernel();
console.log("\nIn a notebook, milliseconds");
const spent = [kernel.import, kernel.firstFigure, kernel.nextFigure].map((ms) => ms.toFixed(0));
console.log(table(["import", "first figure of eight heads", "next"], [spent]));

const numpy = competitors.find(({ name }) => name.startsWith("NumPy"));
const curves: Curve[] = quick ? [] : await scalingCurves([ours, naive, ...(numpy === undefined ? [] : [numpy])]);

if (!quick) {
  const results = {
    machine: {
      processor: cpus()[0].model,
      cores: cpus().length,
      platform: `${process.platform} ${process.arch}`,
      node: process.version,
    },
    command: "npm run bench",
    competitors: entries.map((entry) =>
      "skipped" in entry ? entry : { name: entry.name, version: entry.version, tolerance: entry.tolerance },
    ),
    unit: "nanoseconds a call",
    lesson,
    beyond,
    heads,
    startUp: start,
    kernel,
    curves,
  };
  const file = fileURLToPath(new URL("results.json", import.meta.url));
  writeFileSync(file, `${JSON.stringify(results, rounded, 1)}\n`);
  drawCurves(curves, fileURLToPath(new URL("scaling.png", import.meta.url)));
  console.log(`\nWritten: ${file}`);
}
for (const competitor of competitors) competitor.close?.();

/** Four digits tell all that a timing knows. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === "number" ? Number(value.toPrecision(4)) : value;
}
