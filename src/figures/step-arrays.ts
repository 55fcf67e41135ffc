// The arrays that stepFigures is given, checked once: every intermediate of one computation, its shapes in agreement.

import { asNDArray, type NDArrayLike } from "../array/array.js";
import { describe, typeError, ValueError } from "../array/errors.js";
import { NDArray } from "../array/ndarray.js";
import { sameShape, showShape } from "../array/shape.js";
import type { AttentionSteps } from "../attention/steps.js";
import { isResult } from "./weights.js";

/** What goes in: x and the four matrices. */
export type Inputs = "x" | "wQ" | "wK" | "wV" | "wO";

/** Every intermediate array, as `attentionSteps` returns them, and if given also x and the matrices. */
export type StepArrays = { readonly [name in keyof AttentionSteps]: NDArrayLike } & {
  readonly [name in Inputs]?: NDArrayLike;
};

/** Batches, tokens, width, heads, and the width of a head. */
export interface Sizes {
  readonly B: number;
  readonly T: number;
  readonly D: number;
  readonly H: number;
  readonly d: number;
}

/** The arrays, and the sizes on which they agree. */
export interface Given {
  readonly arrays: { readonly [name in keyof AttentionSteps]: NDArray } & { readonly [name in Inputs]?: NDArray };
  readonly sizes: Sizes;
}

/** Checks that every array is there, and that the shapes agree. */
export function readSteps(action: string, steps: StepArrays): Given {
  if (typeof steps !== "object" || steps === null || !("qHeads" in steps)) {
    throw typeError(
      `Cannot ${action}: steps must be what attentionSteps returns, got ${describeOther(steps)}; pass attentionSteps(...)`,
    );
  }
  const shapes = (sizes: Sizes): Record<keyof AttentionSteps | Inputs, [axes: string, shape: number[]]> => {
    const { B, T, D, H, d } = sizes;
    const rows: [string, number[]] = ["(B, T, D)", [B, T, D]];
    const split: [string, number[]] = ["(B, H, T, d)", [B, H, T, d]];
    const pairs: [string, number[]] = ["(B, H, T, T)", [B, H, T, T]];
    const square: [string, number[]] = ["(D, D)", [D, D]];
    return {
      ...{ x: rows, q: rows, k: rows, v: rows, merged: rows, output: rows },
      ...{ qHeads: split, kHeads: split, vHeads: split, headOutputs: split, scores: pairs, weights: pairs },
      ...{ wQ: square, wK: square, wV: square, wO: square },
    };
  };
  const qHeads = asNDArray(steps.qHeads, action, "steps.qHeads");
  if (qHeads.ndim !== 4 || qHeads.size === 0) {
    throw new ValueError(
      `Cannot ${action}: steps.qHeads must have shape (B, H, T, d), got shape ${showShape(qHeads.shape)}`,
    );
  }
  const [B, H, T, d] = qHeads.shape;
  const sizes = { B, H, T, d, D: H * d };
  const arrays: Record<string, NDArray> = {};
  for (const [name, [axes, shape]] of Object.entries(shapes(sizes))) {
    const value = steps[name as keyof StepArrays];
    if (value === undefined && /^(x|w.)$/.test(name)) continue;
    const array = asNDArray(value as NDArrayLike, action, `steps.${name}`);
    if (!sameShape(array.shape, shape)) {
      throw new ValueError(
        `Cannot ${action}: steps.${name} must have shape ${axes} = ${showShape(shape)}, got shape ${showShape(array.shape)}`,
      );
    }
    arrays[name] = array;
  }
  return { arrays: arrays as Given["arrays"], sizes };
}

/** What was given in the place of the steps. */
function describeOther(value: unknown): string {
  if (isResult(value)) return "the pair [output, weights]";
  return value instanceof NDArray ? `an array of shape ${showShape(value.shape)}` : describe(value);
}
