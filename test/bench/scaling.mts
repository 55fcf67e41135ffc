// How the cost of a call grows with T, D, H and B, each varied alone; as numbers and as a picture.

import { writeFileSync } from "node:fs";
import type { Competitor, Runner } from "./competitor.mjs";
import { lesson } from "./competitors/ours.mjs";
import { measure } from "./measure.mjs";
import { problem, type Shape } from "./problem.mjs";

/** Median nanoseconds a call, for one size after the other. */
export interface Curve {
  readonly varied: string;
  readonly sizes: readonly number[];
  readonly times: Readonly<Record<string, readonly number[]>>;
}

const powersOfTwo = (from: number, to: number): number[] => {
  const list: number[] = [];
  for (let n = from; n <= to; n *= 2) list.push(n);
  return list;
};

const AXES: readonly { readonly varied: string; readonly sizes: readonly number[]; shape(n: number): Shape }[] = [
  { varied: "T tokens (B=4, D=64, H=8)", sizes: powersOfTwo(1, 256), shape: (T) => [4, T, 64, 8] },
  { varied: "D features (B=4, T=16, H=8)", sizes: powersOfTwo(8, 256), shape: (D) => [4, 16, D, 8] },
  { varied: "H heads (B=16, T=16, D=64)", sizes: powersOfTwo(1, 64), shape: (H) => [16, 16, 64, H] },
  { varied: "B batches (T=16, D=64, H=8)", sizes: powersOfTwo(1, 64), shape: (B) => [B, 16, 64, 8] },
];

export async function scalingCurves(competitors: readonly Competitor[]): Promise<Curve[]> {
  const curves: Curve[] = [];
  for (const { varied, sizes, shape } of AXES) {
    const times: Record<string, number[]> = Object.fromEntries(competitors.map(({ name }) => [name, []]));
    for (const size of sizes) {
      const runners = new Map<string, Runner>();
      for (const competitor of competitors)
        runners.set(competitor.name, await competitor.prepare(problem(shape(size))));
      for (const [name, { median }] of await measure(runners, 9, 1e7)) times[name].push(median);
    }
    curves.push({ varied, sizes, times });
  }
  return curves;
}

const COLORS = ["#0072B2", "#D55E00", "#009E73", "#CC79A7"];
const DASHES = ["solid", "dash", "dot", "dashdot"] as const;
const MARKERS = ["circle", "square", "diamond", "cross"] as const;

/** Four panels, both axes logarithmic: a straight line is a power law. */
export function drawCurves(curves: readonly Curve[], file: string): void {
  const names = Object.keys(curves[0].times);
  const axis = (prefix: "x" | "y", panel: number): string => `${prefix}${panel === 0 ? "" : panel + 1}`;
  const data = curves.flatMap(({ sizes, times }, panel) =>
    names.map((name, n) => ({
      type: "scatter",
      mode: "lines+markers",
      name,
      showlegend: panel === 0,
      x: [...sizes],
      y: times[name].map((time) => time / 1000),
      xaxis: axis("x", panel),
      yaxis: axis("y", panel),
      line: { color: COLORS[n], dash: DASHES[n] },
      marker: { symbol: MARKERS[n], size: 6 },
    })),
  );
  const layout: Record<string, unknown> = {
    title: { text: "Time of one call of multi-head attention, in microseconds" },
    grid: { rows: 2, columns: 2, pattern: "independent", ygap: 0.3, xgap: 0.15 },
    legend: { orientation: "h", y: -0.12 },
    width: 900,
    height: 700,
    margin: { l: 60, r: 20, t: 60, b: 60 },
  };
  curves.forEach(({ varied, sizes }, panel) => {
    layout[`xaxis${panel === 0 ? "" : panel + 1}`] = {
      type: "log",
      title: { text: varied },
      tickvals: [...sizes],
      ticktext: sizes.map(String),
    };
    layout[`yaxis${panel === 0 ? "" : panel + 1}`] = { type: "log", exponentformat: "none", dtick: 1 };
  });
  const largest = curves.map(({ varied, sizes }) => `${varied} up to ${sizes[sizes.length - 1]}`).join("; ");
  const figure = new lesson.Figure({
    data,
    layout,
    alt: `Time of one call against the sizes, on logarithmic axes, for ${names.join(", ")}: ${largest}.`,
  });
  writeFileSync(file, figure.toPng());
}
