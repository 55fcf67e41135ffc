// How large a drawn element is: the answer to getBBox and its kin in a window that lays nothing out.
//
// Text is measured in the shipped fonts, line by line; shapes by their own attributes; a group is the union of what is in
// it. Clips and strokes are left out, and an element's own place and turn where it is asked itself: Plotly turns axis labels
// from the size of the text lying flat.

import { lineExtent, type Style, textWidth } from "./fonts.js";
import { corners } from "./paths.js";

/** A rectangle as getBoundingClientRect describes it. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

function between(left: number, top: number, right: number, bottom: number): Box {
  return { x: left, y: top, width: right - left, height: bottom - top, left, top, right, bottom };
}

function union(boxes: Box[]): Box {
  if (boxes.length === 0) return between(0, 0, 0, 0);
  return between(
    Math.min(...boxes.map(({ left }) => left)),
    Math.min(...boxes.map(({ top }) => top)),
    Math.max(...boxes.map(({ right }) => right)),
    Math.max(...boxes.map(({ bottom }) => bottom)),
  );
}

/** The box of an element and all that it holds, in its own coordinates. */
export function box(element: Element): Box {
  switch (element.localName) {
    case "text":
      return textBox(element);
    case "tspan":
    case "a":
      return lineBox(element, 0, 0, "start");
    case "rect":
    case "image":
      return sized(number(element, "x"), number(element, "y"), number(element, "width"), number(element, "height"));
    case "path":
      return pathBox(element.getAttribute("d") ?? "");
    case "div":
    case "body": {
      const { width, height } = (element as HTMLElement).style;
      return sized(0, 0, Number.parseFloat(width) || 0, Number.parseFloat(height) || 0);
    }
    default:
      return union([...element.children].map(placed).filter(({ width, height }) => width > 0 || height > 0));
  }
}

function sized(left: number, top: number, width: number, height: number): Box {
  return between(left, top, left + width, top + height);
}

/** The box of a child, moved and turned as its `transform` says; what it scales or skews is left out. */
function placed(element: Element): Box {
  const transform = element.getAttribute("transform") ?? "";
  let { left, top, right, bottom } = box(element);
  // The last step of a list comes first.
  for (const [, step, given] of [...transform.matchAll(/(translate|rotate)\(([^)]*)\)/g)].reverse()) {
    const [a, b = 0, c = 0] = given.split(/[\s,]+/).map(Number);
    const points =
      step === "translate"
        ? [
            [left + a, top + b],
            [right + a, bottom + b],
          ]
        : turned({ left, top, right, bottom }, a, b, c);
    ({ left, top, right, bottom } = union(points.map(([x, y]) => between(x, y, x, y))));
  }
  return between(left, top, right, bottom);
}

/** The corners of a rectangle, turned clockwise by degrees around (x, y). */
function turned(
  { left, top, right, bottom }: Pick<Box, "left" | "top" | "right" | "bottom">,
  degrees: number,
  x: number,
  y: number,
): number[][] {
  const [cosine, sine] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return [left, right].flatMap((corner) =>
    [top, bottom].map((side) => [
      x + (corner - x) * cosine - (side - y) * sine,
      y + (corner - x) * sine + (side - y) * cosine,
    ]),
  );
}

function number(element: Element, attribute: string): number {
  return Number.parseFloat(element.getAttribute(attribute) ?? "") || 0;
}

function pathBox(d: string): Box {
  return union(corners(d).map(({ x, y }) => between(x, y, x, y)));
}

interface Type extends Style {
  size: number;
}

function textBox(element: Element): Box {
  const anchor = property(element, "text-anchor") ?? "start";
  const lines = [...element.children].filter((child) => child.getAttribute("class") === "line");
  if (lines.length === 0) return lineBox(element, number(element, "x"), number(element, "y"), anchor);
  const { size } = typeOf(element);
  return union(
    lines.map((line) => lineBox(line, number(line, "x"), number(line, "y") + number(line, "dy") * size, anchor)),
  );
}

/** The box of one line of text whose anchor is at (x, y). */
function lineBox(element: Element, x: number, y: number, anchor: string): Box {
  const width = runWidth(element, typeOf(element));
  if (width === 0) return between(x, y, x, y);
  const left = x - width * (anchor === "middle" ? 0.5 : anchor === "end" ? 1 : 0);
  const { above, below } = lineExtent(typeOf(element).size);
  return between(left, y - above, left + width, y + below);
}

/** The width of all text inside an element, each part in its own type. */
function runWidth(element: Element, type: Type): number {
  let width = 0;
  for (const child of element.childNodes) {
    if (child.nodeType === child.TEXT_NODE) width += textWidth(child.nodeValue ?? "", type.size, type);
    else width += runWidth(child as Element, typeOf(child as Element, type));
  }
  return width;
}

/** The size, weight and slant of an element's text: its own, or what it inherits. */
function typeOf(element: Element, inherited?: Type): Type {
  const parent = element.parentElement;
  const outer = inherited ?? (parent && parent.localName !== "div" ? typeOf(parent) : undefined);
  const { size, bold, italic } = outer ?? { size: 12, bold: false, italic: false };
  const own = property(element, "font-size");
  const weight = property(element, "font-weight");
  const slant = property(element, "font-style");
  return {
    size: own === undefined ? size : Number.parseFloat(own) * (own.endsWith("%") ? size / 100 : 1),
    bold: weight === undefined ? bold : weight === "bold" || Number(weight) >= 600,
    italic: slant === undefined ? italic : slant !== "normal",
  };
}

function property(element: Element, name: string): string | undefined {
  const inline = new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([^;]+)`).exec(element.getAttribute("style") ?? "");
  return inline?.[1].trim() ?? element.getAttribute(name) ?? undefined;
}
