// What a person sees of the figures on a page, and does with them.

import type { Locator, Page } from "playwright-core";

/** What shows in one place: how many live plots and how many pictures can be seen. */
export interface Seen {
  plots: number;
  pictures: number;
}

/** What shows in each place that holds a figure; a place is what the selector finds, without those that hold none. */
export function seen(page: Page, places: string): Promise<Seen[]> {
  return page.evaluate(lookAt, places);
}

function lookAt(places: string): Seen[] {
  const count = (place: Element, selector: string): number =>
    [...place.querySelectorAll(selector)].filter((element) => {
      const { width, height } = element.getBoundingClientRect();
      const whole = !(element instanceof HTMLImageElement) || (element.complete && element.naturalWidth > 0);
      return width > 50 && height > 50 && whole && getComputedStyle(element).visibility === "visible";
    }).length;
  return [...document.querySelectorAll(places)]
    .map((place) => ({
      plots: count(place, ".js-plotly-plot"),
      pictures: count(place, 'img[src^="data:image/png"]'),
    }))
    .filter(({ plots, pictures }) => plots + pictures > 0);
}

/** Waits until `count` places show one live plot each, and no picture. */
export async function waitForPlots(page: Page, places: string, count: number): Promise<void> {
  await waitFor(
    page,
    places,
    Array.from({ length: count }, () => ({ plots: 1, pictures: 0 })),
  );
}

/** Waits until `count` places show one picture each, and no live plot. */
export async function waitForPictures(page: Page, places: string, count: number): Promise<void> {
  await waitFor(
    page,
    places,
    Array.from({ length: count }, () => ({ plots: 0, pictures: 1 })),
  );
}

async function waitFor(page: Page, places: string, wanted: Seen[]): Promise<void> {
  const end = Date.now() + 60_000;
  for (;;) {
    const found = await seen(page, places);
    if (JSON.stringify(found) === JSON.stringify(wanted)) return;
    if (Date.now() > end) throw new Error(`Expected ${JSON.stringify(wanted)}, saw ${JSON.stringify(found)}`);
    await page.waitForTimeout(100);
  }
}

type Plot = HTMLElement & {
  _fullLayout: Record<string, { _offset: number; l2p(value: number): number }>;
  _fullData: { x0: number; dx: number; y0: number; dy: number; xaxis: string; yaxis: string }[];
};

/** What a heatmap says of the cell in row i and column j, with the mouse on it. */
export async function hoverCell(plot: Locator, trace: number, i: number, j: number): Promise<string> {
  const page = plot.page();
  await plot.scrollIntoViewIfNeeded();
  const { x, y } = await plot.evaluate(
    (element, [trace, i, j]) => {
      const { _fullData, _fullLayout } = element as Plot;
      const { x0, dx, y0, dy } = _fullData[trace];
      const { left, top } = element.getBoundingClientRect();
      const { xaxis, yaxis } = _fullLayout;
      return {
        x: left + xaxis._offset + xaxis.l2p(x0 + dx * j),
        y: top + yaxis._offset + yaxis.l2p(y0 + dy * i),
      };
    },
    [trace, i, j],
  );
  await page.mouse.move(x + 3, y + 3);
  await page.mouse.move(x, y);
  const label = plot.locator(".hoverlayer .hovertext");
  await label.first().waitFor();
  const text = (await label.allTextContents()).join(" ");
  await page.mouse.move(0, 0);
  return text;
}

/** Chooses an entry of a plot's menu. */
export async function choose(plot: Locator, entry: string): Promise<void> {
  await plot.locator(".updatemenu-header").click();
  await plot.locator(".updatemenu-dropdown-button", { hasText: entry }).click();
}

/** Clicks an entry of a plot's legend. */
export async function toggle(plot: Locator, entry: string): Promise<void> {
  await plot.locator(".legend .traces", { hasText: entry }).locator(".legendtoggle").click();
}
