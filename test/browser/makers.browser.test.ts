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
  splitHeads,
  stepFigures,
} = load("../../dist/index.js") as typeof import("../../src/index.js");
type Figure = ReturnType<typeof attentionMap>;

const library = readFileSync(load.resolve("plotly.js-dist"), "utf8");
const font = readFileSync(load.resolve("@expo-google-fonts/open-sans/400Regular/OpenSans_400Regular.ttf"));
// The live plot in the picture's own font, so that the two can be compared.
const fontFace = `<style>@font-face{font-family:"Open Sans";src:url(data:font/ttf;base64,${font.toString("base64")})}</style>`;

const x = randomNormal([2, 3, 4], 1);
const steps = attentionSteps(x, eye(4), eye(4), eye(4), eye(4), 2);
const tokens = ["<b>the</b>", "$x$", ""];

const figures: Record<string, () => Figure> = {
  attentionMap: () => attentionMap(steps.weights, { tokens }),
  "attentionMap of 64 heads": () => attentionMap(softmax(randomNormal([1, 64, 16, 16], 1))),
  headSplit: () => headSplit(arange(120).reshape(2, 5, 12), 3, { wrong: true }),
  headView: () => headView(steps.weights, { tokens }),
  softmaxBars: () => softmaxBars(steps.scores, { query: 1, d: 2, tokens }),
  compareArrays: () => compareArrays(arange(24).reshape(1, 2, 3, 4), splitHeads(arange(24).reshape(1, 3, 8), 2)),
  "stepFigures, the first": () => stepFigures(steps, { tokens })[0],
  "stepFigures, the sixth": () => stepFigures(steps, { tokens })[5],
};

describe.skipIf(!chromiumPath)("the makers of figures, live", () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await launch();
    page = await browser.newPage({ deviceScaleFactor: 2, viewport: { width: 1000, height: 1200 } });
    await page.setContent(
      `<!doctype html><html><head>${fontFace}<script>${library}</script></head>` +
        `<body style="font-family:'Open Sans'">Aa</body></html>`,
    );
    await page.evaluate(() => document.fonts.ready);
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
          .filter(({ mode }) => mode === "lines")
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

  test.each<[string, Figure, number, [number, number], string]>([
    ["attentionMap with NaN", attentionMap([[Number.NaN, 0.125]]), 0, [0, 0], "key 0 | weight nan"],
    ["attentionMap beside NaN", attentionMap([[Number.NaN, 0.125]]), 0, [0, 1], "key 1 | weight 0.125"],
    ["headSplit", headSplit(arange(8).reshape(1, 2, 4), 2), 2, [1, 0], "x[0, 1, 2] = 6 | of head 1"],
    ["compareArrays", compareArrays([[1, 2]], [[1, 3]]), 0, [0, 1], "[0, 1] | 2 instead of 3"],
    ["stepFigures", stepFigures(steps)[5], 1, [2, 1], `weights[0, 0, 2, 1] | ${steps.weights.get(0, 0, 2, 1)}`],
  ])("%s says the number under the pointer", async (_, figure, trace, [row, column], told) => {
    await show(figure);
    expect(await hover(...cell(figure, trace, row, column))).toContain(told);
  });

  test.each(["attentionMap", "headView", "softmaxBars", "stepFigures, the first"])(
    "%s shows tokens as text",
    async (name) => {
      await show(figures[name]());
      const texts = await page.locator("svg text").allTextContents();
      expect(texts).toEqual(expect.arrayContaining(["<b>the</b>", "$x$", "(empty)"]));
      expect(await page.locator("svg text b, svg a, svg mjx-container").count()).toBe(0);
    },
  );

  test.each(Object.keys(figures))("%s looks the same in the picture and live", async (name) => {
    const figure = figures[name]();
    await show(figure);
    await page.addStyleTag({ content: ".modebar { display: none }" });
    const live = await page.locator(".js-plotly-plot").screenshot();
    const difference = await page.evaluate(
      async ([one, other]) => {
        const shades = async (png: string): Promise<{ data: Uint8ClampedArray; width: number }> => {
          const image = new Image();
          image.src = `data:image/png;base64,${png}`;
          await image.decode();
          const canvas = document.createElement("canvas");
          // A quarter of the size: what is compared is where things are and their colour, not the edges of letters.
          canvas.width = Math.round(image.width / 4);
          canvas.height = Math.round(image.height / 4);
          const context = canvas.getContext("2d") as CanvasRenderingContext2D;
          context.imageSmoothingQuality = "high";
          context.drawImage(image, 0, 0, canvas.width, canvas.height);
          return { data: context.getImageData(0, 0, canvas.width, canvas.height).data, width: canvas.width };
        };
        const [a, b] = [await shades(one), await shades(other)];
        if (a.data.length !== b.data.length || a.width !== b.width) return { far: 1, share: 1 };
        let far = 0;
        for (let at = 0; at < a.data.length; at += 4) {
          const off = Math.max(...[0, 1, 2].map((channel) => Math.abs(a.data[at + channel] - b.data[at + channel])));
          if (off > 48) far++;
        }
        return { far, share: far / (a.data.length / 4) };
      },
      [Buffer.from(figure.toPng()).toString("base64"), live.toString("base64")],
    );
    // Small cells have more edges, and an edge may fall half a pixel apart.
    expect(difference.share).toBeLessThan(name.includes("64") ? 0.015 : 0.008);
  });
});
