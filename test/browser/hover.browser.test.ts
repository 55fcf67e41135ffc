import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, launch } from "./chromium.js";

// The built package: the script inside a figure is its compiled text.
const load = createRequire(__filename);
const {
  arange,
  attentionMap,
  attentionSteps,
  compareArrays,
  eye,
  headSplit,
  headView,
  randomNormal,
  softmax,
  softmaxBars,
  stepFigures,
} = load("../../dist/index.js") as typeof import("../../src/index.js");
type Figure = ReturnType<typeof attentionMap>;

const library = readFileSync(load.resolve("plotly.js-dist"), "utf8");
const x = randomNormal([2, 3, 4], 1);
const steps = attentionSteps(x, eye(4), eye(4), eye(4), eye(4), 2);
const tokens = ["<b>the</b>", "$x$", ""];

describe.skipIf(!chromiumPath)("the makers of figures, live", () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await launch();
    page = await browser.newPage({ viewport: { width: 1000, height: 1200 } });
    await page.setContent(`<!doctype html><html><head><script>${library}</script></head><body></body></html>`);
  });
  afterAll(() => browser.close());

  async function show(figure: Figure): Promise<void> {
    await page.mouse.move(0, 0);
    await page.evaluate((html) => {
      document.body.style.cssText = "margin:0";
      document.body.replaceChildren(document.createRange().createContextualFragment(html));
    }, figure.toHtml());
    await page.waitForFunction(() => {
      const plot = document.querySelector(".js-plotly-plot");
      return plot !== null && getComputedStyle(plot).visibility === "visible";
    });
  }

  /** The lines of the label that comes when the pointer rests here. */
  async function hover(left: number, top: number): Promise<string> {
    await page.mouse.move(1, 1);
    await page.waitForFunction(() => document.querySelector(".hovertext") === null); // no label of before
    await page.mouse.move(left - 2, top - 1);
    await page.mouse.move(left, top);
    await page.waitForSelector(".hovertext tspan.line");
    return (await page.locator(".hovertext tspan.line").allTextContents()).join(" | ");
  }

  async function choose(menu: number, button: number): Promise<void> {
    await page.locator(".updatemenu-header").nth(menu).click();
    await page.locator(".updatemenu-dropdown-button").nth(button).click();
    await page.waitForTimeout(300);
  }

  /** The middle of a cell of a trace, on the page. */
  const cell = (figure: Figure, trace: number, row: number, column: number): [number, number] => {
    const { x0, dx, y0, dy } = figure.data[trace] as Record<"x0" | "dx" | "y0" | "dy", number>;
    return [x0 + column * dx, y0 + row * dy];
  };

  const opacities = (): Promise<(number | undefined)[]> =>
    page
      .locator(".js-plotly-plot")
      .evaluate((plot) =>
        (plot as unknown as { data: { mode?: string; opacity?: number }[] }).data
          .filter(({ mode }) => mode !== "markers")
          .map(({ opacity }) => opacity),
      );

  test("attentionMap says query, key and weight under the pointer, in every batch", async () => {
    const figure = attentionMap(steps.weights, { tokens });
    await show(figure);
    const told = await hover(...cell(figure, 1, 0, 2));
    expect(told).toBe(
      `head 1 | query 0: <b>the</b> | key 2: (empty) | weight ${Number(steps.weights.get(0, 1, 0, 2).toFixed(8))}`,
    );
    await choose(0, 1);
    expect(await hover(...cell(figure, 1, 1, 0))).toContain(
      `query 1: $x$ | key 0: <b>the</b> | weight ${Number(steps.weights.get(1, 1, 1, 0).toFixed(8))}`,
    );
  });

  test("attentionMap names what is not finite, and says what is odd, in the batch that has it", async () => {
    const odd = steps.weights.map((weight) =>
      weight === steps.weights.get(1, 1, 1, 0) ? Number.POSITIVE_INFINITY : weight,
    );
    const figure = attentionMap(odd);
    await show(figure);
    expect(await page.locator(".annotation-text").allTextContents()).not.toContain("new text");
    expect(await hover(...cell(figure, 1, 1, 0))).toContain(`weight ${Number(odd.get(0, 1, 1, 0).toFixed(8))}`);
    await choose(0, 1);
    expect(await hover(...cell(figure, 1, 1, 0))).toMatch(/weight inf$/);
    expect(await page.locator("svg text").allTextContents()).toContain("Each row is a query, each column a key.");
  });

  test("attentionMap of many heads says in Plotly's JSON what it says live", async () => {
    const figure = attentionMap(softmax(randomNormal([64, 16, 16], 1)));
    const json = figure.toBundle()["application/vnd.plotly.v1+json"];
    await page.mouse.move(0, 0);
    await page.evaluate(async (parts) => {
      document.body.innerHTML = "<div id=plot></div>";
      await (
        globalThis as unknown as { Plotly: { newPlot(where: string, parts: unknown): Promise<void> } }
      ).Plotly.newPlot("plot", parts);
    }, json);
    const fromJson = await hover(...cell(figure, 9, 3, 5));
    await show(figure);
    expect(fromJson).toMatch(/^head 9 \| query 3 \| key 5 \| weight 0\.\d{2,}$/);
    expect(await hover(...cell(figure, 9, 3, 5))).toBe(fromJson);
  });

  test("stepFigures says the numbers of the batch that its menu chose, of the matrices those of all", async () => {
    const matrices = { wQ: eye(4), wK: eye(4), wV: eye(4), wO: eye(4) };
    const [figure] = stepFigures({ ...steps, x, ...matrices });
    await show(figure);
    await choose(0, 1);
    expect(await hover(...cell(figure, 2, 1, 3))).toContain(`q[1, 1, 3] | ${steps.q.get(1, 1, 3)}`);
    expect(await hover(...cell(figure, 1, 2, 2))).toContain("wQ[2, 2] | 1");
  });

  test("headView follows a query by pointer and by menu, and its legend switches heads", async () => {
    const figure = headView(steps.weights, { tokens });
    await show(figure);
    const port = (figure.data as { mode: string; x: number[]; y: number[] }[]).find(({ mode }) => mode === "markers");
    const [left, top] = [port?.x[1] ?? 0, port?.y[1] ?? 0];
    expect(await hover(left, top)).toContain("head 0 | query 1: $x$ looks at");
    await page.waitForTimeout(300);
    expect(await opacities()).toEqual([0.07, 0.9, 0.07, 0.07, 0.9, 0.07]);
    await page.mouse.move(left + 150, 5);
    await page.waitForTimeout(300);
    expect(new Set(await opacities())).toEqual(new Set([0.6]));

    await choose(1, 3);
    expect(await opacities()).toEqual([0.07, 0.07, 0.9, 0.07, 0.07, 0.9]);
    await hover(left, top);
    await page.mouse.move(left + 150, 5);
    await page.waitForTimeout(300);
    expect(await opacities()).toEqual([0.07, 0.07, 0.9, 0.07, 0.07, 0.9]);

    const ribbons = (): Promise<number> => page.locator(".scatterlayer .js-fill").count();
    const before = await ribbons();
    await page.locator(".legendtoggle").nth(0).click();
    await page.waitForTimeout(800);
    expect(await ribbons()).toBe(before / 2);
  });

  test("headView follows a key by pointer: of every head, the ribbons that end there", async () => {
    const figure = headView(steps.weights, { tokens });
    await show(figure);
    const ports = (figure.data as { mode: string; x: number[]; y: number[] }[]).filter(
      ({ mode }) => mode === "markers",
    );
    /** Where the ribbons end, at their keys: an outline is a gap and four corners, the second and third on the right. */
    const ends = (): Promise<number[]> =>
      page
        .locator(".js-plotly-plot")
        .evaluate((plot) =>
          (plot as unknown as { data: { mode?: string; x: (number | null)[]; y: number[] }[] }).data
            .filter(({ mode }) => mode !== "markers")
            .flatMap(({ x, y }) =>
              y.flatMap((_, at) => (at % 5 === 2 && x[at] !== null ? [(y[at] + y[at + 1]) / 2] : [])),
            ),
        );
    const ribbons = (): Promise<number> => page.locator(".scatterlayer .js-fill").count();
    const [all, drawn] = [await ends(), await ribbons()];
    expect(all).toHaveLength(18); // each of three queries at each of three keys, in two heads

    expect(await hover(ports[1].x[4], ports[1].y[4])).toContain("head 1 | key 1: $x$ is seen by");
    await page.waitForTimeout(300);
    const kept = [ports[0].y[4], ports[1].y[4]].flatMap((y) => [y, y, y]);
    expect((await ends()).map((y) => Math.round(10 * y) / 10)).toEqual(kept);

    await page.mouse.move(ports[1].x[5], ports[1].y[5]);
    await page.waitForTimeout(300);
    expect(await ends()).toHaveLength(6);
    await page.mouse.move(ports[0].x[0] + 150, 5);
    await page.waitForTimeout(300);
    expect(await ends()).toEqual(all);
    expect(await ribbons()).toBe(drawn);
  });

  test.each<[string, Figure, number, [number, number], string]>([
    ["attentionMap with NaN", attentionMap([[Number.NaN, 0.125]]), 0, [0, 0], "key 0 | weight nan"],
    ["attentionMap of a small weight", attentionMap([[0.999961, 0.0000394]]), 0, [0, 1], "key 1 | weight 0.0000394"],
    ["attentionMap of a large number", attentionMap([[1e300, 0.5]]), 0, [0, 0], "key 0 | weight 1e+300"],
    ["attentionMap beside NaN", attentionMap([[Number.NaN, 0.125]]), 0, [0, 1], "key 1 | weight 0.125"],
    ["headSplit", headSplit(arange(8).reshape(1, 2, 4), 2), 2, [1, 0], "x[0, 1, 2] = 6 | of head 1"],
    ["compareArrays", compareArrays([[1, 2]], [[1, 3]]), 0, [0, 1], "[0, 1] | 2 instead of 3"],
    ["stepFigures", stepFigures(steps)[5], 1, [2, 1], `weights[0, 0, 2, 1] | ${steps.weights.get(0, 0, 2, 1)}`],
  ])("%s says the number under the pointer", async (_, figure, trace, [row, column], told) => {
    await show(figure);
    expect(await hover(...cell(figure, trace, row, column))).toContain(told);
  });

  test.each([
    ["attentionMap", attentionMap(steps.weights, { tokens })],
    ["headView", headView(steps.weights, { tokens })],
    ["softmaxBars", softmaxBars(steps.scores, { tokens })],
    ["stepFigures", stepFigures(steps, { tokens })[5]],
  ])("%s shows tokens as text", async (_, figure) => {
    await show(figure);
    const texts = await page.locator("svg text").allTextContents();
    expect(texts).toEqual(expect.arrayContaining(["<b>the</b>", "$x$", "(empty)"]));
    expect(await page.locator("svg text b, svg a, svg mjx-container").count()).toBe(0);
  });
});
