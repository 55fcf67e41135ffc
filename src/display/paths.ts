// The corners of an SVG path, and how far along them a point lies.
//
// Plotly asks for a path's length when it puts arrowheads on arrows and labels on contours. Curves are followed in short
// straight steps; an elliptical arc counts as its chord, and a break in the path as a straight line.

/** A point of a path. */
export interface Point {
  x: number;
  y: number;
}

/** Straight steps that a curve is followed in. */
const steps = 16;

/**
 * The points of a path, in order.
 *
 * @param d - The path's commands.
 * @example corners("M0,0h2v1") // [{x: 0, y: 0}, {x: 2, y: 0}, {x: 2, y: 1}]
 */
export function corners(d: string): Point[] {
  const points: Point[] = [];
  let at: Point = { x: 0, y: 0 };
  let start = at;
  const go = (to: Point): void => {
    points.push(to);
    at = to;
  };
  for (const [, command, rest] of d.matchAll(/([a-df-zA-DF-Z])([^a-df-zA-DF-Z]*)/g)) {
    const kind = command.toUpperCase();
    const relative = command !== kind;
    const numbers = (rest.match(/[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi) ?? []).map(Number);
    const point = (x: number, y: number): Point => (relative ? { x: at.x + x, y: at.y + y } : { x, y });
    if (kind === "Z") go(start);
    const size = { M: 2, L: 2, T: 2, H: 1, V: 1, Q: 4, S: 4, C: 6, A: 7 }[kind] ?? numbers.length;
    for (let k = 0; k + size <= numbers.length && size > 0; k += size) {
      const part = numbers.slice(k, k + size);
      const [x, y] = part.slice(-2);
      if (kind === "H") go({ x: relative ? at.x + x : x, y: at.y });
      else if (kind === "V") go({ x: at.x, y: relative ? at.y + x : x });
      else if (kind === "C" || kind === "Q" || kind === "S") {
        const controls = [at];
        for (let c = 0; c < size; c += 2) controls.push(point(part[c], part[c + 1]));
        for (let step = 1; step <= steps; step++) go(onCurve(controls, step / steps));
      } else go(point(x, y));
      if (kind === "M" && k === 0) start = at;
    }
  }
  return points;
}

/** The point at `t`, from 0 to 1, of the Bezier curve with these control points (de Casteljau). */
function onCurve(controls: Point[], t: number): Point {
  let points = controls;
  while (points.length > 1) points = points.slice(1).map((to, k) => between(points[k], to, t));
  return points[0];
}

function between(from: Point, to: Point, t: number): Point {
  return { x: from.x + (to.x - from.x) * t, y: from.y + (to.y - from.y) * t };
}

/** The length of a path. */
export function pathLength(d: string): number {
  return lengths(corners(d)).reduce((sum, length) => sum + length, 0);
}

/** The point that lies `along` pixels from the start of a path; its ends where `along` lies beyond them. */
export function pointAlong(d: string, along: number): Point {
  const points = corners(d);
  let left = Math.max(0, along);
  for (const [k, length] of lengths(points).entries()) {
    if (left <= length && length > 0) return between(points[k], points[k + 1], left / length);
    left -= length;
  }
  return points.at(-1) ?? { x: 0, y: 0 };
}

function lengths(points: Point[]): number[] {
  return points.slice(1).map(({ x, y }, k) => Math.hypot(x - points[k].x, y - points[k].y));
}
