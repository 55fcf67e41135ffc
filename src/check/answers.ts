// What a function under check returned, read into arrays, and how near that is to what was wanted.

import { array, asNDArray } from "../array/array.js";
import type { NDArray } from "../array/ndarray.js";
import { disarm } from "./call-safely.js";
import { clean, describeThrown } from "./plain-text.js";

/** The arrays of one answer: the result of a split or a merge, or output and weights. */
export type Answer = readonly NDArray[];

/** An answer, or what came back in its place, as words that follow "it returned". */
export type Reading =
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "nothing" | "promise" | "no array"; readonly what: string };

/** A return value as one array. */
export function readArray(value: unknown): Reading {
  if (value === undefined || value === null) return { kind: "nothing", what: "nothing" };
  if (disarm(value)) return { kind: "promise", what: "a promise" };
  if (typeof value !== "object") return { kind: "no array", what: clean(`the ${typeof value} ${String(value)}`, 60) };
  try {
    return { kind: "answer", answer: [array(asNDArray(value as NDArray, "read", "result"))] };
  } catch (error) {
    return { kind: "no array", what: `something that is not an array of numbers (${describeThrown(error)})` };
  }
}

/** A return value as output and weights: a tuple or an object with these names. One array alone is the output. */
export function readPair(value: unknown): Reading {
  if (typeof value !== "object" || value === null || disarm(value)) return readArray(value);
  const { output, weights } = value as { output?: unknown; weights?: unknown };
  if (output !== undefined || weights !== undefined) return both(output, weights);
  const whole = readArray(value);
  const oneArray = whole.kind === "answer" && whole.answer[0].ndim > 2; // output and weights differ in shape
  return Array.isArray(value) && value.length > 1 && !oneArray ? both(value[0], value[1]) : whole;
}

function both(output: unknown, weights: unknown): Reading {
  const [first, second] = [readArray(output), readArray(weights)];
  if (first.kind !== "answer") return { kind: "no array", what: `as the output ${first.what}` };
  if (second.kind === "nothing") return first;
  if (second.kind !== "answer") return { kind: "no array", what: `as the weights ${second.what}` };
  return { kind: "answer", answer: [...first.answer, ...second.answer] };
}

/** Answers that differ by no more than this share of the largest number are equal in float64, whatever the order of sums. */
export const exact = 1e-10;
/** Answers that differ by no more than this share come from one computation, done perhaps in float32. */
export const rough = 1e-3;

/** Whether two answers have the same arrays, the same shapes and, within a share of the largest number, the same numbers. */
export function agree(found: Answer, wanted: Answer, tolerance: number): boolean {
  return (
    found.length === wanted.length && found.every((part, i) => firstWrong(part, wanted[i], tolerance) === undefined)
  );
}

/** The index of the first number that differs, row by row; the empty index when the shapes differ. */
export function firstWrong(found: NDArray, wanted: NDArray, tolerance: number): number[] | undefined {
  if (found.shape.join() !== wanted.shape.join()) return [];
  const largest = wanted.data.reduce((most, v) => (Number.isFinite(v) ? Math.max(most, Math.abs(v)) : most), 0);
  const position = wanted.data.findIndex((w, i) => {
    const f = found.data[i];
    return !Object.is(f, w) && f !== w && !(Math.abs(f - w) <= tolerance * largest);
  });
  return position < 0 ? undefined : indexOf(position, wanted.shape);
}

/** The index of the number at a row-major position. */
export function indexOf(position: number, shape: readonly number[]): number[] {
  const index = shape.map(() => 0);
  let rest = position;
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    index[axis] = rest % shape[axis];
    rest = Math.floor(rest / shape[axis]);
  }
  return index;
}
