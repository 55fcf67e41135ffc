import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { eye } from "../../src/array/make.js";
import { randomNormal } from "../../src/array/random.js";
import { attentionSteps } from "../../src/attention/attention.js";
import { headColor } from "../../src/figures/palette.js";
import { stepFigures } from "../../src/figures/step-figures.js";
import { expectInside, layoutOf, textsOf, tracesOf } from "./reading.js";

function computed(B: number, T: number, D: number, H: number) {
  const x = randomNormal([B, T, D], 1);
  const [wQ, wK, wV, wO] = [2, 3, 4, 5].map((seed) => randomNormal([D, D], seed).map((value) => value / Math.sqrt(D)));
  return { ...attentionSteps(x, wQ, wK, wV, wO, H), x, wQ, wK, wV, wO };
}

const steps = computed(2, 3, 4, 2);

describe("stepFigures()", () => {
  test("tells nine steps, from x to the output, each with what is computed and its shapes", () => {
    const alts = stepFigures(steps, { batch: 0 }).map(({ alt }) => alt);
    expect(alts.map((alt) => alt.replace(/\. .*/, ""))).toEqual([
      "Step 1 of 9: q = x @ wQ, batch 0",
      "Step 2 of 9: k = x @ wK, batch 0",
      "Step 3 of 9: v = x @ wV, batch 0",
      "Step 4 of 9: Split q, k and v into heads, batch 0",
      "Step 5 of 9: scores = qHeads @ kHeads transposed / √2, batch 0",
      "Step 6 of 9: weights = softmax(scores), batch 0",
      "Step 7 of 9: headOutputs = weights @ vHeads, batch 0",
      "Step 8 of 9: Merge the heads, batch 0",
      "Step 9 of 9: output = merged @ wO, batch 0",
    ]);
    expect(alts[0]).toContain("x (3, 4) @ wQ (4, 4) = q (3, 4).");
    expect(alts[3]).toContain("q (3, 4) → head 0 (3, 2), head 1 (3, 2).");
    expect(alts[4]).toContain("For head 0: qHeads (3, 2) @ kHeads transposed (2, 3) / √2 = scores (3, 3)");
  });

  test("writes name and shape under each block", () => {
    const texts = textsOf(stepFigures(steps)[0]);
    expect(texts).toEqual(expect.arrayContaining(["x", "wQ", "q", "(T, D) = (3, 4)", "(D, D) = (4, 4)", "@", "="]));
  });

  test("shows the numbers of the arrays", () => {
    const [, , q] = tracesOf(stepFigures(steps, { batch: 1 })[0]);
    expect(q.hovertext?.[2][3]).toBe(`q[1, 2, 3]<br>${steps.q.get(1, 2, 3)}<br>head 1`);
    const [, kT, scores] = tracesOf(stepFigures(steps, { batch: 1, head: 1 })[4]);
    expect(kT.hovertext?.[1][2]).toContain(String(steps.kHeads.get(1, 1, 2, 1)));
    expect(scores.text?.[0]).toEqual([0, 1, 2].map((j) => steps.scores.get(1, 1, 0, j).toFixed(2)));
  });

  test("keeps a head's colour from its columns of wQ to its rows of wO", () => {
    const figures = stepFigures(steps, { batch: 0 });
    const [x, wQ, q] = tracesOf(figures[0]).map(({ z }) => z);
    expect(wQ[0]).toEqual(q[0]);
    expect(wQ[0][0]).not.toBe(wQ[0][2]);
    expect(new Set(x.flat()).size).toBe(1);
    const [merged, wO] = tracesOf(figures[8]).map(({ z }) => z);
    expect(merged[0]).toEqual(wQ[0]);
    expect(wO.map(([first]) => first)).toEqual(wQ[0]);
    const plates = layoutOf(figures[8]).annotations.filter(({ text }) => text === "head 1");
    expect(plates.map(({ bgcolor }) => bgcolor)).toEqual([headColor(1), headColor(1)]);
  });

  test("follows one head, and leaves the others without colour", () => {
    const figures = stepFigures(steps, { batch: 0, head: 1 });
    expect(figures).toHaveLength(9);
    for (const figure of figures) {
      expect(textsOf(figure).join()).not.toContain("head 0");
    }
    const [, wQ] = tracesOf(figures[0]).map(({ z }) => z);
    const [x] = tracesOf(figures[0]).map(({ z }) => z);
    expect(wQ[0][0]).toBe(x[0][0]);
    expect(wQ[0][2]).not.toBe(x[0][0]);
  });

  test("shows x and the matrices as empty blocks where they are not given", () => {
    const [figure] = stepFigures(attentionSteps(steps.x, steps.wQ, steps.wK, steps.wV, steps.wO, 2));
    const [x, wQ, q] = tracesOf(figure);
    expect([x.text, wQ.text]).toEqual([undefined, undefined]);
    expect(q.text).toBeDefined();
    expect(textsOf(figure).join(" ")).toContain("Put x and the matrices beside the steps");
  });

  test("names queries and keys where tokens are given: on hover, and above the columns as there is room", () => {
    const tokens = ["the", "<b>", "a-token-longer-than-a-cell"];
    const figure = stepFigures(steps, { batch: 1, head: 0, tokens })[5];
    const [scores, weights] = tracesOf(figure);
    const last = steps.scores.get(1, 0, 2, 1);
    expect(scores.hovertext?.[2][1]).toBe(`scores<br>query 2: a-toke…-cell<br>key 1: &lt;b&gt;<br>${last}<br>head 0`);
    expect(weights.hovertext?.[0][0]).toContain("weights<br>query 0: the<br>key 0: the<br>");
    expect(textsOf(figure).filter((text) => /^[012]$/.test(text))).toEqual(["0", "1", "2", "0", "1", "2"]);
    const short = textsOf(stepFigures(steps, { batch: 1, head: 0, tokens: ["the", "cat", "sat"] })[5]);
    expect(short.filter((text) => text === "cat")).toHaveLength(3);
    const [plain] = tracesOf(stepFigures(steps, { batch: 1, head: 0 })[5]);
    expect(plain.hovertext?.[2][1]).toContain("scores[1, 0, 2, 1]<br>");
  });

  test("offers every batch in a menu", () => {
    const figure = stepFigures(steps, {
      tokens: [
        ["a", "b", "c"],
        ["x", "y", "z"],
      ],
    })[5];
    const buttons = layoutOf(figure).updatemenus?.[0].buttons ?? [];
    expect(buttons.map(({ label }) => label)).toEqual(["batch 0", "batch 1"]);
    const [data, layout] = buttons[1].args as [{ text: string[][][] }, Record<string, string>];
    expect(data.text[1][2][0]).toBe(steps.weights.get(1, 0, 2, 0).toFixed(2));
    expect(Object.values(layout)).toContain("z");
    expect(textsOf(figure)).toContain("c");
  });

  test("shows what is not finite by name", () => {
    const broken = attentionSteps(
      [
        [
          [Number.NaN, 1],
          [1, 1],
        ],
      ],
      eye(2),
      eye(2),
      eye(2),
      eye(2),
      1,
    );
    const figures = stepFigures(broken);
    expect(tracesOf(figures[5])[1].text?.[0]).toEqual(["nan", "nan"]);
    expect(tracesOf(figures[5])[1].z[0]).toEqual([null, null]);
  });

  test.each([
    [1, 1, 1, 1],
    [2, 5, 12, 3],
    [1, 16, 64, 8],
    [1, 16, 64, 64],
    [1, 16, 64, 1],
    [1, 40, 128, 2],
    [16, 16, 32, 4],
  ])("fits the page for (B, T, D, H) = (%i, %i, %i, %i)", (B, T, D, H) => {
    for (const figure of stepFigures(computed(B, T, D, H))) {
      expectInside(figure);
    }
  });

  test("leaves out the same heads, batches, tokens and columns in every step, and says so", () => {
    const alts = stepFigures(computed(1, 20, 64, 16)).map(({ alt }) => alt.replace(/.*Left out: /, ""));
    const everywhere = "tokens from 16 on.";
    const byHead = `heads 8 to 15 (draw one with { head: 8 }); ${everywhere}`;
    expect(alts).toEqual([...Array(3).fill(everywhere), ...Array(5).fill(byHead), everywhere]);
    const menus = stepFigures(computed(16, 16, 64, 8)).map(
      (figure) => layoutOf(figure).updatemenus?.[0].buttons.length,
    );
    expect(new Set(menus).size).toBe(1);
  });

  test("changes by its menu what differs from batch to batch, and leaves the matrices alone", () => {
    const [figure] = stepFigures(steps);
    const [, , traces] = layoutOf(figure).updatemenus?.[0].buttons[1].args ?? [];
    expect(traces).toEqual([0, 2]);
  });

  test("has an example that works in tslab, where { x } of an earlier cell does not", () => {
    const source = readFileSync(join(__dirname, "../../src/figures/step-figures.ts"), "utf8");
    const [, example] = source.match(/@example([\s\S]*?)\*\//) ?? [];
    const properties = [...example.matchAll(/\{([^}]*)\}/g)].flatMap(([, inside]) => inside.split(","));
    expect(properties.length).toBeGreaterThan(4);
    for (const property of properties) expect(property).toMatch(/^ *(\.\.\.\w+|\w+: \w+) *$/);
  });

  test("refuses arrays that do not belong together", () => {
    expect(() => stepFigures({ ...steps, k: steps.q.at(0) })).toThrow(
      "Cannot draw the steps: steps.k must have shape (B, T, D) = (2, 3, 4), got shape (3, 4)",
    );
    expect(() => stepFigures(undefined as never)).toThrow(
      "Cannot draw the steps: steps must be what attentionSteps returns",
    );
    expect(() => stepFigures(steps.weights as never)).toThrow(
      "steps must be what attentionSteps returns, got an array of shape (2, 2, 3, 3); pass attentionSteps(...)",
    );
    expect(() => stepFigures([steps.output, steps.weights] as never)).toThrow(
      "steps must be what attentionSteps returns, got the pair [output, weights]; pass attentionSteps(...)",
    );
    expect(() => stepFigures(computed(1, 2, 2, 1), { batch: 1 })).toThrow(
      "Cannot draw the steps: batch must be 0 (B=1), got 1",
    );
    expect(() => stepFigures({ ...steps, weights: undefined as never })).toThrow(TypeError);
    expect(() => stepFigures(steps, { head: 2 })).toThrow(
      "Cannot draw the steps: head must be from 0 to 1, got 2 for H=2",
    );
    expect(() => stepFigures(steps, { heads: 1 } as object)).toThrow(
      'Cannot draw the steps: an option must be one of batch, head, tokens, got "heads"; did you mean head?',
    );
    expect(() => stepFigures(steps, { batch: [1, 1] })).toThrow(
      "Cannot draw the steps: batch must name each index once, got 1 twice",
    );
  });
});
