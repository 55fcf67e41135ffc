import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { chromiumPath, launch } from "./chromium.js";

// The built package: the script inside a figure is its compiled text.
const { Figure } = createRequire(__filename)("../../dist/index.js") as typeof import("../../src/index.js");

const library = readFileSync(createRequire(__filename).resolve("plotly.js-dist"), "utf8");
const cdn = "https://cdn.jsdelivr.net/npm/plotly.js-dist@*/plotly.js";

const figure = (label = "a"): InstanceType<typeof Figure> =>
  new Figure({
    data: [{ type: "heatmap", z: [[0, 0.25, 0.75]], xgap: 1, ygap: 1, zmin: 0, zmax: 1, showscale: false }],
    layout: { width: 400, height: 240, title: { text: label } },
    alt: `A row of three cells, ${label}`,
  });

const lab = (base: string): string =>
  `<script id="jupyter-config-data" type="application/json">{"baseUrl":"${base}"}</script>`;

describe.skipIf(!chromiumPath)("a figure on a page", () => {
  let browser: Browser;
  let context: BrowserContext | undefined;
  let server: Server;
  let address: string;
  let html = "";
  const asked: string[] = [];

  beforeAll(async () => {
    browser = await launch();
    server = createServer(({ url = "" }, reply) => {
      asked.push(url);
      if (url === "/page") reply.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html);
      else if (url === "/user/me/static/plotly.js") {
        reply.writeHead(200, { "content-type": "text/javascript; charset=utf-8" }).end(library);
      } else if (url === "/login/static/plotly.js")
        reply.writeHead(200, { "content-type": "text/html" }).end("<p>log in</p>");
      else reply.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterEach(() => context?.close());

  afterAll(async () => {
    await browser.close();
    server.close();
  });

  /** Double-clicks an entry of the legend; which traces show then. */
  async function doubleClick(page: Page, entry: string): Promise<number[]> {
    await page.locator(".legend .traces", { hasText: entry }).locator(".legendtoggle").dblclick();
    await page.waitForTimeout(500);
    return page
      .locator(".js-plotly-plot")
      .evaluate((plot) =>
        (plot as unknown as { _fullData: { visible: unknown }[] })._fullData.flatMap(({ visible }, at) =>
          visible === true ? [at] : [],
        ),
      );
  }

  /** Opens a page of this HTML; what its console complains of is kept in `complaints`. */
  async function open(
    body: string,
    head = "",
    options: Parameters<Browser["newContext"]>[0] = {},
  ): Promise<{ page: Page; complaints: string[] }> {
    html = `<!doctype html><html><head>${head.replace("<body", "")}</head><body>${body}</body></html>`;
    asked.length = 0;
    context = await browser.newContext(options);
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(String(error)));
    await page.route("**/favicon.ico", (route) => route.fulfill({ body: "" }));
    return { page, complaints };
  }

  const visible = (page: Page, selector: string): Promise<number> =>
    page
      .locator(selector)
      .evaluateAll((found) => found.filter((element) => getComputedStyle(element).visibility === "visible").length);

  async function becomesLive(page: Page, count = 1): Promise<void> {
    await page.waitForFunction(
      (wanted) =>
        [...document.querySelectorAll(".js-plotly-plot")].filter(
          (plot) => getComputedStyle(plot).visibility === "visible",
        ).length === wanted,
      count,
      { timeout: 90_000 }, // a busy machine takes its time to read the library
    );
    expect(await visible(page, "img")).toBe(0);
  }

  async function staysPicture(page: Page): Promise<void> {
    await page.waitForTimeout(1500);
    expect(await page.locator(".js-plotly-plot").count()).toBe(0);
    expect(await visible(page, "img")).toBe(1);
    expect(await page.locator("img").evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(800);
  }

  test("is live with the Plotly that is already there, in the box the picture had", async () => {
    const { page, complaints } = await open(
      `${figure().toHtml()}<p id="below">below</p>`,
      `<script>${library}</script>`,
    );
    await page.goto(`${address}/page`);
    await becomesLive(page);
    const box = await page.locator(".tslab-attention-figure").boundingBox();
    expect([box?.width, box?.height]).toEqual([400, 240]);
    expect(await page.locator(".js-plotly-plot").boundingBox()).toEqual(box);
    expect(complaints).toEqual([]);
  });

  test("answers the mouse with the value under it", async () => {
    const { page } = await open(figure().toHtml(), `<script>${library}</script>`);
    await page.goto(`${address}/page`);
    await becomesLive(page);
    const { x, y, width, height } = (await page.locator(".nsewdrag").boundingBox()) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    };
    await page.mouse.move(x + width / 2 - 20, y + height / 2);
    await page.mouse.move(x + width / 2, y + height / 2);
    await page.waitForSelector(".hovertext");
    expect(await page.locator(".hovertext").textContent()).toContain("z: 0.25");
  });

  test.each([
    ["JupyterLab's configuration", lab("/user/me/"), ""],
    ["JupyterLab's configuration without a last slash", lab("/user/me"), ""],
    ["Notebook 6's body", "", `<script>document.body.dataset.baseUrl = "/user/me/"</script>`],
  ])("finds Plotly on the Jupyter server through %s, once for all figures", async (_, head, before) => {
    const { page, complaints } = await open(before + figure("a").toHtml() + figure("b").toHtml(), head);
    await page.goto(`${address}/page`);
    await becomesLive(page, 2);
    expect(asked.filter((url) => url.endsWith("plotly.js")).length).toBe(2); // does it answer, and the library
    expect(complaints).toEqual([]);
  });

  test("takes Plotly from the copy that the page unpacks", async () => {
    const unpack = `<script>window.tslabAttentionPlotly = new Promise((resolve) => setTimeout(() => {
      const script = document.createElement("script");
      script.text = document.getElementById("copy").textContent;
      document.head.append(script);
      resolve(window.Plotly);
    }, 300))</script><script type="text/plain" id="copy">${library}</script>`;
    const { page, complaints } = await open(figure().toHtml(), unpack);
    await page.goto(`${address}/page`);
    await becomesLive(page);
    expect(complaints).toEqual([]);
  });

  test("takes Plotly from the CDN when its integrity is right", async () => {
    const { page, complaints } = await open(figure().toHtml());
    const headers = { "access-control-allow-origin": "*", "content-type": "application/javascript" };
    await (context as BrowserContext).route(cdn, (route) => route.fulfill({ body: library, headers }));
    await page.goto(`${address}/page`);
    await becomesLive(page);
    expect(complaints).toEqual([]);
  });

  test("refuses another Plotly than the one pinned from the CDN, and keeps the picture", async () => {
    const { page, complaints } = await open(figure().toHtml());
    const headers = { "access-control-allow-origin": "*", "content-type": "application/javascript" };
    await (context as BrowserContext).route(cdn, (route) => route.fulfill({ body: `${library}\n`, headers }));
    await page.goto(`${address}/page`);
    await staysPicture(page);
    expect(complaints).toEqual([expect.stringContaining("integrity")]); // the browser's own word
  });

  test.each<[string, string, Parameters<Browser["newContext"]>[0] & object]>([
    ["without a network", "", {}],
    ["when the browser knows it is offline", "", {}],
    ["when the Jupyter server has no Plotly", lab("/nothing/"), {}],
    ["when the Jupyter server answers with a page to log in", lab("/login/"), {}],
    [
      "when the page's own copy cannot be unpacked",
      "<script>window.tslabAttentionPlotly = Promise.reject(new Error('old browser'))</script>",
      {},
    ],
    ["when scripts are off", "", { javaScriptEnabled: false }],
  ])("keeps its picture %s, and says nothing", async (name, head, options) => {
    const { page, complaints } = await open(figure().toHtml(), head, options);
    if (name.includes("offline")) {
      await page.route("**/page", (route) => route.fulfill({ body: html, contentType: "text/html" }));
      await context?.setOffline(true);
    }
    await page.goto(`${address}/page`);
    if (options.javaScriptEnabled === false) await page.waitForTimeout(500);
    else await staysPicture(page);
    expect(complaints).toEqual([]);
  });

  test("asks again when a cell runs again after the network came back", async () => {
    const { page } = await open(`<div id="output">${figure().toHtml()}</div>`);
    await page.goto(`${address}/page`);
    await staysPicture(page);
    const headers = { "access-control-allow-origin": "*", "content-type": "application/javascript" };
    await (context as BrowserContext).route(cdn, (route) => route.fulfill({ body: library, headers }));
    await page.evaluate(rerun, figure().toHtml());
    await becomesLive(page);
  });

  test("two equal figures are both drawn, and a cell that runs again is drawn once more, never twice", async () => {
    const same = figure().toHtml();
    const { page, complaints } = await open(`${same}<div id="output">${same}</div>`, `<script>${library}</script>`);
    await page.goto(`${address}/page`);
    await becomesLive(page, 2);
    for (let k = 0; k < 3; k++) await page.evaluate(rerun, same);
    await becomesLive(page, 2);
    expect(complaints).toEqual([]);
  });

  test("is drawn when it comes into the page later than its script, and when it was folded away", async () => {
    const { page } = await open(`<div id="output" style="display:none"></div>`, `<script>${library}</script>`);
    await page.goto(`${address}/page`);
    await page.evaluate(rerun, figure().toHtml());
    await page.waitForTimeout(300);
    expect(await page.locator(".js-plotly-plot").count()).toBe(0);
    await page.evaluate(() => document.getElementById("output")?.removeAttribute("style"));
    await becomesLive(page);
  });

  test("is live beside RequireJS and MathJax, and a token $x$ is no formula", async () => {
    const define = Object.assign(() => undefined, {});
    const { page, complaints } = await open(
      figure("$x$").toHtml(),
      `${lab("/user/me/")}<script>window.define = ${define}; window.define.amd = {}; window.require = window.requirejs = window.define;
       window.MathJax = { version: "3.2.2", startup: {} }</script>`,
    );
    await page.goto(`${address}/page`);
    await becomesLive(page);
    expect(await page.locator(".gtitle").textContent()).toBe("$x$");
    expect(complaints).toEqual([]);
  });

  test.each([
    ["shrinks on a narrow screen as its picture does", 316, 300],
    ["shrinks to two thirds on a narrower one, and is scrolled to the side", 240, 267],
  ])("%s", async (_, screen, width) => {
    const { page } = await open(
      figure().toHtml(),
      `<script>${library}</script><meta name="viewport" content="width=device-width">`,
      {
        viewport: { width: screen, height: 600 },
      },
    );
    await page.goto(`${address}/page`);
    await becomesLive(page);
    const box = await page.locator(".tslab-attention-figure").boundingBox();
    const plot = await page.locator(".js-plotly-plot").boundingBox();
    expect(box?.width).toBe(width);
    expect(plot?.width).toBeCloseTo(width, 0);
    expect(plot?.height).toBeCloseTo(box?.height ?? 0, 0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(screen);
  });

  test("shows text from outside as text in the page, whatever it holds", async () => {
    const nasty = `</script><script>window.pwned = 1</script><!-- "quotes' & <img src=x onerror="window.pwned = 2">`;
    const told = new Figure({
      data: [{ type: "bar", y: [1], customdata: [nasty] }],
      layout: { width: 400, height: 240 },
      alt: nasty,
    });
    const { page, complaints } = await open(told.toHtml(), `<script>${library}</script>`);
    await page.goto(`${address}/page`);
    await becomesLive(page);
    expect(await page.locator("img").getAttribute("alt")).toBe(nasty);
    expect(await page.evaluate(() => "pwned" in window)).toBe(false);
    expect(complaints).toEqual([]);
  });

  test("shows one entry of the legend alone on a double click, hidden or not, and all on the next", async () => {
    const line = (name: string, more: object = {}): object => ({
      y: [1, 2],
      mode: "lines",
      name,
      legendgroup: name,
      ...more,
    });
    const lines = new Figure({
      data: [
        line("a"),
        line("b", { visible: "legendonly" }),
        line("b", { visible: "legendonly", showlegend: false }),
        line("c", { visible: "legendonly", legendgroup: "" }),
        line("", { showlegend: false, legendgroup: "" }),
        line("gone", { visible: false }),
      ],
      alt: "Some lines",
    });
    const { page, complaints } = await open(lines.toHtml(), `<script>${library}</script>`);
    await page.goto(`${address}/page`);
    await becomesLive(page);
    expect(await doubleClick(page, "b")).toEqual([1, 2, 4]);
    expect(await doubleClick(page, "c")).toEqual([3, 4]);
    expect(await doubleClick(page, "c")).toEqual([0, 1, 2, 3, 4]);
    expect(await doubleClick(page, "a")).toEqual([0, 4]);
    expect(complaints).toEqual([]);
  });

  test("leaves a double click on the legend as the figure wants it", async () => {
    const trace = { y: [1, 2], mode: "lines" };
    const lines = new Figure({
      data: [
        { ...trace, name: "a" },
        { ...trace, name: "b", visible: "legendonly" },
      ],
      layout: { legend: { itemdoubleclick: false } },
      alt: "Two lines",
    });
    const { page } = await open(lines.toHtml(), `<script>${library}</script>`);
    await page.goto(`${address}/page`);
    await becomesLive(page);
    expect(await doubleClick(page, "b")).toEqual([0]);
  });

  test("looks the same as its picture", async () => {
    const { page } = await open(figure().toHtml(), lab("/nothing/"));
    await page.goto(`${address}/page`);
    await staysPicture(page);
    const picture = await page.locator(".tslab-attention-figure").screenshot();
    await page.addScriptTag({ content: library });
    await page.evaluate(rerun, figure().toHtml());
    await becomesLive(page);
    const plot = await page.locator(".tslab-attention-figure").screenshot();
    expect(await page.evaluate(difference, [picture.toString("base64"), plot.toString("base64")])).toBeLessThan(0.02);
  });
});

/** Puts a cell's new output where the old one was, as notebooks do: the HTML first, then its scripts. */
function rerun(html: string): void {
  const output = document.getElementById("output") ?? document.body;
  output.innerHTML = html;
  for (const old of output.querySelectorAll("script")) {
    const script = document.createElement("script");
    script.textContent = old.textContent;
    old.replaceWith(script);
  }
}

/** How far two pictures of one size lie apart: the mean difference of their channels, from 0 to 1. */
async function difference(pictures: string[]): Promise<number> {
  const [one, other] = await Promise.all(
    pictures.map(async (base64) => {
      const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
      context?.drawImage(bitmap, 0, 0);
      return context?.getImageData(0, 0, bitmap.width, bitmap.height).data ?? new Uint8ClampedArray();
    }),
  );
  return one.reduce((sum, value, k) => sum + Math.abs(value - other[k]), 0) / one.length / 255;
}
