import { describe, expect, test } from "vitest";
import { eye } from "../../src/array/make.js";
import type { NDArray } from "../../src/array/ndarray.js";
import { randomNormal } from "../../src/array/random.js";
import { softmax } from "../../src/array/softmax.js";
import { attentionSteps, multiHeadAttention } from "../../src/attention/attention.js";
import { attentionMap } from "../../src/figures/attention-map.js";
import { headColor } from "../../src/figures/palette.js";
import { expectInside, layoutOf, textsOf, tracesOf } from "./reading.js";

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

const inputs = [randomNormal([1, 3, 4], 1), eye(4), eye(4), eye(4), eye(4), 2] as const;
const attention = multiHeadAttention(...inputs);
const steps = attentionSteps(...inputs);

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
      ["", 0.5],
      ["", ""],
    ]);
    expect(panel.text).toEqual([
      ["nan", "0.50"],
      ["inf", "-inf"],
    ]);
    expect(panel.hovertext).toEqual([
      ["nan", ""],
      ["inf", "-inf"],
    ]);
    expect(figure.alt).toContain("3 weights are not finite");
  });

  test("tells the names of what is not finite in the heads that have it, in every batch", () => {
    const w = weights(2, 2, 3, 3);
    const figure = attentionMap(w.map((weight) => (weight === w.get(1, 0, 1, 1) ? Number.NaN : weight)));
    expect(tracesOf(figure).map(({ hovertext }) => hovertext)).toEqual([undefined, undefined, undefined]);
    const [{ hovertext }] = (layoutOf(figure).updatemenus?.[0].buttons[1].args ?? []) as [{ hovertext: unknown[] }];
    expect(hovertext).toEqual([
      [
        ["", "", ""],
        ["", "nan", ""],
        ["", "", ""],
      ],
      null,
    ]);
  });

  test("tells two digits of the smallest weight, however many weights there are", () => {
    const w = weights(64, 16, 16).map((weight) => (weight < 0.001 ? 0.000394 : weight));
    const numbers = tracesOf(attentionMap(w)).flatMap(({ z }) => z.flat());
    expect(numbers).toContain(0.00039);
  });

  describe("of which one batch is odd", () => {
    const w = weights(2, 2, 3, 3);
    const odd = w.map((weight) =>
      weight === w.get(1, 0, 1, 1) ? Number.NaN : weight === w.get(1, 1, 1, 1) ? 5 : weight,
    );
    const texts = (figure: ReturnType<typeof attentionMap>) => textsOf(figure).join(" ");

    test("says nothing of a batch that is not shown", () => {
      const figure = attentionMap(odd, { batch: 0 });
      expect(figure.alt).not.toContain("finite");
      expect(texts(figure)).toContain("each row sums to 1");
      expect(texts(figure)).not.toContain("softmax");
      expect(figure.alt).toEqual(attentionMap(w, { batch: 0 }).alt);
      expect(attentionMap(odd, { batch: 1 }).alt).toContain("1 weight is not finite. These are not softmax weights");
    });

    test("says of each what is odd about it, as the menu changes the batch", () => {
      const figure = attentionMap(odd);
      expect(figure.alt).not.toContain("finite");
      expect(texts(figure)).not.toContain("softmax");
      const changes = (batch: number) =>
        Object.values(layoutOf(figure).updatemenus?.[0].buttons[batch].args[1] as object).join(" ");
      expect(changes(0)).toContain("each row sums to 1");
      expect(changes(0)).not.toContain("softmax");
      expect(changes(1)).not.toContain("sums to 1");
      expect(changes(1)).toContain("These are not softmax weights");
      expectInside(figure);
    });
  });

  test("says that rows sum to 1 only where they do", () => {
    expect(textsOf(attentionMap(weights(1, 2, 4, 4)))[1]).toContain("sums to 1");
    expect(textsOf(attentionMap(weights(1, 2, 4, 4).map((value) => value / 2)))[1]).not.toContain("sums to 1");
  });

  test("holds 64 heads of 16 tokens, and says which batches it leaves out", () => {
    const figure = attentionMap(weights(4, 64, 16, 16));
    expect(tracesOf(figure).filter(({ name }) => name?.startsWith("head"))).toHaveLength(64);
    expect(figure.alt).toContain("Left out: batches 2, 3 (draw one with { batch: 2 }).");
    expect(attentionMap(weights(3, 64, 16, 16)).alt).toContain("Left out: batch 2 (draw it with { batch: 2 }).");
    expectInside(figure);
  });

  test("labels every row and column, or as many as can be read beside each other", () => {
    const labels = (T: number) => textsOf(attentionMap(weights(1, 1, T, T))).filter((text) => /^\d+$/.test(text));
    expect(labels(16)).toHaveLength(2 * 16 + 2); // and 0 and 1 of the scale
    expect(labels(100)).toEqual(expect.arrayContaining(["0", "2", "98"]));
    expect(labels(100)).not.toContain("99");
    expect(textsOf(attentionMap(weights(1, 1, 100, 100))).join(" ")).toContain("Every 2nd is labelled.");
  });

  test("says why many tokens look pale", () => {
    const even = attentionMap(weights(50, 50).map(() => 1 / 50));
    expect(textsOf(even).join(" ")).toContain("The largest weight is 0.02, so every cell is pale.");
  });

  test.each([
    [
      "scores",
      [[2, -3, 1]],
      "the row does not sum to 1; 1 number is below 0, down to -3; 1 number is above 1, up to 2",
    ],
    [
      "a row of zeros",
      [
        [0, 0],
        [1, 0],
      ],
      "1 of 2 rows does not sum to 1",
    ],
    ["a huge number", [[1e300, 0]], "the row does not sum to 1; 1 number is above 1, up to 1e+300"],
    [
      "halves",
      [
        [0.25, 0.25],
        [0.25, 0.25],
      ],
      "none of the 2 rows sums to 1",
    ],
  ])("says of %s that they are not softmax weights, in the picture and in words", (_, numbers, odd) => {
    const figure = attentionMap(numbers);
    const note = `These are not softmax weights: ${odd}.`;
    expect(figure.alt).toContain(note);
    expect(textsOf(figure).join(" ")).toContain(note);
    expectInside(figure);
  });

  test("finds nothing odd in softmax weights, masked or with nan", () => {
    expect(attentionMap(weights(2, 3, 4, 4)).alt).not.toContain("softmax");
    expect(
      attentionMap([
        [1, 0],
        [Number.NaN, Number.NaN],
      ]).alt,
    ).not.toContain("softmax");
  });

  test("prints and tells what is far from a weight in few characters", () => {
    const [panel] = tracesOf(attentionMap([[1e300, 0.5]]));
    expect(panel.text).toEqual([["1e+300", "0.50"]]);
    expect(panel.z).toEqual([[1e300, 0.5]]);
    expect(panel.hovertemplate).toContain("weight %{z:.8~g}<");
  });

  test("names no key among equal weights", () => {
    const head = (...rows: number[][]) => attentionMap(rows).alt.replace(/.*Strongest: |\. .*|\.$/g, "");
    expect(head([0.25, 0.25], [0.25, 0.25])).toContain("head 0 is even (0.25 everywhere)");
    expect(head([0.0625, 0.0625001], [0.0624999, 0.0625])).toContain("head 0 is nearly even (0.06 everywhere)");
    expect(head([0.001, 0.002])).toContain("head 0 is nearly even (under 0.005 everywhere)");
    expect(head([0.7])).toContain("in head 0 query 0 to key 0 (0.70)");
    expect(head([0, 0], [0, 0])).toContain("head 0 is 0 everywhere");
    expect(head([1, 0], [0, 1])).toContain("in head 0 query 0 to key 0 (1.00) and 1 more as strong");
    expect(head([Number.NaN, Number.NaN])).toContain("head 0 has no finite weight");
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
    [lesson, { batch: 1 }, "batch must be 0 (B=1), got 1"],
    [lesson, { heads: [0, 2] }, "heads must be from 0 to 1, got 2 for H=2"],
    [lesson, { heads: [] }, "heads must choose at least one of H=2, got []"],
    [lesson, { tokens: ["a"] }, "tokens must name each of the 3 queries, got 1"],
    [
      lesson,
      { tokens: { queries: tokens } },
      "tokens must be a list of strings, or have both queries and keys, got only queries",
    ],
    [
      lesson,
      { tokens: { keys: tokens } },
      "tokens must be a list of strings, or have both queries and keys, got only keys",
    ],
    [lesson, { tokens: {} }, "tokens must be a list of strings, or have both queries and keys, got neither"],
    [lesson, { tokens: { queries: tokens, keys: "abc" } }, 'tokens.keys must be a list of strings, got "abc"'],
    [[lesson[0], lesson[0]], { tokens: [tokens, ["a"]] }, "tokens must name each of the 3 queries, got 1 for batch 1"],
    [lesson, { tokens: [tokens, tokens] }, "tokens must be one list or one for each batch, got 2 lists for B=1"],
    [lesson, { heads: [0, 1, 0] }, "heads must name each index once, got 0 twice"],
    [lesson, { heads: "1" }, 'heads must be a number from 0 to 1, got "1"'],
    [lesson, { head: 1 }, 'an option must be one of tokens, batch, heads, got "head"; did you mean heads?'],
    [lesson, tokens, "options must be an object such as { tokens: ... }, got an array of length 3"],
    [attention, {}, "weights must be one array, got the pair [output, weights]; pass attentionSteps(...).weights"],
    [steps, {}, "weights must be one array, got all steps; pass attentionSteps(...).weights"],
  ])("refuses %j with %j", (input, options, message) => {
    expect(() => attentionMap(input as number[], options as object)).toThrow(
      `Cannot draw attention weights: ${message}`,
    );
  });

  test("refuses tokens that are no list", () => {
    expect(() => attentionMap([[1]], { tokens: "a" as unknown as string[] })).toThrow(
      'Cannot draw attention weights: tokens must be a list of strings, got "a"',
    );
  });
});
