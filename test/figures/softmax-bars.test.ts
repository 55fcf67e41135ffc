import { describe, expect, test } from "vitest";
import { eye } from "../../src/array/make.js";
import { attentionSteps } from "../../src/attention/attention.js";
import type { Figure } from "../../src/display/figure.js";
import { softmaxBars } from "../../src/figures/softmax-bars.js";
import { expectInside, layoutOf, textsOf } from "./reading.js";

const x = [
  [
    [1, 0, 0, 1],
    [0, 2, 1, 0],
    [1, 1, 1, 1],
  ],
];
const steps = attentionSteps(x, eye(4), eye(4), eye(4), eye(4), 2);

const told = (figure: Figure): string[][] =>
  (figure.data as { hovertext: string[] }[]).map(({ hovertext }) => hovertext);
const lengths = (figure: Figure): number[][] => (figure.data as { x: number[] }[]).map(({ x: bars }) => bars);

describe("softmaxBars()", () => {
  test("shows scores, scaled scores and weights of one query", () => {
    const figure = softmaxBars([2, 0], { scale: 0.5 });
    expect(told(figure).map(([first]) => first)).toEqual([
      "key 0<br>scores: 2",
      "key 0<br>times 0.5: 1",
      "key 0<br>weights: 0.7310585786300049",
    ]);
    const [scores, scaled, weights] = lengths(figure);
    expect(scores[0]).toBeCloseTo(2 * scaled[0], 0);
    expect(weights[0] / weights[1]).toBeCloseTo(Math.E, 1);
    expectInside(figure);
  });

  test("takes the scores of attentionSteps, and with d shows them before the division", () => {
    const figure = softmaxBars(steps.scores, { query: 1, d: 2, tokens: ["the", "cat", "sat"] });
    const [raw, scaled, weights] = told(figure);
    expect(raw[1]).toMatch(/^key 1: cat<br>scores q · k: (4|4\.0000+1|3\.9999+\d)$/);
    expect(scaled[1]).toBe(`key 1: cat<br>divided by √2: ${steps.scores.get(0, 0, 1, 1)}`);
    expect(weights[1]).toContain("0.76791");
    expect(softmaxBars(steps.scores, { query: 1, tokens: ["the", "cat", "sat"] }).alt).toBe(
      "Bars for query 'cat' over 3 keys: scores, weights. " +
        "The largest weight is 0.77, for key 'cat'. The attention is spread as if over 1.9 of 3 keys with equal weights.",
    );
  });

  test("outlines the weights without the scaling, where there is one", () => {
    expect(textsOf(softmaxBars([3, 1], { scale: 0.5 }))).toContain(
      "Thin outlines: the weights without the scaling. The numbers are those of the filled bars.",
    );
    expect(textsOf(softmaxBars([3, 1])).join()).not.toContain("outlines");
  });

  test("writes a weight before its bar where an outline ends after it, else after its bar", () => {
    const numbers = (figure: Figure) => layoutOf(figure).annotations.filter(({ text }) => text === "0.73");
    const [outlined] = numbers(softmaxBars([2, 0], { scale: 0.5 }));
    const { base } = (softmaxBars([2, 0], { scale: 0.5 }).data as { base: number }[])[2];
    expect(outlined).toMatchObject({ x: base - 6, xanchor: "right" });
    const plain = softmaxBars([1, 0]);
    const [, bars] = plain.data as { base: number; x: number[] }[];
    expect(numbers(plain)[0].x).toBeCloseTo(bars.base + bars.x[0] + 6, 0);
  });

  test.each<[string, object]>([
    ["no scale", {}],
    ["a scale of 1", { scale: 1 }],
    ["a head width of 1", { d: 1 }],
  ])("leaves out the scaled scores with %s: they are the scores", (_, options) => {
    const figure = softmaxBars([3, 1], options);
    expect(told(figure).map(([first]) => first.replace(/.*<br>(.*):.*/, "$1"))).toEqual([
      "d" in options ? "scores q · k" : "scores",
      "weights",
    ]);
    expectInside(figure);
  });

  test("says so when what it is given looks like weights", () => {
    const words = "The scores given look like weights already: none is below 0, and each row sums to 1.";
    const figure = softmaxBars(steps.weights, { query: 1, d: 2 });
    expect(figure.alt).toContain(words);
    expect(textsOf(figure).join(" ")).toContain(words);
    expectInside(figure);
    for (const scores of [steps.scores, [2, -1], [0.5, 0.4], [1], [Number.NaN, 1]]) {
      expect(softmaxBars(scores).alt).not.toContain("look like weights");
    }
  });

  test("finds the row of a batch, head and query", () => {
    const [scores] = told(softmaxBars(steps.scores, { head: 1, query: 2 }));
    expect(scores).toEqual([0, 1, 2].map((j) => `key ${j}<br>scores: ${steps.scores.get(0, 1, 2, j)}`));
    expect(textsOf(softmaxBars(steps.scores, { head: 1, query: 2 }))[0]).toBe("Query 2, head 1");
  });

  test("shows NaN and infinities by name, on a plate in the place of a bar", () => {
    const figure = softmaxBars([1, Number.NaN, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]);
    const plates = layoutOf(figure).annotations.filter(({ bgcolor }) => bgcolor !== undefined);
    const odd = ["nan", "-inf", "inf"];
    expect(plates.map(({ text }) => text)).toEqual([...odd, "nan", "nan", "nan", "nan"]);
    expect(lengths(figure)[0].map((length) => length === 0)).toEqual([false, true, true, true]);
  });

  test.each([
    [[Number.NaN, 1], "A score is nan, so no weight is a number."],
    [[Number.POSITIVE_INFINITY, 1], "A score is inf, so no weight is a number."],
    [[Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY], "Every score is -inf, so no weight is a number."],
    [[Number.NEGATIVE_INFINITY, 1], "The largest weight is 1.00, for key 1."],
    [[2, 2, 2], "All 3 keys have the same weight, 0.33."],
    [[2, 2, 1], "The largest weight is 0.42, for keys 0 and 1."],
    [[7], "The one key there is has a weight of 1."],
    [[Number.MAX_VALUE, -Number.MAX_VALUE], "The largest weight is 1.00, for key 0."],
  ])("says of the scores %j: %s", (scores, sentence) => {
    const figure = softmaxBars(scores);
    expect(textsOf(figure)[1]).toContain(sentence);
    expect(figure.alt).toContain(sentence);
    expect(lengths(figure).flat().every(Number.isFinite)).toBe(true);
  });

  test("shows tokens as text, short beside the bars and whole on hover", () => {
    const long = "y".repeat(200);
    const figure = softmaxBars([1, 2, 3], { tokens: ["<b>", "", long] });
    expect(textsOf(figure)).toEqual(expect.arrayContaining(["&lt;b&gt;", "(empty)", "yyyyyyyyy…yyyyyyyy"]));
    expect(told(figure)[0][2].replaceAll("<br>", "")).toContain(long);
    expect(layoutOf(figure).width).toBeLessThanOrEqual(1000);
  });

  test("fits the page with many keys, and says what it leaves out", () => {
    const figure = softmaxBars(Array.from({ length: 100 }, (_, at) => at / 10));
    expectInside(figure);
    expect(figure.alt).toContain("Left out: keys from 48 on.");
  });

  test.each([
    [5, {}, "scores must have shape (B, H, T, T), (H, T, T), (T, T) or (T,), got shape ()"],
    [[1, 2], { scale: 2, d: 2 }, "scale and d must not both be given, got scale=2 and d=2"],
    [[1, 2], { scale: Number.NaN }, "scale must be a finite number, got NaN"],
    [[1, 2], { scale: "2" }, 'scale must be a finite number, got "2"'],
    [[1, 2], { d: 1.5 }, "d must be a whole number from 1, got 1.5"],
    [[1, 2], { token: ["a", "b"] }, 'an option must be one of query, head, batch, tokens, scale, d, got "token"'],
    [[1, 2], { head: [0] }, "head must be 0 (H=1), got an array of length 1"],
    [[1, 2], { query: 1 }, "query must be 0 (T=1), got 1"],
  ])("refuses %j with %j", (scores, options, message) => {
    expect(() => softmaxBars(scores, options as object)).toThrow(`Cannot draw softmax bars: ${message}`);
  });
});
