import { describe, expect, test } from "vitest";
import { eye } from "../../src/array/make.js";
import type { NDArray } from "../../src/array/ndarray.js";
import { randomNormal } from "../../src/array/random.js";
import { softmax } from "../../src/array/softmax.js";
import { Figure } from "../../src/display/figure.js";
import { headView } from "../../src/figures/head-view.js";
import { headColor } from "../../src/figures/palette.js";
import { expectInside, layoutOf, textsOf } from "./reading.js";

interface Part {
  /** Only the ports say theirs: a ribbon has it from the template. */
  readonly mode?: "lines" | "markers";
  readonly name?: string;
  readonly x: readonly (number | null)[];
  readonly y: readonly (number | null)[];
  readonly fillcolor?: string;
  readonly opacity?: number;
  readonly visible?: string;
  readonly legendgroup: string;
  readonly showlegend?: boolean;
  readonly hovertext?: readonly string[];
  readonly customdata?: readonly (number | null)[];
}

const parts = (figure: Figure, mode: "lines" | "markers"): Part[] =>
  (figure.data as Part[]).filter((part) => (part.mode ?? "lines") === mode);

/** The thickness of each ribbon of a trace, where it starts. */
function thicknesses({ y }: Part): number[] {
  return y.flatMap((_, at) => (at % 5 === 0 ? [Number(y[at + 4]) - Number(y[at + 1])] : []));
}

/** How many ribbons each head has. */
function ribbonCounts(figure: Figure): number[] {
  const counts: number[] = [];
  for (const { legendgroup, x } of parts(figure, "lines")) {
    const head = Number(legendgroup);
    counts[head] = (counts[head] ?? 0) + Math.floor(x.length / 5);
  }
  return counts;
}

/** A head that looks from every query at every key alike. */
function uniform(tokens: number): number[][] {
  return Array.from({ length: tokens }, () => Array(tokens).fill(1 / tokens));
}

function weights(...shape: number[]): NDArray {
  return softmax(randomNormal(shape, 1));
}

const pair = [
  [0.9, 0.1],
  [0.5, 0.5],
];

