import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, launch } from "./chromium.js";
import { waitForPlots } from "./figures.js";

const load = createRequire(__filename);
type Package = typeof import("../../src/index.js");
const {
  arange,
  attentionMap,
  attentionSteps,
  compareArrays,
  headSplit,
  headView,
  randomNormal,
  softmax,
  softmaxBars,
  stepFigures,
} = load("../../dist/index.js") as Package;
type Figure = InstanceType<Package["Figure"]>;

const library = readFileSync(load.resolve("plotly.js-dist"), "utf8");

const x = randomNormal([2, 4, 6], 1);
const [wQ, wK, wV, wO] = [2, 3, 4, 5].map((seed) => randomNormal([6, 6], seed));
const steps = { ...attentionSteps(x, wQ, wK, wV, wO, 3), x, wQ, wK, wV, wO };
const largeX = randomNormal([2, 10, 16], 1);
const [largeQ, largeK, largeV, largeO] = [2, 3, 4, 5].map((seed) => randomNormal([16, 16], seed));
const large = {
  ...attentionSteps(largeX, largeQ, largeK, largeV, largeO, 4),
  ...{ x: largeX, wQ: largeQ, wK: largeK, wV: largeV, wO: largeO },
};
const tokens = ["the", "<b>cat</b>", "$sat$", "on & on"];
const many = softmax(randomNormal([1, 8, 16, 16], 6));

/** A figure, or several, of each maker. */
const makers: Record<string, () => Figure | Figure[]> = {
  "attentionMap, batches by menu": () => attentionMap(steps.weights, { tokens }),
  "attentionMap, eight heads of sixteen tokens": () => attentionMap(many),
  "attentionMap, without a number": () =>
    attentionMap([
      [0.5, Number.NaN],
      [Number.POSITIVE_INFINITY, 0.25],
    ]),
  "attentionMap, odd in a batch that is not shown": () =>
    attentionMap(steps.weights.map((weight) => (weight === steps.weights.get(1, 1, 1, 0) ? 5 : weight))),
  headSplit: () => headSplit(arange(24).reshape(1, 3, 8), 2),
  "headSplit, right and wrong": () => headSplit(arange(2 * 5 * 12).reshape(2, 5, 12), 3, { wrong: true }),
  headView: () => headView(steps.weights, { tokens }),
  "headView, eight heads of sixteen tokens": () => headView(many),
  stepFigures: () => stepFigures(steps),
  "stepFigures, one head": () => stepFigures(steps, { head: 1, tokens }),
  "stepFigures, without room for numbers": () => stepFigures(large),
  softmaxBars: () => softmaxBars(steps.scores, { query: 1 }),
  compareArrays: () =>
    compareArrays(
      steps.output,
      steps.output.map((value) => (value > 1 ? value + 0.5 : value)),
    ),
};

/**
 * How far a picture and its live plot may lie apart; see `difference`. Seen: 0.0011 and 0.067, from edges of letters and a
 * menu's arrow; a label of three letters that is missing gives 0.106, labels moved by two pixels 0.125.
 */
const limits = { mean: 0.0015, worst: 0.09 };

describe.skipIf(!chromiumPath)("the live plot looks as its picture does", () => {
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    browser = await launch();
    page = await browser.newPage({ viewport: { width: 1300, height: 1600 }, deviceScaleFactor: 2 });
    await page.setContent(`<!doctype html><style>${fonts}</style><body><div id="output"></div>`);
    await page.addScriptTag({ content: library });
    await page.evaluate(async () => {
      const styles = ["", "bold ", "italic ", "bold italic "];
      await Promise.all(styles.map((style) => document.fonts.load(`${style}12px "Open Sans"`)));
    });
  });

  afterAll(() => browser?.close());

  test.each(Object.entries(makers))("%s", async (_, make) => {
    for (const figure of [make()].flat()) {
      await page.evaluate(show, figure.toHtml());
      await waitForPlots(page, "body", 1);
      const plot = await page.locator(".tslab-attention-figure").screenshot();
      const pictures = [Buffer.from(figure.toPng()).toString("base64"), plot.toString("base64")];
      const { mean, worst, where } = await page.evaluate(difference, pictures);
      expect.soft(mean, figure.alt).toBeLessThan(limits.mean);
      expect.soft(worst, `around ${where} in: ${figure.alt}`).toBeLessThan(limits.worst);
    }
  });
});

// The fonts that drew the picture: the comparison is of figures, not of the fonts on the machine.
const fonts = [
  ["400Regular", 400, "normal"],
  ["400Regular_Italic", 400, "italic"],
  ["700Bold", 700, "normal"],
  ["700Bold_Italic", 700, "italic"],
]
  .map(([name, weight, style]) => {
    const file = load.resolve(`@expo-google-fonts/open-sans/${name}/OpenSans_${name}.ttf`);
    const data = readFileSync(file).toString("base64");
    return `@font-face { font-family: "Open Sans"; font-weight: ${weight}; font-style: ${style}; src: url(data:font/ttf;base64,${data}) }`;
  })
  .join("\n");

/** Puts a figure on the page as notebooks do: the HTML first, then its scripts. */
function show(html: string): void {
  const output = document.getElementById("output") as HTMLElement;
  output.innerHTML = html;
  for (const inert of output.querySelectorAll("script")) {
    const script = document.createElement("script");
    script.textContent = inert.textContent;
    inert.replaceWith(script);
  }
}

interface Difference {
  /** The mean difference of all channels, from 0 to 1. */
  mean: number;
  /** The largest difference of a patch of 16 x 16 pixels of the figure, each taken as its mean colour. */
  worst: number;
  /** Where that patch is. */
  where: string;
}

async function difference(pictures: string[]): Promise<Difference> {
  const patch = 32; // of the picture's pixels, two for each of the figure's
  let across = 0;
  const sizes: string[] = [];
  const [one, other] = await Promise.all(
    pictures.map(async (base64) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
      sizes.push(`${bitmap.width} x ${bitmap.height}`);
      across = Math.ceil(bitmap.width / patch);
      const context = new OffscreenCanvas(across, Math.ceil(bitmap.height / patch)).getContext("2d");
      if (!context) throw new Error("no canvas");
      context.imageSmoothingQuality = "high";
      context.drawImage(bitmap, 0, 0, context.canvas.width, context.canvas.height);
      return context.getImageData(0, 0, context.canvas.width, context.canvas.height).data;
    }),
  );
  if (sizes[0] !== sizes[1]) throw new Error(`the picture is ${sizes[0]}, the plot ${sizes[1]}`);
  const apart = Array.from(one, (value, k) => Math.abs(value - other[k]) / 255);
  const worst = Math.max(...apart);
  const at = Math.floor(apart.indexOf(worst) / 4);
  return {
    mean: apart.reduce((sum, value) => sum + value, 0) / apart.length,
    worst,
    where: `x=${((at % across) * patch) / 2}, y=${(Math.floor(at / across) * patch) / 2}`,
  };
}
