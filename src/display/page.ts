// A page for Plotly in this process: elements to draw with, and what else it asks of a browser.
//
// The elements are linkedom's, which lays nothing out and applies no style sheet. A picture has no style sheet, so an
// element's style is what is written on it; the size of a drawn element comes from the shipped fonts, and a heatmap's
// canvas records what is painted. Plotly gets globals of its own and cannot touch the notebook's.
// Left out is all that answers later or needs a screen: WebGL, workers, events of a mouse, the network.

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { box } from "./boxes.js";
import { RecordingContext } from "./canvas.js";
import { pathLength, pointAlong } from "./paths.js";
import { XMLSerializer } from "./xml.js";

/** The element that holds a plot. */
export interface GraphDiv extends HTMLDivElement {
  _promises?: unknown[];
  _fullLayout: { width: number; height: number; _replotting?: boolean };
}

interface Plotly {
  newPlot(div: HTMLElement, data: unknown, layout: unknown, config: unknown): Promise<unknown>;
  purge(div: HTMLElement): void;
  Snapshot: { toSVG(div: HTMLElement, format: string): string };
}

/** The page's globals that are used from outside. */
export interface Page {
  document: Document;
  Plotly: Plotly;
  Math: Math;
  JSON: JSON;
}

const nothing = (): void => undefined;

/** Opens a page and runs Plotly in it: most of the first figure's time. */
export function openPage(): Page {
  const linkedom = require("linkedom") as typeof import("linkedom");
  const { document } = linkedom.parseHTML("<!doctype html><html><head></head><body></body></html>");
  const context = createContext({
    ...linkedom,
    document,
    navigator: { userAgent: "" },
    location: { href: "about:blank" },
    performance,
    setTimeout,
    clearTimeout,
    requestAnimationFrame: setImmediate,
    addEventListener: nothing,
    removeEventListener: nothing,
    getComputedStyle: (element: HTMLElement) => element.style,
    TextDecoder,
    TextEncoder,
    XMLSerializer,
    URL: { createObjectURL: () => "blob:", revokeObjectURL: nothing },
    DOMMatrix: class {},
    Worker: class {},
  });
  const page: Page = runInContext("window = self = globalThis", context);
  Object.defineProperty(document, "defaultView", { value: page });
  correct(linkedom.SVGElement.prototype, Object.getPrototypeOf(document.body.style));
  measure(linkedom.SVGElement.prototype);
  measure(linkedom.HTMLElement.prototype);
  paint(document);
  const code = readFileSync(require.resolve("plotly.js-dist"), "utf8");
  runInContext(code, context, { filename: "plotly.js" });
  return page;
}

/** Two answers that linkedom gives otherwise than a browser: the name of an SVG element, and a style set to nothing. */
function correct(element: object, style: Map<string, unknown>): void {
  const name = {
    get(this: Element) {
      return this.localName; // not in capitals, as an HTML element's is
    },
  };
  Object.defineProperties(element, { nodeName: name, tagName: name });
  const set = style.set;
  style.set = function (property, value) {
    if (value === "") this.delete(property);
    else set.call(this, property, value);
    return this;
  };
}

/** Lets elements say how large they are. */
function measure(prototype: object): void {
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

/** Gives every canvas of a document a context that records, and every style sheet no rules. */
function paint(document: Document): void {
  const createElement = document.createElement.bind(document);
  document.createElement = (name: string) => {
    const element = createElement(name);
    if (name === "canvas") {
      const canvas = element as HTMLCanvasElement;
      const context = new RecordingContext(canvas);
      Object.assign(canvas, {
        getContext: (kind: string) => (kind === "2d" ? context : null),
        toDataURL: () => context.toDataURL(),
      });
    }
    if (name === "style") Object.defineProperty(element, "sheet", { value: { insertRule: nothing } });
    return element;
  };
}