describe("headView()", () => {
  test("draws a ribbon from each query to its keys, as thick as the weight", () => {
    const [first, second] = parts(headView(pair), "lines").map(thicknesses);
    expect(first[0] / first[1]).toBeGreaterThan(7);
    expect(Math.abs(first[0] - 8.1)).toBeLessThan(0.2);
    expect(Math.abs(second[0] - second[1])).toBeLessThan(0.2);
  });

  test("gives each head its colour, and a name in the legend that switches all of it", () => {
    const figure = headView(weights(1, 2, 3, 3));
    const heads = parts(figure, "markers");
    expect(heads.map(({ name, legendgroup }) => [name, legendgroup])).toEqual([
      ["head 0", "0"],
      ["head 1", "1"],
    ]);
    for (const ribbon of parts(figure, "lines")) {
      expect(ribbon.fillcolor).toBe(headColor(Number(ribbon.legendgroup)));
    }
  });

  test("starts with as many heads as can be told apart, and says so", () => {
    const figure = headView(weights(1, 8, 16, 16));
    expect(parts(figure, "markers").map(({ visible }) => visible ?? "on")).toEqual([
      "on",
      ...Array(7).fill("legendonly"),
    ]);
    expect(figure.alt).toContain("for 1 of 8 heads");
    expect(figure.alt).toContain("Only head 0 is switched on at first; the legend switches the others.");
    expect(parts(headView(weights(1, 2, 3, 3)), "markers").every(({ visible }) => visible === undefined)).toBe(true);
  });

  test("starts with more heads where each has few ribbons", () => {
    const figure = headView(Array(5).fill(eye(16).toArray()));
    expect(figure.alt).toContain("for 3 of 5 heads");
    expect(figure.alt).toContain("Only the first 3 heads are switched on at first");
  });

  test("starts with all heads where the caller has chosen a few", () => {
    const figure = headView(weights(1, 12, 16, 16), { heads: [0, 8] });
    expect(parts(figure, "markers").map(({ visible }) => visible ?? "on")).toEqual(["on", "on"]);
    expect(figure.alt).toContain("for 2 heads");
  });

  test("spends its ribbons on the heaviest weights of a head, whatever their query", () => {
    const sharp = eye(16).toArray();
    const [head] = ribbonCounts(headView([sharp, ...Array(7).fill(uniform(16))]));
    expect(head).toBe(16);
    const first = [...Array(8).fill(0.125), ...Array(8).fill(0)];
    const [mixed] = ribbonCounts(headView([[first, ...(sharp as number[][]).slice(1)], ...Array(7).fill(sharp)]));
    expect(mixed).toBe(15 + 8);
  });

  test("draws links of the same weight all or not at all, and says that a head is even", () => {
    const few = headView([uniform(3), uniform(3)]);
    expect(ribbonCounts(few)).toEqual([9, 9]);
    expect(few.alt).toContain("Heads 0, 1 are even: each query looks at all keys alike.");
    expect(few.alt).not.toContain("looks most at");
    expect(headView([[1], [1]]).alt).not.toContain("even");
    const many = headView([...Array(7).fill(eye(16).toArray()), uniform(16)]);
    expect(ribbonCounts(many)).toEqual([...Array(7).fill(16), 0]);
    expect(many.alt).toContain("Head 7 is even: each query looks at all keys alike. Its lines are not drawn.");
  });

  test("draws links of the same weight beyond its number, and all those of a head that is as good as even", () => {
    const window = Array.from({ length: 16 }, (_, i) =>
      Array.from({ length: 16 }, (_, j) => ((j - i + 16) % 16 < 4 ? 0.25 : 0)),
    );
    expect(ribbonCounts(headView(window))).toEqual([64]);
    expect(headView(window).alt).not.toContain("part of the weight");
    const nearly = headView(softmax(randomNormal([1, 1, 12, 12], 1).map((score) => score * 1e-4)));
    expect(ribbonCounts(nearly)).toEqual([144]);
    expect(nearly.alt).toContain("Head 0 is even");
  });

  test("says how much of the weight the lines hold, where it is not nearly all", () => {
    // Three heads have room for 16 lines each: here, those of 0.7.
    const four = Array.from({ length: 16 }, () => [0.7, 0.11, 0.1, 0.09, ...Array(12).fill(0)]);
    const texts = textsOf(headView([four, four, eye(16).toArray()])).join(" ");
    expect(texts.replaceAll("\u00A0", " ")).toContain(
      "The lines drawn hold part of the weight: 70 % in head 0, 70 % in head 1.",
    );
    expect(textsOf(headView(weights(1, 16, 16, 16))).join(" ")).toMatch(
      /The lines drawn hold \d\d to \d\d % of a head's weight\./,
    );
    expect(headView(pair).alt).not.toContain("part of the weight");
    const before = Array.from({ length: 16 }, (_, i) =>
      Array.from({ length: 16 }, (_, j) => (j > i ? 0 : 1 / (i + 1))),
    );
    expect(headView(before).alt).toContain("A query without a line gives no key more than 0.09.");
    expect(texts).not.toContain("without a line");
  });

  test("says it for the batch that is shown", () => {
    const sharp = eye(16).toArray();
    const figure = headView([Array(4).fill(sharp), [...Array(3).fill(sharp), uniform(16)]] as number[][][][]);
    expect(textsOf(figure).join(" ")).not.toContain("even");
    const [, second] = (layoutOf(figure).updatemenus ?? [])[0].buttons;
    expect(Object.values(second.args[1] as object).join(" ")).toContain("Head 3 is even");
  });

  test("draws no ribbon thinner than a live plot can show whole", () => {
    for (const ribbon of parts(headView(weights(1, 1, 16, 16)), "lines")) {
      for (const thickness of thicknesses(ribbon)) expect(thickness).toBeGreaterThanOrEqual(0.6 - 1e-9);
    }
  });

  test("tells heads of one colour apart by their ports", () => {
    const ports = parts(headView(weights(1, 64, 3, 3)), "markers") as unknown as {
      marker: { symbol: string; color: string };
    }[];
    expect(new Set(ports.map(({ marker: { symbol, color } }) => symbol + color)).size).toBe(64);
  });

  test("follows one query by its menu", () => {
    const figure = headView(weights(1, 2, 3, 3), { tokens: ["a", "b", "b"] });
    const [menu] = layoutOf(figure).updatemenus ?? [];
    expect(menu.buttons.map(({ label }) => label)).toEqual(["all queries", "query 0: a", "query 1: b", "query 2: b"]);
    const [{ opacity }] = menu.buttons[2].args as [{ opacity: number[] }];
    expect(opacity[1]).toBeGreaterThan(opacity[0]);
    expect(opacity).toHaveLength(4); // three queries and the ports, head by head
    expect(opacity[3]).toBe(1);
    expect((figure.data as Part[]).map(({ mode = "lines" }) => mode[0]).join("")).toBe("lllmlllm");
    expect((figure.layout as { meta: unknown }).meta).toEqual({ hoverMenu: 0 });
    expect(parts(figure, "markers")[0].customdata?.slice(0, 3)).toEqual([1, 2, 3]);
  });

  test("names each ribbon as the port of its key", () => {
    const figure = headView(eye(3));
    const keys = parts(figure, "markers")[0].customdata?.slice(3);
    expect(parts(figure, "lines").map(({ x, y }) => [x[0], y[0]])).toEqual(keys?.map((name) => [null, name]));
  });

  test("lets the pointer follow keys where there are too many queries for a menu", () => {
    const figure = headView(weights(1, 8, 40, 40));
    expect((figure.layout as { meta: unknown }).meta).toEqual({ hoverMenu: -1 });
    const [{ customdata }] = parts(figure, "markers");
    expect(customdata?.slice(0, 40)).toEqual(Array(40).fill(null));
    expect(new Set(customdata?.slice(40)).size).toBe(40);
  });

  test("says on hover where a query looks and by whom a key is seen, strongest first", () => {
    const [{ hovertext }] = parts(headView(pair, { tokens: ["a", "<b>"] }), "markers");
    expect(hovertext?.[0]).toBe("query 0: a looks at<br>0.9000  0: a<br>0.1000  1: &lt;b&gt;");
    expect(hovertext?.[3]).toBe("key 1: &lt;b&gt; is seen by<br>0.5000  1: &lt;b&gt;<br>0.1000  0: a");
  });

  test.each([
    [1, 8, 40, 40],
    [1, 64, 12, 12],
    [16, 8, 16, 16],
  ])("says at least the strongest for every query and key of shape (%i, %i, %i, %i)", (...shape) => {
    for (const { x, hovertext } of parts(headView(weights(...shape)), "markers")) {
      expect(hovertext).toHaveLength(x.length);
      for (const told of hovertext ?? [])
        expect(told).toMatch(/^(query|key) \d+ (looks|is seen)( most)? (at|by)<br>0\.\d{4} {2}\d+/);
    }
  });

  test("changes the batch by a menu, tokens included", () => {
    const figure = headView(weights(2, 2, 3, 3), {
      tokens: [
        ["a", "b", "c"],
        ["x", "y", "z"],
      ],
    });
    const [batches] = layoutOf(figure).updatemenus ?? [];
    expect(batches.buttons.map(({ label }) => label)).toEqual(["batch 0", "batch 1"]);
    const [data, layout] = batches.buttons[1].args as [{ hovertext: (string[] | null)[] }, Record<string, unknown>];
    expect(data.hovertext[3]?.[0]).toContain("query 0: x looks at");
    expect(Object.values(layout)).toEqual(["x", "y", "z", "x", "y", "z"]);
  });

  test("shows tokens as text", () => {
    const texts = textsOf(headView(pair, { tokens: ["<b>", "$x$"] }));
    expect(texts).toEqual(expect.arrayContaining(["&lt;b&gt;", "&#36;x&#36;"]));
  });

  test("says nothing of what is not finite where it is not shown", () => {
    const w = softmax(randomNormal([2, 2, 3, 3], 1));
    const odd = w.map((weight) => (weight === w.get(1, 1, 2, 0) ? Number.NaN : weight));
    expect(headView(odd, { batch: 0 }).alt).not.toContain("finite");
    expect(headView(odd, { batch: 1, heads: 0 }).alt).not.toContain("finite");
    expect(headView(odd, { batch: 1 }).alt).toContain("A weight that is not finite has no ribbon.");
  });

  test("draws no ribbon for what is not finite, and says so", () => {
    const figure = headView([
      [Number.NaN, Number.POSITIVE_INFINITY],
      [0.5, 0.5],
    ]);
    expect(parts(figure, "lines")[0].x).toEqual([null]);
    expect(parts(figure, "markers")[0].hovertext?.[0]).toContain("nan  0");
    expect(figure.alt).toContain("A weight that is not finite has no ribbon.");
  });

  test("says in words what is seen", () => {
    expect(headView(pair, { tokens: ["a", "b"] }).alt).toBe(
      "Ribbons from 2 queries to 2 keys for 1 head. " +
        "In head 0 query 'a' looks most at 'a' (0.90); query 'b' looks at all keys alike.",
    );
  });

  test("names the position of a token that is repeated", () => {
    const sentence = { tokens: ["the", "cat", "the"] };
    expect(headView(eye(3), sentence).alt).toContain(
      "query 'the' at 0 looks most at 'the' at 0 (1.00); query 'cat' looks most at 'cat' (1.00);",
    );
  });

  test.each([
    [1, 1, 1, 1],
    [16, 64, 16, 16],
    [16, 8, 16, 16],
    [1, 2, 60, 60],
    [1, 100, 3, 3],
    [1, 3, 2, 7],
  ])("fits the page for shape (%i, %i, %i, %i)", (...shape) => {
    expectInside(headView(weights(...shape)));
  });

  test("has every batch in its menu where they are light enough", () => {
    const buttons = (...shape: [number, number, number, number]): number =>
      (headView(weights(...shape)).layout as { updatemenus: { buttons: object[] }[] }).updatemenus[0].buttons.length;
    expect(buttons(3, 4, 10, 10)).toBe(3);
    expect(buttons(16, 8, 8, 8)).toBe(16);
    expect(buttons(16, 2, 16, 16)).toBe(16);
    expect(buttons(16, 8, 16, 16)).toBe(2);
  });

  test("says what it leaves out", () => {
    const notes = textsOf(headView(weights(16, 8, 16, 16))).join(" ");
    expect(notes).toContain("Left out: batches 2 to 15 (draw one with { batch: 2 }).");
  });

  test("names no key among equal weights, and none in a row without a number", () => {
    const nan = Number.NaN;
    const rows = [
      [0.5, 0.5, 0],
      [0.25, 0.25, 0.25],
      [0, 0, 0],
      [nan, nan, nan],
    ];
    expect(headView(rows).alt).toContain(
      "query 0 looks most at 0 and 1 (0.50 each); query 1 looks at all keys alike; " +
        "query 2 looks at no key (all weights are 0); query 3 has no finite weight",
    );
    expect(headView([rows[2], rows[2], rows[2]]).alt).not.toContain("alike");
  });

  test("says of other numbers that they are not softmax weights, in the picture and in words", () => {
    const figure = headView([
      [3, -1],
      [0.5, 0.5],
    ]);
    const note =
      "These are not softmax weights: 1 of 2 rows does not sum to 1; 1 number is below 0, down to -1; " +
      "1 number is above 1, up to 3. A ribbon ends at a weight of 1.5, and there is none below 0.";
    expect(figure.alt).toContain(note);
    expect(textsOf(figure).join(" ")).toContain(note);
    expectInside(figure);
    expect(headView(pair).alt).not.toContain("softmax");
  });

  test("keeps its menus beside its title", () => {
    const { updatemenus, width } = layoutOf(headView(weights(2, 2, 3, 3)));
    const menus = updatemenus as unknown as { x: number }[];
    for (const { x } of menus) expect(x * width).toBeGreaterThan(150);
  });

  test("gives Plotly's JSON the same picture, without what its pointer follows", () => {
    const figure = headView(weights(1, 2, 3, 3));
    const json = figure.toBundle()["application/vnd.plotly.v1+json"] as { data: Part[]; layout: object };
    expect(json.data.some(({ customdata, x }) => customdata !== undefined || x.includes(null))).toBe(false);
    const other = new Figure({ ...json, alt: figure.alt });
    expect(Buffer.from(other.toPng()).equals(Buffer.from(figure.toPng()))).toBe(true);
  });

  test("refuses what is no array of weights", () => {
    expect(() => headView([1, 2])).toThrow(
      "Cannot draw the head view: weights must have shape (B, H, T, T), (H, T, T) or (T, T), got shape (2,)",
    );
  });
});
