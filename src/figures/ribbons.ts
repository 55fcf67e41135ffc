// The ribbons of a head view as filled outlines, in Plotly's coordinates of one trace.

import { type HeadViewLayout, tenth } from "./head-view-layout.js";
import type { Link } from "./links.js";
import type { Part } from "./sheet.js";

const thickness = 9;
/** A weight that thick is the most that has room. */
const thickest = 1.5;
/** A live plot would break a ribbon that is thinner, from its middle to its edge. */
const thinnest = 0.3;

/**
 * Outlines in the form of one filled trace: for each outline a gap, then its corners in order. The y of a gap, drawn nowhere, is
 * the name by which the pointer follows a key. (A trace without even a gap would be lost to the legend.)
 */
export interface Outlines {
  readonly x: (number | null)[];
  readonly y: (number | null)[];
}

/** The ribbons of these links, for the head at a position among those shown; `name` gives that of a key. */
export function outline(
  links: readonly Link[],
  at: number,
  { left, right, height }: HeadViewLayout,
  name: (key: number) => number,
): Outlines {
  const x: (number | null)[] = [];
  const y: (number | null)[] = [];
  for (const { i, j, weight } of links) {
    const [from, to] = [height(i, at), height(j, at)];
    const slope = Math.hypot(1, (to - from) / (right - left));
    // In tenths of a pixel, as the ports are, so that a thin ribbon is as wide at its end as at its start.
    const half = Math.max(thinnest, tenth((thickness / 2) * Math.min(weight, thickest) * slope));
    x.push(null, left, right, right, left);
    y.push(name(j), ...[from - half, to - half, to + half, from + half].map(tenth));
  }
  return x.length > 0 ? { x, y } : { x: [null], y: [null] };
}

/**
 * A trace for Plotly's JSON, which a viewer draws without this package's pointer: no names of what it follows, and no gaps that
 * begin with one. What then leads from one ribbon of a query to the next runs along the left edge and encloses nothing.
 */
export function withoutPointer({ customdata, ...trace }: Part): Part {
  const [x, y] = [trace.x as Outlines["x"], trace.y as Outlines["y"]];
  const isCorner = (_: unknown, at: number): boolean => x[at] !== null || x.length === 1;
  return { ...trace, x: x.filter(isCorner), y: y.filter(isCorner) };
}
