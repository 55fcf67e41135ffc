// What a function under check returned, read into arrays, and how near that is to what was wanted.

import { array, asNDArray } from "../array/array.js";
import type { NDArray } from "../array/ndarray.js";
import { disarm } from "./call-safely.js";
import { clean, describeThrown, list } from "./plain-text.js";

/** The arrays of one answer: the result of a split or a merge, or output and weights. */
export type Answer = readonly NDArray[];

/** An answer, or what came back in its place, as words that follow "it returned". */
export type Reading =
  | {
      readonly kind: "answer";
      readonly answer: Answer;
      /** Whether one and the same list stands in several places, so that writing to one writes to all. */
      readonly aliased: boolean;
    }
  | { readonly kind: "nothing" | "promise" | "no array"; readonly what: string };

/** A return value as one array. */
export function readArray(value: unknown): Reading {
  if (value === undefined || value === null) return { kind: "nothing", what: "nothing" };
  if (disarm(value)) return { kind: "promise", what: "a promise" };
  if (typeof value !== "object") return { kind: "no array", what: clean(`the ${typeof value} ${String(value)}`, 60) };
  try {
    const answer = [array(asNDArray(value as NDArray, "read", "result"))];
    return { kind: "answer", answer, aliased: hasAliases(value) };
  } catch (error) {
    const reason = describeThrown(error).replace(/^\w+: Cannot read: /, "");
    return { kind: "no array", what: `what is no array of numbers: ${reason}` };
  }
}

/** A return value as output and weights: a tuple or an object with these names. One array alone is the output. */
export function readPair(value: unknown): Reading {
  if (typeof value !== "object" || value === null || disarm(value)) return readArray(value);
  const { output, weights } = value as { output?: unknown; weights?: unknown };
  if (output !== undefined || weights !== undefined) return both(output, weights);
  if (!Array.isArray(value) && !("shape" in value) && !ArrayBuffer.isView(value)) {
    return { kind: "no array", what: clean(`an object with ${list(Object.keys(value)) || "nothing in it"}`) };
  }
  const whole = readArray(value);
  const oneArray = whole.kind === "answer" && whole.answer[0].ndim > 2; // output and weights differ in shape
  return Array.isArray(value) && value.length > 1 && !oneArray ? both(value[0], value[1]) : whole;
}

function both(output: unknown, weights: unknown): Reading {
  const [first, second] = [readArray(output), readArray(weights)];
  if (first.kind === "nothing") return second;
  if (first.kind !== "answer") return { kind: "no array", what: `as the output ${first.what}` };
  if (second.kind === "nothing") return first;
  if (second.kind !== "answer") return { kind: "no array", what: `as the weights ${second.what}` };
  return { kind: "answer", answer: [...first.answer, ...second.answer], aliased: first.aliased || second.aliased };
}

function hasAliases(value: unknown): boolean {
  const met = new Set<unknown>();
  const again = (node: unknown): boolean => {
    if (typeof node !== "object" || node === null) return false;
    if (met.has(node)) return true;
    met.add(node);
    return Array.isArray(node) && node.some(again);
  };
  return again(value);
}

/** Answers that differ by no more than this share of the largest number are equal in float64, whatever the order of sums. */
export const exact = 1e-10;
/** Answers that differ by no more than this share come from one computation, done perhaps in float32. */
export const rough = 1e-3;

/** Whether two answers have the same arrays, the same shapes and, within a share of the largest number, the same numbers. */
export function agree(found: Answer, wanted: Answer, tolerance: number): boolean {
  return sameShapes(found, wanted) && found.every((part, i) => firstWrong(part, wanted[i], tolerance) === undefined);
}

/** Whether two answers have the same arrays as to their shapes. */
export function sameShapes(found: Answer, wanted: Answer): boolean {
  return found.length === wanted.length && found.every(({ shape }, i) => shape.join() === wanted[i].shape.join());
}

/** Whether all numbers of an answer are finite. */
export function allFinite(answer: Answer): boolean {
  return answer.every(({ data }) => data.every(Number.isFinite));
}

/**
 * The index of the first wanted number that is not found in its place, row by row. Where the shapes differ it is the empty
 * index if there are more or fewer axes, or if only the surplus is wrong.
 */
export function firstWrong(found: NDArray, wanted: NDArray, tolerance: number): number[] | undefined {
  if (found.ndim !== wanted.ndim) return [];
  const largest = wanted.data.reduce((most, v) => (Number.isFinite(v) ? Math.max(most, Math.abs(v)) : most), 0);
  const differs = (f: number | undefined, w: number) =>
    f === undefined || !(Object.is(f, w) || f === w || Math.abs(f - w) <= tolerance * largest);
  const same = sameShapes([found], [wanted]);
  const position = wanted.data.findIndex((w, i) =>
    differs(same ? found.data[i] : numberAt(found, indexOf(i, wanted.shape)), w),
  );
  if (position >= 0) return indexOf(position, wanted.shape);
  return same ? undefined : [];
}

/** The number at an index, or undefined outside of the array. */
export function numberAt(x: NDArray, index: readonly number[]): number | undefined {
  return index.every((i, axis) => i < x.shape[axis]) ? x.get(...index) : undefined;
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
