// What the first use costs, in processes of their own.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGE = fileURLToPath(new URL("../../dist/index.js", import.meta.url));

const SCRIPT = `
const { performance } = require("node:perf_hooks");
const times = [performance.now()];
const { eye, multiHeadAttention, randomNormal } = require(${JSON.stringify(PACKAGE)});
times.push(performance.now());
const x = randomNormal([4, 16, 32], 1);
const w = eye(32);
for (let n = 0; n < 2; n++) {
  times.push(performance.now());
  multiHeadAttention(x, w, w, w, w, 4);
  times.push(performance.now());
}
console.log(JSON.stringify(times));
`;

/** Milliseconds: importing the package, the first call of multiHeadAttention at (4, 16, 32, 4), the next one; medians of nine. */
export function startUp(): { import: number; first: number; next: number } {
  const runs = Array.from({ length: 9 }, () => {
    const times: number[] = JSON.parse(execFileSync(process.execPath, ["-e", SCRIPT], { encoding: "utf8" }));
    return [times[1] - times[0], times[3] - times[2], times[5] - times[4]];
  });
  const median = (column: number): number => runs.map((run) => run[column]).sort((a, b) => a - b)[4];
  return { import: median(0), first: median(1), next: median(2) };
}

/** Milliseconds in a notebook: importing the package, the first figure of eight heads of 16 tokens, the next; medians of five. */
export function startUpInKernel(): { import: number; firstFigure: number; nextFigure: number } {
  const folder = mkdtempSync(join(tmpdir(), "bench-"));
  const main = fileURLToPath(new URL("../../dist/runner/main.js", import.meta.url));
  const notebook = fileURLToPath(new URL("kernel.ipynb", import.meta.url));
  const runs = Array.from({ length: 5 }, () => {
    const printed = execFileSync(
      process.execPath,
      [main, "run", "--output-dir", folder, "--print", "timing", notebook],
      {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    const times: number[] = JSON.parse(printed.match(/^\[[0-9.,]+\]$/m)?.[0] ?? "[]");
    return times;
  });
  rmSync(folder, { recursive: true });
  const median = (column: number): number => runs.map((run) => run[column]).sort((a, b) => a - b)[2];
  return { import: median(0), firstFigure: median(1), nextFigure: median(2) };
}
