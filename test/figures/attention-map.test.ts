import { describe, expect, test } from "vitest";
import type { NDArray } from "../../src/array/ndarray.js";
import { randomNormal } from "../../src/array/random.js";
import { softmax } from "../../src/array/softmax.js";
import { attentionMap } from "../../src/figures/attention-map.js";
import { headColor } from "../../src/figures/palette.js";
import { expectInside, jsonSize, layoutOf, textsOf, tracesOf } from "./reading.js";

const lesson = [
  [
    [
      [0.40111209, 0.19777581, 0.40111209],
      [0.04538836, 0.76791794, 0.1866937],
      [0.19777581, 0.40111209, 0.40111209],
    ],
    [
      [0.40111209, 0.19777581, 0.40111209],
      [0.40111209, 0.19777581, 0.40111209],
      [0.24825508, 0.24825508, 0.50348984],
    ],
  ],
];
const tokens = ["the", "cat", "sat"];

function weights(...shape: number[]): NDArray {
  return softmax(randomNormal(shape, 1));
}

describe("attentionMap()", () => {
  test("gives each head a panel with query 0 in the top row and the colours from 0 to 1", () => {
    const figure = attentionMap(lesson, { tokens });
    const panels = tracesOf(figure).filter(({ name }) => name?.startsWith("head"));
    expect(panels.map(({ name }) => name)).toEqual(["head 0", "head 1"]);
    expect(panels.map(({ z }) => z)).toEqual(lesson[0]);
    const { yaxis, coloraxis } = figure.layout as { yaxis: { range: number[] }; coloraxis: object };
    expect(yaxis.range[0]).toBeGreaterThan(yaxis.range[1]);
    expect(coloraxis).toMatchObject({ cmin: 0, cmax: 1 });
    expectInside(figure);
  });

  test("prints the weights while the cells are few, and not beyond", () => {
    expect(tracesOf(attentionMap(lesson))[0].text?.[1]).toEqual(["0.05", "0.77", "0.19"]);
    expect(tracesOf(attentionMap(weights(1, 8, 16, 16)))[0].text).toBeUndefined();
  });

  test("says in words what is seen", () => {
    expect(attentionMap(lesson, { tokens }).alt).toBe(
      "Attention weights: 2 heads, 3 queries by 3 keys. Strongest: in head 0 query 'cat' to key 'cat' (0.77); " +
        "in head 1 query 'sat' to key 'sat' (0.50).",
    );
  });

  test("labels each head in its colour", () => {
    const { annotations } = layoutOf(attentionMap(weights(1, 10, 4, 4)));
    expect(annotations.find(({ text }) => text === "head 9")?.bgcolor).toBe(headColor(9));
  });

  test("shows the chosen heads under their own numbers", () => {
    const heads = (texts: string[]) => texts.filter((text) => text.startsWith("head"));
    expect(heads(textsOf(attentionMap(weights(1, 10, 4, 4), { heads: [9, 2] })))).toEqual(["head 9", "head 2"]);
    expect(heads(textsOf(attentionMap(lesson, { heads: 1 })))).toEqual(["head 1"]);
  });

  test("names query and key of every cell on hover, with repeated tokens apart", () => {
    const figure = attentionMap(lesson, { tokens: ["a", "a", "<b>"] });
    const { xaxis, yaxis } = layoutOf(figure);
    const { x0, dx, y0, dy } = tracesOf(figure)[1];
    const names = [0, 1, 2].map((j) => xaxis.labelalias?.[String(x0 + j * dx)]);
    expect(names).toEqual(["0: a", "1: a", "2: &lt;b&gt;"]);
    expect([0, 1, 2].map((i) => yaxis.labelalias?.[String(y0 + i * dy)])).toEqual(names);
  });

  test("keeps the whole of a long token for hover and shortens its label", () => {
    const long = "x".repeat(200);
    const figure = attentionMap(lesson, { tokens: [long, "b", "c"] });
    const whole = Object.values(layoutOf(figure).xaxis.labelalias ?? {}).map((text) => text.replaceAll("<br>", ""));
    expect(whole).toContain(`0: ${long}`);
    expect(textsOf(figure)).toContain("xxxxxxxx…xxxxxxx");
    expectInside(figure);
  });

  test("never lets a token into Plotly's templates", () => {
    const hostile = attentionMap(lesson, { tokens: ["%{z}", "<b>", "$x$"] });
    const plain = attentionMap(lesson, { tokens: ["a", "b", "c"] });
    const templates = (figure: typeof plain) => tracesOf(figure).map(({ hovertemplate }) => hovertemplate);
    expect(templates(hostile)).toEqual(templates(plain));
    expect(textsOf(hostile)).toContain("&#36;x&#36;");
  });

  test("offers every batch in a menu, with that batch's weights and tokens", () => {
    const w = weights(3, 2, 4, 4);
    const lists = ["a", "b", "c"].map((name) => [0, 1, 2, 3].map((at) => `${name}${at}`));
    const figure = attentionMap(w, { tokens: lists });
    const buttons = layoutOf(figure).updatemenus?.[0].buttons ?? [];
    expect(buttons.map(({ label }) => label)).toEqual(["batch 0", "batch 1", "batch 2"]);
    const [traces, layout] = buttons[2].args as [{ z: number[][][] }, Record<string, unknown>];
    expect(traces.z[1][3][2]).toBeCloseTo(w.get(2, 1, 3, 2), 8);
    expect(Object.values(layout)).toContain("c3");
    expect(textsOf(figure)).toContain("a3");
  });

  test("shows one batch without a menu", () => {
    const w = weights(3, 2, 4, 4);
    const figure = attentionMap(w, { batch: 2 });
    expect(layoutOf(figure).updatemenus).toBeUndefined();
    expect(tracesOf(figure)[0].z[1][1]).toBeCloseTo(w.get(2, 0, 1, 1), 8);
    expect(textsOf(figure)[0]).toBe("Attention weights, batch 2");
  });

  test("takes (T, T) and (H, T, T) as one head and one batch, and queries that are not the keys", () => {
    expect(tracesOf(attentionMap(weights(4, 4)))[0].z).toHaveLength(4);
    expect(textsOf(attentionMap(weights(3, 4, 4)))).toContain("head 2");
    const crossed = attentionMap(weights(2, 3), { tokens: { queries: ["a", "b"], keys: ["x", "y", "z"] } });
    expect(tracesOf(crossed)[0].z[0]).toHaveLength(3);
    expect(textsOf(crossed)).toEqual(expect.arrayContaining(["a", "b", "x", "y", "z"]));
  });

  test("shows NaN and the infinities by name", () => {
    const figure = attentionMap([
      [Number.NaN, 0.5],
      [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
    ]);
    const [panel] = tracesOf(figure);
    expect(panel.z).toEqual([
      [null, 0.5],
      [null, null],
    ]);
    expect(panel.text).toEqual([
      ["nan", "0.50"],
      ["inf", "-inf"],
    ]);
    expect(panel.hovertext?.[1][0]).toBe("inf");
    expect(figure.alt).toContain("3 weights are not finite");
  });

  test("says that rows sum to 1 only where they do", () => {
    expect(textsOf(attentionMap(weights(1, 2, 4, 4)))[1]).toContain("sums to 1");
    expect(textsOf(attentionMap(weights(1, 2, 4, 4).map((value) => value / 2)))[1]).not.toContain("sums to 1");
  });

  test("holds 64 heads of 16 tokens, and says which batches it leaves out", () => {
    const figure = attentionMap(weights(3, 64, 16, 16));
    expect(tracesOf(figure).filter(({ name }) => name?.startsWith("head"))).toHaveLength(64);
    expect(figure.alt).toContain("Left out: batches 1, 2 (choose with batch).");
    expect(jsonSize(figure)).toBeLessThan(130_000);
    expectInside(figure);
  });

  test("keeps 16 batches of 8 heads of 16 tokens small, and says which it leaves out", () => {
    const figure = attentionMap(weights(16, 8, 16, 16));
    expect(jsonSize(figure)).toBeLessThan(150_000);
    expect(textsOf(figure)).toContain("Left out: batches 4 to 15 (choose with batch)");
  });

  test.each([
    [1, 1, 1, 1],
    [1, 7, 3, 3],
    [2, 16, 10, 10],
    [1, 1, 200, 200],
    [1, 3, 2, 40],
    [1, 100, 3, 3],
  ])("fits the page for shape (%i, %i, %i, %i)", (...shape) => {
    expectInside(attentionMap(weights(...shape)));
  });

  test("leaves its input untouched and gives the same figure each time", () => {
    const copy = structuredClone(lesson);
    expect(attentionMap(lesson)).toEqual(attentionMap(copy));
    expect(lesson).toEqual(copy);
  });

  test.each([
    [[1, 2, 3], {}, "weights must have shape (B, H, T, T), (H, T, T) or (T, T), got shape (3,)"],
    [lesson, { batch: 1 }, "batch must be from 0 to 0, got 1 for B=1"],
    [lesson, { heads: [0, 2] }, "heads must be from 0 to 1, got 2 for H=2"],
    [lesson, { heads: [] }, "heads must choose at least one of H=2, got []"],
    [lesson, { tokens: ["a"] }, "tokens must name each of the 3 queries, got 1"],
    [lesson, { tokens: [tokens, tokens] }, "tokens must be one list or one for each batch, got 2 lists for B=1"],
  ])("refuses %j with %j", (input, options, message) => {
    expect(() => attentionMap(input, options)).toThrow(`Cannot draw attention weights: ${message}`);
  });

  test("refuses tokens that are no list", () => {
    expect(() => attentionMap([[1]], { tokens: "a" as unknown as string[] })).toThrow(
      'Cannot draw attention weights: tokens must be a list of strings, got "a"',
    );
  });
});
