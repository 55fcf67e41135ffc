// npm run bench: multi-head attention here and elsewhere, in turn and on one thread. Prints tables, writes results.json and
// scaling.png. npm run bench -- 4,8,32,4 2,16,64,8 compares these (B,T,D,H) alone and writes nothing.

import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import { ceiling } from "./ceiling.mjs";
import { compare, type Row, showRows } from "./compare.mjs";
import type { Competitor, Entry } from "./competitor.mjs";
import { naive } from "./competitors/naive.mjs";
import { numpyTs } from "./competitors/numpy-ts.mjs";
import { onnx } from "./competitors/onnx.mjs";
import { ours } from "./competitors/ours.mjs";
import { peer } from "./competitors/peers.mjs";
import { pythonCompetitors } from "./competitors/python.mjs";
import { tfjs } from "./competitors/tfjs.mjs";
import { headsAgainstCopying } from "./heads.mjs";
import type { Shape } from "./problem.mjs";
import { drawCurves, scalingCurves } from "./scaling.mjs";
import { startUp, startUpInKernel } from "./start-up.mjs";
import { table } from "./table.mjs";

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
  if ("skipped" in entry) console.log(`SKIPPED ${entry.name}: ${entry.skipped}`);
  else console.log(entry.name.includes(entry.version) ? entry.name : `${entry.name} ${entry.version}`);
}
const names = competitors.map(({ name }) => name);
const limit = await ceiling();

const asked = process.argv.slice(2).map((text) => text.split(",").map(Number) as unknown as Shape);
if (asked.length > 0) await compareAll(asked);
else await everything();
for (const competitor of competitors) competitor.close?.();

async function compareAll(shapes: readonly Shape[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const shape of shapes) rows.push(await compare(shape, competitors, limit));
  showRows(rows, names);
  return rows;
}

async function everything(): Promise<void> {
  const lesson = await compareAll(LESSON);
  const beyond = await compareAll(BEYOND);

  const heads = await headsAgainstCopying();
  console.log("\nSplitting and merging heads at (16,16,64,8), as many times as long as new Float64Array(source)");
  console.log(table(["splitHeads", "mergeHeads"], [[heads.split.toFixed(2), heads.merge.toFixed(2)]]));

  const start = startUp();
  console.log("\nIn a fresh process, milliseconds");
  const starts = [start.import, start.first, start.next].map((ms) => ms.toFixed(2));
  console.log(table(["import", "first attention", "next"], [starts]));

  const kernel = startUpInKernel();
  console.log("\nIn a notebook, milliseconds");
  const spent = [kernel.import, kernel.firstFigure, kernel.nextFigure].map((ms) => ms.toFixed(0));
  console.log(table(["import", "first figure of eight heads", "next"], [spent]));

  const numpy = competitors.filter(({ name }) => name.startsWith("NumPy")).slice(0, 1);
  const curves = await scalingCurves([ours, naive, ...numpy]);

  const results = {
    command: "npm run bench",
    machine: {
      processor: cpus()[0].model,
      cores: cpus().length,
      platform: `${process.platform} ${process.arch}`,
      node: process.version,
    },
    competitors: entries.map((entry) => ("skipped" in entry ? entry : { name: entry.name, version: entry.version })),
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

/** Four digits tell all that a timing knows. */
function rounded(_: string, value: unknown): unknown {
  return typeof value === "number" ? Number(value.toPrecision(4)) : value;
}
