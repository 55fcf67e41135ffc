import { describe, expect, test } from "vitest";
import { eye } from "../../src/array/make.js";
import type { NDArray } from "../../src/array/ndarray.js";
import { randomNormal } from "../../src/array/random.js";
import { softmax } from "../../src/array/softmax.js";
import type { Figure } from "../../src/display/figure.js";
import { headView } from "../../src/figures/head-view.js";
import { headColor } from "../../src/figures/palette.js";
import { expectInside, jsonSize, layoutOf, textsOf } from "./reading.js";

interface Part {
  readonly mode: "lines" | "markers";
  readonly name?: string;
  readonly x: readonly (number | null)[];
  readonly y: readonly (number | null)[];
  readonly fillcolor?: string;
  readonly opacity?: number;
  readonly visible?: string;
  readonly legendgroup: string;
  readonly showlegend?: boolean;
  readonly hovertext?: readonly string[];
}

const parts = (figure: Figure, mode: Part["mode"]): Part[] =>
  (figure.data as Part[]).filter((part) => part.mode === mode);

/** The thickness of each ribbon of a trace, where it starts. */
function thicknesses({ y }: Part): number[] {
  return y.flatMap((value, at) => (at % 5 === 0 ? [Number(y[at + 3]) - Number(value)] : []));
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
    const even = Array.from({ length: 8 }, () => Array(8).fill(1 / 8));
    const figure = headView([...Array(3).fill(eye(8).toArray()), even]);
    expect(figure.alt).toContain("for 3 of 4 heads");
    expect(figure.alt).toContain("Only the first 3 heads are switched on at first");
  });

  test("follows one query by its menu", () => {
    const figure = headView(weights(1, 2, 3, 3), { tokens: ["a", "b", "b"] });
    const [menu] = layoutOf(figure).updatemenus ?? [];
    expect(menu.buttons.map(({ label }) => label)).toEqual(["all queries", "query 0: a", "query 1: b", "query 2: b"]);
    const [{ opacity }] = menu.buttons[2].args as [{ opacity: number[] }];
    expect(opacity[1]).toBeGreaterThan(opacity[0]);
    expect(opacity).toHaveLength(4); // three queries and the ports, head by head
    expect(opacity[3]).toBe(1);
    expect((figure.data as Part[]).map(({ mode }) => mode[0]).join("")).toBe("lllmlllm");
    expect((figure.layout as { meta: unknown }).meta).toEqual({ hoverMenu: 0 });
    expect((parts(figure, "markers")[0] as { customdata?: unknown }).customdata).toEqual([1, 2, 3]);
  });

  test("says on hover where a query looks and by whom a key is seen, strongest first", () => {
    const [{ hovertext }] = parts(headView(pair, { tokens: ["a", "<b>"] }), "markers");
    expect(hovertext?.[0]).toBe("query 0: a looks at<br>0.9000  0: a<br>0.1000  1: &lt;b&gt;");
    expect(hovertext?.[3]).toBe("key 1: &lt;b&gt; is seen by<br>0.5000  1: &lt;b&gt;<br>0.1000  0: a");
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

  test("draws no ribbon for what is not finite, and says so", () => {
    const figure = headView([
      [Number.NaN, Number.POSITIVE_INFINITY],
      [0.5, 0.5],
    ]);
    expect(parts(figure, "lines")[0].x).toEqual([]);
    expect(parts(figure, "markers")[0].hovertext?.[0]).toContain("nan  0");
    expect(figure.alt).toContain("A weight that is not finite has no ribbon.");
  });

  test("says in words what is seen", () => {
    expect(headView(pair, { tokens: ["a", "b"] }).alt).toBe(
      "Ribbons from 2 queries to 2 keys for 1 head. " +
        "In head 0 query 'a' looks most at 'a' (0.90); query 'b' looks most at 'a' (0.50).",
    );
  });

  test.each([
    [1, 1, 1, 1],
    [16, 64, 16, 16],
    [16, 8, 16, 16],
    [1, 2, 60, 60],
    [1, 100, 3, 3],
    [1, 3, 2, 7],
  ])("fits the page and stays small for shape (%i, %i, %i, %i)", (...shape) => {
    const figure = headView(weights(...shape));
    expectInside(figure);
    expect(jsonSize(figure)).toBeLessThan(220_000);
  });

  test("says what it leaves out", () => {
    const notes = textsOf(headView(weights(16, 8, 16, 16))).join(" ");
    expect(notes).toContain(
      "Left out: batches 2 to 15 (choose with batch); all but the 2 strongest keys of each query.",
    );
  });

  test("refuses what is no array of weights", () => {
    expect(() => headView([1, 2])).toThrow(
      "Cannot draw the head view: weights must have shape (B, H, T, T), (H, T, T) or (T, T), got shape (2,)",
    );
  });
});
