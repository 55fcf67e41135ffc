// What a figure takes of a notebook's file, as Jupyter writes it: ten of them stay under 3 MB.

import { expect, test } from "vitest";
import { randomNormal } from "../../src/array/random.js";
import { softmax } from "../../src/array/softmax.js";
import { attentionSteps } from "../../src/attention/attention.js";
import type { Figure } from "../../src/display/figure.js";
import { attentionMap } from "../../src/figures/attention-map.js";
import { compareArrays } from "../../src/figures/compare-arrays.js";
import { headSplit } from "../../src/figures/head-split.js";
import { headView } from "../../src/figures/head-view.js";
import { softmaxBars } from "../../src/figures/softmax-bars.js";
import { stepFigures } from "../../src/figures/step-figures.js";
import type { Bundle } from "../../src/runner/notebook/format.js";
import { formatNotebook } from "../../src/runner/notebook/format-notebook.js";

/** The bytes that one figure adds to a notebook. */
function weight(figure: Figure): number {
  const output = { output_type: "display_data" as const, metadata: {}, data: figure.toBundle() as Bundle };
  const cell = { cell_type: "code", source: "", metadata: {}, execution_count: 1, outputs: [output] };
  return Buffer.byteLength(formatNotebook({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [cell] }));
}

const [x, wQ, wK, wV, wO] = [[16, 16, 64], ...Array(4).fill([64, 64])].map((shape, at) => randomNormal(shape, at + 1));
const steps = { ...attentionSteps(x, wQ, wK, wV, wO, 8), x, wQ, wK, wV, wO };
const weights = softmax(randomNormal([16, 8, 16, 16], 6));
const sharper = softmax(randomNormal([16, 8, 16, 16], 6).map((score) => 2 * score));
const tokens = "the cat sat on the mat because the cat was very tired and it slept .".split(" ");

let count = 0;
const halfNaN = weights.map((weight) => (count++ % 2 === 0 ? weight : Number.NaN));
const scores = randomNormal([16, 8, 16, 16], 6);
const lists = Array.from({ length: 16 }, (_, batch) => tokens.map((token, at) => tokens[(at + batch) % 16] + token));

const most = 300_000;

test.each<[string, () => Figure | Figure[]]>([
  ["attentionMap", () => attentionMap(weights, { batch: 0 })],
  ["attentionMap, every batch", () => attentionMap(weights)],
  ["attentionMap, words for each batch", () => attentionMap(weights, { tokens: lists })],
  ["attentionMap, half of it NaN", () => attentionMap(halfNaN)],
  ["attentionMap, scores", () => attentionMap(scores.map((score) => 2 * score))],
  ["headView", () => headView(weights, { batch: 0 })],
  ["headView, one head", () => headView(weights, { batch: 0, heads: 0 })],
  ["headView, three heads", () => headView(weights, { batch: 0, heads: [0, 1, 2] })],
  ["headView, four heads", () => headView(weights, { batch: 0, heads: [0, 1, 2, 3] })],
  ["headView, every batch", () => headView(weights)],
  ["headView, sharper, with tokens", () => headView(sharper, { tokens, batch: 0 })],
  ["headView, sharper, with tokens, every batch", () => headView(sharper, { tokens })],
  ["headView, sharper, with tokens, three heads", () => headView(sharper, { tokens, heads: [0, 1, 2] })],
  ["headSplit", () => headSplit(x, 8)],
  ["headSplit, right and wrong", () => headSplit(x, 8, { wrong: true })],
  ["headSplit, one move", () => [headSplit(x, 8, { move: "reshape" }), headSplit(x, 8, { move: "transpose" })]],
  ["compareArrays", () => compareArrays(steps.weights, weights)],
  ["softmaxBars", () => softmaxBars(steps.scores, { d: 8 })],
  ["stepFigures", () => stepFigures(steps, { batch: 0 })],
  ["stepFigures, several batches", () => stepFigures(steps)],
  ["stepFigures, with tokens", () => stepFigures(steps, { tokens, batch: 0 })],
  ["stepFigures, with tokens, several batches", () => stepFigures(steps, { tokens })],
  ["stepFigures, one head in several batches", () => stepFigures(steps, { head: 1 })],
])("%s of eight heads of sixteen tokens takes less than 300,000 bytes of a notebook", (_, make) => {
  for (const figure of [make()].flat()) expect(weight(figure), figure.alt).toBeLessThan(most);
});

test("a map of 64 heads of sixteen tokens takes less than 500,000 bytes, its numbers in Plotly's JSON as bytes", () => {
  const heads = softmax(randomNormal([64, 16, 16], 1));
  const figure = attentionMap(heads);
  expect(weight(figure)).toBeLessThan(500_000);
  const json = figure.toBundle()["application/vnd.plotly.v1+json"] as { data: unknown[] };
  const { z } = json.data[7] as { z: { dtype: string; bdata: string; shape: string } };
  expect(z).toMatchObject({ dtype: "f4", shape: "16, 16" });
  expect(Buffer.from(z.bdata, "base64").readFloatLE(4 * (3 * 16 + 5))).toBeCloseTo(heads.get(7, 3, 5), 3);
});

test("bytes hold what is not finite", () => {
  const odd = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0.5];
  const figure = attentionMap(softmax(randomNormal([65, 65], 1)).map((weight) => odd.pop() ?? weight));
  const { data } = figure.toBundle()["application/vnd.plotly.v1+json"] as {
    data: { z: { bdata: string }; hovertext?: unknown; hovertemplate: string }[];
  };
  const bytes = Buffer.from(data[0].z.bdata, "base64");
  expect([0, 1, 2, 3].map((at) => bytes.readFloatLE(4 * at))).toEqual([
    0.5,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    Number.NaN,
  ]);
  expect(data[0].hovertext).toBeUndefined();
  expect(data[0].hovertemplate).not.toContain("hovertext");
});

test("the live plot has all sixteen batches of the weights, Plotly's JSON the first and a word on the others", () => {
  const labels = ({ layout }: { layout: unknown }): string[] =>
    (layout as { updatemenus: { buttons: { label: string }[] }[] }).updatemenus[0].buttons.map(({ label }) => label);
  const figure = attentionMap(weights);
  expect(labels(figure)).toEqual(Array.from({ length: 16 }, (_, batch) => `batch ${batch}`));
  const json = figure.toBundle()["application/vnd.plotly.v1+json"] as { layout: unknown };
  expect(labels(json)).toEqual(["batch 0", "batches 1 to 15: draw one with { batch: 1 }"]);
  expect(figure.alt).not.toContain("Left out");
});

test("small figures have the same menu everywhere", () => {
  const figure = attentionMap(softmax(randomNormal([3, 2, 4, 4], 1)));
  const json = figure.toBundle()["application/vnd.plotly.v1+json"] as { layout: unknown };
  expect(json.layout).toEqual(figure.layout);
});
