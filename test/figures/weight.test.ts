// What a figure takes of a notebook's file, as Jupyter writes it: ten of one batch stay at about 3 MB or under.

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

test.each<[string, number, () => Figure]>([
  ["attentionMap", 300_000, () => attentionMap(weights, { batch: 0 })],
  ["headView", 300_000, () => headView(weights, { batch: 0 })],
  ["headView, one", 300_000, () => headView(weights, { batch: 0, heads: 0 })],
  ["headView, three", 300_000, () => headView(weights, { batch: 0, heads: [0, 1, 2] })],
  ["headView, four", 300_000, () => headView(weights, { batch: 0, heads: [0, 1, 2, 3] })],
  ["headSplit", 320_000, () => headSplit(x, 8)],
  ["compareArrays", 300_000, () => compareArrays(steps.weights, weights)],
  ["softmaxBars", 300_000, () => softmaxBars(steps.scores)],
  ["stepFigures, the split", 320_000, () => stepFigures(steps)[3]],
  ["stepFigures, one head in several batches", 320_000, () => stepFigures(steps, { head: 1 })[7]],
  ["attentionMap, several batches", 500_000, () => attentionMap(weights)],
  ["headView, several batches", 550_000, () => headView(weights)],
  ["headSplit, right and wrong", 500_000, () => headSplit(x, 8, { wrong: true })],
])("%s of eight heads of sixteen tokens takes less than %i bytes of a notebook", (_, most, make) => {
  expect(weight(make())).toBeLessThan(most);
});
