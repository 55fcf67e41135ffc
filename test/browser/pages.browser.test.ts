import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, launch } from "./chromium.js";
import { hoverCell, waitForPictures, waitForPlots } from "./figures.js";
import { figureCount, makeLesson, tslabAttention } from "./jupyter.js";

const plotly = readFileSync(createRequire(__filename).resolve("plotly.js-dist"), "utf8");
const cdn = "https://cdn.jsdelivr.net/npm/plotly.js-dist@*/plotly.js";

const nbconvert = spawnSync("jupyter-nbconvert", ["--version"], { encoding: "utf8" });
if (nbconvert.status !== 0) console.log("SKIPPED: nbconvert's pages (jupyter-nbconvert cannot be started)");

// Pages on disk, made from one executed notebook, in a browser that reaches nothing but the disk.
describe.skipIf(!chromiumPath)("a page on disk", () => {
  let folder: string;
  let browser: Browser;
  let context: BrowserContext | undefined;
  /** What the browser asked for that is neither on disk nor in the page. */
  const asked: string[] = [];
  const complaints: string[] = [];

  beforeAll(async () => {
    folder = makeLesson();
    tslabAttention("run", "--html", folder, join(folder, "figures.ipynb"));
    browser = await launch();
  });

  afterEach(() => context?.close());

  afterAll(async () => {
    await browser?.close();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  async function open(name: string, options: Parameters<Browser["newContext"]>[0] = {}, html?: string): Promise<Page> {
    if (html !== undefined) writeFileSync(join(folder, name), html);
    asked.length = complaints.length = 0;
    context = await browser.newContext({ viewport: { width: 1200, height: 1000 }, ...options });
    context.setDefaultTimeout(60_000);
    context.on("request", (request) => /^(?:file|data|blob):/.test(request.url()) || asked.push(request.url()));
    context.on("weberror", (error) => complaints.push(String(error.error())));
    context.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(`${message.text()} ${message.location().url}`);
    });
    await context.route(cdn, (route) => (cdnAnswers ? route.fulfill({ body: plotly, headers }) : route.abort()));
    const page = await context.newPage();
    await page.addInitScript(script);
    await page.goto(pathToFileURL(join(folder, name)).href);
    return page;
  }

  const headers = { "access-control-allow-origin": "*", "content-type": "application/javascript" };
  let cdnAnswers = false;
  let script = "";
  afterEach(() => {
    cdnAnswers = false;
    script = "";
  });

  /** The page's HTML, as a viewer leaves it that lets no script in. */
  const stripped = (name: string): string =>
    readFileSync(join(folder, name), "utf8").replace(/<script\b[\s\S]*?<\/script>/g, "");

  /** Resolves when the figures have given up looking for Plotly. */
  const searched = (page: Page) =>
    page.waitForFunction(() => !(window as { tslabAttentionPlotly?: object }).tslabAttentionPlotly);

  /** Where everything stands. */
  const places = (page: Page): Promise<number[]> =>
    page.evaluate(() =>
      [...document.querySelectorAll("h1, pre, img")].map((element) => element.getBoundingClientRect().top),
    );

  describe("made by run --html", () => {
    const name = "figures.html";

    test("has live figures, asks for nothing, and the console stays silent", async () => {
      const page = await open(name);
      await waitForPlots(page, ".output", figureCount);
      expect(await hoverCell(page.locator(".js-plotly-plot").nth(1), 0, 1, 5)).toContain("x[0, 1, 5] = 13");
      // No button of a figure sends its data anywhere.
      const buttons = await page.locator(".modebar-btn").evaluateAll((all) => all.map((one) => one.ariaLabel));
      expect(buttons.filter((name) => /share|cloud|studio/i.test(name ?? ""))).toEqual([]);
      expect(asked).toEqual([]);
      expect(complaints).toEqual([]);
    });

    test("shows each picture once, and all in the same places, without scripts", async () => {
      const live = await open(name);
      await waitForPlots(live, ".output", figureCount);
      const before = await places(live);
      await context?.close();
      for (const page of [
        await open(name, { javaScriptEnabled: false }),
        await open("bare.html", {}, stripped(name)),
      ]) {
        await waitForPictures(page, ".output", figureCount);
        expect(await places(page)).toEqual(before);
      }
    });

    test("shows its pictures, and asks for nothing, in a browser that cannot unpack", async () => {
      script = "delete window.DecompressionStream";
      const page = await open(name);
      await searched(page);
      await waitForPictures(page, ".output", figureCount);
      expect(asked).toEqual([]);
      expect(complaints).toEqual([]);
    });

    test("fits a phone, and a sheet of paper with its pictures", async () => {
      const page = await open(name, { viewport: { width: 360, height: 700 } });
      await waitForPlots(page, ".output", figureCount);
      const width = (): Promise<number> => page.evaluate(() => document.documentElement.scrollWidth);
      expect(await width()).toBe(360);
      await page.setViewportSize({ width: 700, height: 1000 });
      await page.emulateMedia({ media: "print" });
      await waitForPictures(page, ".output", figureCount);
      expect(await width()).toBe(700);
    });

    test.each(["light", "dark"] as const)(
      "is legible in a %s room: every text 4.5 to 1 on its ground",
      async (colorScheme) => {
        const page = await open(name, { colorScheme });
        expect(await page.evaluate(faintTexts)).toEqual([]);
        const [red] = await page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? []);
        expect(Number(red) > 128).toBe(colorScheme === "light");
      },
    );
  });

  describe.skipIf(nbconvert.status !== 0)("made by nbconvert", () => {
    const name = "nbconvert.html";

    beforeAll(() => {
      const { status, stderr } = spawnSync(
        "jupyter-nbconvert",
        ["--to", "html", "--output", name, join(folder, "figures.ipynb")],
        { encoding: "utf8" },
      );
      if (status !== 0) throw new Error(stderr);
    });

    const ours = () => complaints.filter((text) => /plotly|tslab|figure/i.test(text.replaceAll(folder, "")));

    test("keeps the pictures where Plotly cannot be reached, in their places, and none of them complains", async () => {
      const live = await open(name, { javaScriptEnabled: false });
      await waitForPictures(live, ".jp-OutputArea-child", figureCount);
      const before = await places(live);
      await context?.close();
      const page = await open(
        "unreached.html",
        {},
        readFileSync(join(folder, name), "utf8").replace(/<script src[^>]*><\/script>/g, ""),
      );
      await searched(page);
      await waitForPictures(page, ".jp-OutputArea-child", figureCount);
      expect(await places(page)).toEqual(before);
      expect(ours()).toEqual([]);
    });

    test("has live figures beside RequireJS and MathJax, and a token $x$ is no formula", async () => {
      cdnAnswers = true;
      const page = await open(name);
      await waitForPlots(page, ".jp-OutputArea-child", figureCount);
      if (await page.evaluate(() => "requirejs" in window && "MathJax" in window)) {
        await page.waitForSelector(".jp-RenderedHTMLCommon .MathJax, .jp-RenderedHTMLCommon .MathJax_CHTML");
      } else console.log("SKIPPED: RequireJS and MathJax on nbconvert's page (it cannot load its own)");
      const labels = page.locator(".js-plotly-plot").first();
      expect(await labels.locator("[class*=MathJax]").count()).toBe(0);
      expect(await labels.locator("text", { hasText: "$x$" }).count()).toBeGreaterThan(0);
      expect(ours()).toEqual([]);
    });

    test("shows each picture once when all scripts are stripped", async () => {
      const page = await open("bare.html", {}, stripped(name));
      await waitForPictures(page, ".jp-OutputArea-child", figureCount);
      expect(asked).toEqual([]);
    });
  });
});

/** The texts of the page, figures aside, whose contrast to their ground is below 4.5. */
function faintTexts(): string[] {
  const channels = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number);
  const luminance = (color: string): number => {
    const [r, g, b] = channels(color).map((value) => {
      const share = value / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element: Element | null): string => {
    if (!element) return "rgb(255, 255, 255)";
    const { backgroundColor } = getComputedStyle(element);
    return channels(backgroundColor)[3] === 0 ? ground(element.parentElement) : backgroundColor;
  };
  return [...document.querySelectorAll("main *")]
    .filter((element) => !element.closest(".tslab-attention-figure, .katex-mathml, script"))
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim()))
    .flatMap((element) => {
      const [high, low] = [luminance(getComputedStyle(element).color), luminance(ground(element))].sort(
        (a, b) => b - a,
      );
      const contrast = (high + 0.05) / (low + 0.05);
      return contrast < 4.5 ? [`${element.textContent?.slice(0, 40)}: ${contrast.toFixed(2)}`] : [];
    });
}
