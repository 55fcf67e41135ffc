import { rmSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, launch } from "./chromium.js";
import { choose, hoverCell, seen, toggle, waitForPictures, waitForPlots } from "./figures.js";
import { cells, figureCount, Jupyter, makeLesson, sendToAStranger } from "./jupyter.js";
import { jupyterLab, notebook6, type Viewer } from "./viewers.js";

const { randomNormal, softmax } = createRequire(__filename)(
  "../../dist/index.js",
) as typeof import("../../src/index.js");

// The real server, the real kernel, one notebook; each test goes on where the one before it left off.
describe.each([jupyterLab, notebook6])("in $name", (viewer: Viewer) => {
  describe.skipIf(!chromiumPath || !viewer.command)("a figure", () => {
    let browser: Browser;
    let context: BrowserContext;
    let page: Page;
    let jupyter: Jupyter;
    let folder: string;
    const strangers: string[] = [];
    const complaints: string[] = [];

    beforeAll(async () => {
      folder = makeLesson();
      browser = await launch();
      jupyter = await Jupyter.start(viewer.command ?? "", folder);
      // High enough that every cell is in view: a viewer may take away what is scrolled out of it.
      context = await browser.newContext({ viewport: { width: 1300, height: 6000 } });
      context.setDefaultTimeout(60_000);
      context.on("request", (request) => {
        const url = request.url();
        if (!/^(?:data|blob|about):/.test(url) && !url.startsWith(jupyter.address)) strangers.push(url);
      });
      context.on("weberror", (error) => complaints.push(String(error.error())));
      context.on("console", (message) => {
        if (["error", "warning"].includes(message.type())) complaints.push(message.text());
      });
      page = await context.newPage();
      await viewer.open(page, jupyter, "figures.ipynb");
    });

    afterEach(() => {
      expect(strangers).toEqual([]);
      // The viewer's own complaints are its own; none is of a figure.
      expect(complaints.filter((text) => /plotly|tslab|figure/i.test(text))).toEqual([]);
    });

    afterAll(async () => {
      await browser?.close();
      await jupyter?.stop();
      if (folder) rmSync(folder, { recursive: true, force: true });
    });

    const plot = (k: number) => page.locator(viewer.codeCells).nth(k).locator(".js-plotly-plot");

    /** Waits until the first code cells carry these execution counts. */
    async function executed(counts: number[]): Promise<void> {
      await page.waitForFunction(
        ({ codeCells, prompt, counts }) => {
          const prompts = [...document.querySelectorAll(`${codeCells} ${prompt}`)].map(
            (found) => found.textContent ?? "",
          );
          return counts.every((count, k) => prompts[k]?.includes(`[${count}]`));
        },
        { ...selectors(viewer), counts },
      );
    }

    test("is live when its cell has run, one cell after the other", async () => {
      await page.keyboard.press("Shift+Enter"); // the prose
      for (let k = 0; k < cells.length; k++) {
        // After the last cell, Shift+Enter would add one.
        await page.keyboard.press(k === cells.length - 1 ? "Control+Enter" : "Shift+Enter");
        await executed(Array.from({ length: k + 1 }, (_, at) => at + 1));
        await waitForPlots(page, viewer.codeCells, k);
      }
    });

    test("says the right number under the mouse, in the batch that the menu chose", async () => {
      const weights = softmax(randomNormal([2, 3, 4, 4], 1));
      const said = async (): Promise<string> => hoverCell(plot(1), 2, 1, 3);
      const weight = async (): Promise<number> => Number(/weight ([\d.]+)/.exec(await said())?.[1]);
      expect(await said()).toMatch(/head 2.*<b>bold<\/b>.*sat/);
      expect(await weight()).toBeCloseTo(weights.get(0, 2, 1, 3), 6);
      await choose(plot(1), "batch 1");
      await expect.poll(weight).toBeCloseTo(weights.get(1, 2, 1, 3), 6);
      expect(await hoverCell(plot(2), 0, 1, 5)).toContain("x[0, 1, 5] = 13");
    });

    test("hides and shows a trace by its legend", async () => {
      const lines = plot(3).locator(".scatterlayer .trace");
      await expect.poll(() => lines.count()).toBe(2);
      await toggle(plot(3), "first");
      await expect.poll(() => lines.count()).toBe(1);
      await toggle(plot(3), "first");
      await expect.poll(() => lines.count()).toBe(2);
    });

    test("switches a head of headView off and on", async () => {
      const ribbons = async (): Promise<number> => plot(4).locator(".scatterlayer .trace path").count();
      const all = await ribbons();
      await toggle(plot(4), "head 1");
      await expect.poll(ribbons).toBeLessThan(all);
      await toggle(plot(4), "head 1");
      await expect.poll(ribbons).toBe(all);
    });

    test("keeps a token $x$ as it is, while prose has its formulas", async () => {
      await page.waitForSelector(".MathJax, mjx-container, [data-jp-suppress-context-menu] .MathJax");
      expect(await plot(1).locator(".MathJax, mjx-container").count()).toBe(0);
      expect(await plot(1).locator("text", { hasText: "$x$" }).count()).toBeGreaterThan(0);
    });

    test("is drawn once more, and not twice, when its cell runs again", async () => {
      await page.locator(viewer.codeCells).nth(1).locator(viewer.prompt).click();
      for (const count of [cells.length + 1, cells.length + 2]) {
        await page.keyboard.press("Control+Enter");
        await executed([1, count]);
        await waitForPlots(page, viewer.codeCells, figureCount);
      }
    });

    test("is not lost when all cells run again, nor when the kernel starts anew", async () => {
      await viewer.runAll(page);
      await executed(cells.map((_, k) => cells.length + 3 + k));
      await waitForPlots(page, viewer.codeCells, figureCount);
      await viewer.restartAndRunAll(page);
      await executed(cells.map((_, k) => k + 1));
      await waitForPlots(page, viewer.codeCells, figureCount);
    });

    test("is live again in its notebook when that was saved, closed and opened", async () => {
      await viewer.save(page);
      await viewer.open(page, jupyter, "figures.ipynb");
      await waitForPlots(page, viewer.codeCells, figureCount);
    });

    test("is its picture in a notebook from elsewhere, where no script runs, and live once that is trusted", async () => {
      sendToAStranger(folder);
      await viewer.open(page, jupyter, "received.ipynb");
      await waitForPictures(page, viewer.codeCells, figureCount);
      expect(await page.evaluate(() => ["Plotly", "tslabAttentionPlotly"].filter((name) => name in window))).toEqual(
        [],
      );
      await viewer.trust(page);
      await waitForPlots(page, viewer.codeCells, figureCount);
    });

    test("is still live when it was scrolled out of sight and back", async () => {
      await page.setViewportSize({ width: 1300, height: 500 });
      for (const k of [3, 1]) {
        await page.locator(viewer.codeCells).nth(0).waitFor({ state: "attached" });
        await page.mouse.move(700, 300);
        await page.mouse.wheel(0, k === 3 ? 5000 : -5000);
        await expect.poll(async () => (await seen(page, viewer.codeCells)).some(({ plots }) => plots === 1)).toBe(true);
      }
      await page.setViewportSize({ width: 1300, height: 6000 });
      await waitForPlots(page, viewer.codeCells, figureCount);
      expect(await hoverCell(plot(2), 0, 1, 5)).toContain("x[0, 1, 5] = 13");
    });
  });
});

function selectors({ codeCells, prompt }: Viewer): { codeCells: string; prompt: string } {
  return { codeCells, prompt };
}
