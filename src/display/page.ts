// The real Plotly, drawing a figure to SVG in this process, at once.
//
// A cell's last expression is printed synchronously, so the picture must be ready when console.log returns. Plotly's
// `newPlot` draws cartesian figures before it returns its promise, and `Snapshot.toSVG` answers directly; both are called
// here in one jsdom window, made at the first figure and kept. (A worker thread waited for with Atomics.wait would take any
// trace, but costs a second copy of Plotly and jsdom in every notebook, and a figure that needs the wait, one on WebGL or
// a map, could not be drawn there either.) What draws later than that is refused with an error: the figure then goes out
// without its PNG.
//
// What jsdom lacks is put in: text measurement from the shipped fonts, and a canvas for heatmaps. Random numbers are made
// the same for every figure, so the same figure gives the same SVG.

import { readFileSync } from "node:fs";
import type { DOMWindow } from "jsdom";
import { box } from "./boxes.js";
import { RecordingContext } from "./canvas.js";
import { drawable } from "./fonts.js";
import { pathLength, pointAlong } from "./paths.js";

/** A drawn figure. */
export interface Drawing {
  svg: string;
  width: number;
  height: number;
}

interface GraphDiv extends HTMLDivElement {
  _promises?: unknown[];
  _fullLayout: { width: number; height: number; _replotting?: boolean };
}

interface Plotly {
  newPlot(div: HTMLElement, data: unknown, layout: unknown, config: unknown): Promise<unknown>;
  purge(div: HTMLElement): void;
  Snapshot: { toSVG(div: HTMLElement, format: string): string };
}

type PlotlyWindow = DOMWindow & { Plotly: Plotly };

/** The traces that need WebGL, a map's tiles or an image's pixels; some of them would never return here. */
const beyond = new Set(
  (
    "scatter3d surface mesh3d cone streamtube isosurface volume scattergl scatterpolargl splom parcoords image " +
    "scattermap choroplethmap densitymap scattermapbox choroplethmapbox densitymapbox scattergeo choropleth"
  ).split(" "),
);

let page: PlotlyWindow | undefined;

function open(): PlotlyWindow {
  const { JSDOM, VirtualConsole } = require("jsdom") as typeof import("jsdom");
  const { window } = new JSDOM("<!doctype html><body></body>", {
    runScripts: "outside-only",
    virtualConsole: new VirtualConsole(), // silent: what goes wrong is thrown
  });
  Object.assign(window, { TextDecoder, TextEncoder, DOMMatrix: class {}, Worker: class {} });
  Object.assign(window.URL, { createObjectURL: () => "blob:", revokeObjectURL: () => undefined });
  for (const { prototype } of [window.SVGElement, window.HTMLElement]) {
    Object.assign(prototype, {
      getBBox(this: Element) {
        return box(this);
      },
      getBoundingClientRect(this: Element) {
        return box(this);
      },
      getComputedTextLength(this: Element) {
        return box(this).width;
      },
      getTotalLength(this: Element) {
        return pathLength(this.getAttribute("d") ?? "");
      },
      getPointAtLength(this: Element, along: number) {
        return pointAlong(this.getAttribute("d") ?? "", along);
      },
    });
  }
  const contexts = new WeakMap<HTMLCanvasElement, RecordingContext>();
  Object.assign(window.HTMLCanvasElement.prototype, {
    getContext(this: HTMLCanvasElement, kind: string) {
      if (kind !== "2d") return null;
      const context = contexts.get(this) ?? new RecordingContext(this);
      contexts.set(this, context);
      return context;
    },
    toDataURL(this: HTMLCanvasElement) {
      return contexts.get(this)?.toDataURL() ?? "data:,";
    },
  });
  // A picture has no style sheet, and Plotly's is for what moves on a page: jsdom's cascade over it costs a third of the
  // first figure's time. An element's style is what is written on it.
  window.CSSStyleSheet.prototype.insertRule = () => 0;
  window.getComputedStyle = (element) => (element as HTMLElement).style;
  window.eval(readFileSync(require.resolve("plotly.js-dist"), "utf8"));
  return window as unknown as PlotlyWindow;
}

/**
 * Draws a figure.
 *
 * @param figure - The figure as JSON: `{data, layout, config}`, with `width` and `height` in the layout.
 * @returns Its SVG, and the size Plotly gave it.
 * @throws Error where the figure needs WebGL, a map or a network, or where Plotly cannot draw it.
 */
export function draw(figure: string): Drawing {
  const parts = JSON.parse(figure) as { data: { type?: unknown }[] };
  const trace = parts.data.find(({ type }) => beyond.has(String(type)));
  if (trace) throw new Error(`Cannot draw the figure: a ${trace.type} trace needs a browser`);
  page ??= open();
  const { document, Plotly } = page;
  const div = document.createElement("div") as unknown as GraphDiv;
  document.body.append(div);
  let seed = 1;
  page.Math.random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  try {
    const { data, layout, config } = page.JSON.parse(figure);
    Plotly.newPlot(div, data, layout, { ...config, staticPlot: true, _exportedPlot: true }).catch(() => undefined);
    if (div._promises?.length || div._fullLayout._replotting)
      throw new Error("Cannot draw the figure: a part of it would come later");
    for (const text of div.querySelectorAll("text")) replaceUndrawable(text);
    const { width, height } = div._fullLayout;
    const svg = Plotly.Snapshot.toSVG(div, "svg").replace(/url\('(#[^']*)'\)/g, "url($1)"); // the rasteriser knows no quoted ids
    return { svg, width, height };
  } finally {
    // Plotly's promises still look at the div when this turn ends: it is cleared after them.
    setImmediate(() => {
      Plotly.purge(div);
      div.remove();
    });
  }
}

function replaceUndrawable(node: Node): void {
  for (const child of node.childNodes) {
    if (child.nodeType !== child.TEXT_NODE) replaceUndrawable(child);
    else if (child.nodeValue) child.nodeValue = drawable(child.nodeValue);
  }
}
