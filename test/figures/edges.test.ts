// Every maker at the edges of what it takes: sizes of 1, many heads, tokens that are long, empty, repeated or no Latin text.

import { describe, expect, test } from "vitest";
import { randomNormal } from "../../src/array/random.js";
import { attentionSteps } from "../../src/attention/attention.js";
import type { Figure } from "../../src/display/figure.js";
import { attentionMap } from "../../src/figures/attention-map.js";
import { compareArrays } from "../../src/figures/compare-arrays.js";
import { headSplit } from "../../src/figures/head-split.js";
import { headView } from "../../src/figures/head-view.js";
import { softmaxBars } from "../../src/figures/softmax-bars.js";
import { stepFigures } from "../../src/figures/step-figures.js";
import { expectInside, textsOf } from "./reading.js";

const words = [
  "x".repeat(200),
  "$x$",
  "<b>b</b>",
  "\"q'",
  "👩‍👩‍👧",
  "שלום",
  "",
  "a",
  "a",
  "你好世界",
  "%{z}",
  "&amp;",
  " ",
  "\n",
  "e\u0301",
  "ok",
];

function figuresOf(B: number, T: number, D: number, H: number): Figure[] {
  const x = randomNormal([B, T, D], 1);
  const [wQ, wK, wV, wO] = [2, 3, 4, 5].map((seed) => randomNormal([D, D], seed));
  const steps = { ...attentionSteps(x, wQ, wK, wV, wO, H), x, wQ, wK, wV, wO };
  const tokens = words.slice(0, T);
  return [
    attentionMap(steps.weights, { tokens }),
    headView(steps.weights, { tokens }),
    headSplit(x, H, { tokens, wrong: true }),
    headSplit(x, H, { tokens, move: "reshape" }),
    headSplit(x, H, { tokens, move: "transpose" }),
    softmaxBars(steps.scores, { tokens, d: D / H }),
    compareArrays(steps.scores, steps.weights),
    ...stepFigures(steps, { tokens }),
  ];
}

describe("every text stands inside its figure, in its right form", () => {
  test.each([
    [1, 1, 1, 1],
    [1, 1, 8, 2],
    [2, 16, 1, 1],
    [1, 16, 8, 8],
    [16, 16, 64, 8],
    [16, 16, 64, 64],
  ])("for (B, T, D, H) = (%i, %i, %i, %i)", (B, T, D, H) => {
    for (const figure of figuresOf(B, T, D, H)) {
      expectInside(figure);
      for (const said of [figure.alt, ...textsOf(figure)]) {
        expect(said).not.toMatch(
          /(?<!head )\b1 (queries|keys|heads|columns|rows|numbers|tokens|batches)\b|undefined|NaN/,
        );
      }
    }
  });
});
