// Numbers that are no softmax weights: scores by mistake, rows that a mask left empty, weights without their softmax. They are
// drawn all the same, and the figure says what is odd about them.

import type { NDArray } from "../array/ndarray.js";
import { brief } from "./numbers.js";
import { many } from "./words.js";

/** How far a sum of softmax weights may be from 1, and a weight beyond 0 and 1. */
const tolerance = 1e-6;

/** What is known of a figure's weights. */
export interface Oddities {
  /** Whether every row is finite and sums to 1. */
  readonly sumToOne: boolean;
  /** Whether a finite number is below 0 or above 1, where the weights of a softmax end. */
  readonly beyond: boolean;
  /** A sentence on what a softmax never gives; "" where there is nothing to say. What is not finite is left out of it. */
  readonly note: string;
}

/** Looks through panels of shape (T, T). */
export function findOddities(panels: readonly NDArray[]): Oddities {
  const rows = panels.flatMap(rowsOf);
  const finite = rows.filter((row) => row.every(Number.isFinite));
  const others = finite.filter((row) => Math.abs(row.reduce((sum, weight) => sum + weight, 0) - 1) > tolerance);
  const numbers = rows.flatMap((row) => [...row.filter(Number.isFinite)]);
  const below = numbers.filter((weight) => weight < -tolerance);
  const above = numbers.filter((weight) => weight > 1 + tolerance);
  const parts: string[] = [];
  if (others.length > 0) parts.push(sumsOf(others.length, rows.length));
  if (below.length > 0) {
    const least = below.reduce((one, other) => Math.min(one, other));
    parts.push(`${many(below.length, "number is", "numbers are")} below 0, down to ${brief(least)}`);
  }
  if (above.length > 0) {
    const most = above.reduce((one, other) => Math.max(one, other));
    parts.push(`${many(above.length, "number is", "numbers are")} above 1, up to ${brief(most)}`);
  }
  return {
    sumToOne: finite.length === rows.length && others.length === 0,
    beyond: below.length + above.length > 0,
    note: parts.length === 0 ? "" : `These are not softmax weights: ${parts.join("; ")}.`,
  };
}

function sumsOf(others: number, rows: number): string {
  if (rows === 1) return "the row does not sum to 1";
  if (others === rows) return `none of the ${rows} rows sums to 1`;
  return `${others} of ${rows} rows ${others === 1 ? "does" : "do"} not sum to 1`;
}

function rowsOf(panel: NDArray): Float64Array[] {
  const [rows, columns] = panel.shape;
  return Array.from({ length: rows }, (_, i) => panel.data.subarray(i * columns, (i + 1) * columns));
}
