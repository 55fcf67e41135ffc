// Every maker at the edges of what it takes: sizes of 1, many heads, tokens that are long, empty, repeated or no Latin text.

import { describe, expect, test } from "vitest";
import { randomNormal } from "../../src/array/random.js";
import { attentionSteps } from "../../src/attention/attention.js";
import type { Figure } from "../../src/display/figure.js";
import { textWidth } from "../../src/display/fonts.js";
import { attentionMap } from "../../src/figures/attention-map.js";
import { compareArrays } from "../../src/figures/compare-arrays.js";
import { headSplit } from "../../src/figures/head-split.js";
import { headView } from "../../src/figures/head-view.js";
import { softmaxBars } from "../../src/figures/softmax-bars.js";
import { stepFigures } from "../../src/figures/step-figures.js";
import { expectInside, layoutOf, textsOf } from "./reading.js";

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

const wide = ["WWWWWWWWWWWWWWWWWW", "@@@@@@@@@@", "mmmmmmmmmm", "ОБЩЕСТВЕННОЕ МНЕНИЕ", "MMMMMMMMMMMMMMMMMM"];

function figuresOf(B: number, T: number, D: number, H: number, names = words): Figure[] {
  const x = randomNormal([B, T, D], 1);
  const [wQ, wK, wV, wO] = [2, 3, 4, 5].map((seed) => randomNormal([D, D], seed));
  const steps = { ...attentionSteps(x, wQ, wK, wV, wO, H), x, wQ, wK, wV, wO };
  const tokens = names.slice(0, T);
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

  test.each([1, 2, 8])("for tokens of wide letters and %i heads", (H) => {
    for (const figure of figuresOf(1, wide.length, 16, H, wide)) expectInside(figure);
  });

  test.each([1, 8])("and under the panels of %i heads no slanted label runs over what is written below it", (H) => {
    const figure = attentionMap(randomNormal([H, wide.length, wide.length], 1), { tokens: wide });
    const { annotations } = layoutOf(figure);
    const below = annotations.find(({ text }) => text === "key")?.y ?? 0;
    const slanted = annotations.filter(({ textangle = 0, y }) => textangle === -45 && y < below);
    expect(slanted.length).toBeGreaterThan(0);
    for (const { text, y, font } of slanted) {
      const size = font?.size ?? 12;
      const length = textWidth(text, size, { bold: false, italic: false });
      expect(y + (length + 1.36 * size) * Math.SQRT1_2, text).toBeLessThanOrEqual(below);
    }
  });
});
