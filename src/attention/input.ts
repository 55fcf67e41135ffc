// What multi-head attention takes, checked once at the door: x and four square matrices whose sizes agree.

import { asNDArray, type NDArrayLike } from "../array/array.js";
import { ValueError } from "../array/errors.js";
import type { NDArray } from "../array/ndarray.js";
import { showShape } from "../array/shape.js";
import { checkHeads } from "./heads.js";

/** Arrays whose shapes agree: x (B, T, D), the matrices (D, D), and nHeads divides D. */
export interface AttentionInput {
  readonly x: NDArray;
  readonly wQ: NDArray;
  readonly wK: NDArray;
  readonly wV: NDArray;
  readonly wO: NDArray;
  readonly nHeads: number;
}

const ACTION = "compute attention";

/** @throws ValueError or TypeError if anything does not fit. */
export function checkInput(
  x: NDArrayLike,
  wQ: NDArrayLike,
  wK: NDArrayLike,
  wV: NDArrayLike,
  wO: NDArrayLike,
  nHeads: number,
): AttentionInput {
  const input = {
    x: asNDArray(x, ACTION, "x"),
    wQ: asNDArray(wQ, ACTION, "wQ"),
    wK: asNDArray(wK, ACTION, "wK"),
    wV: asNDArray(wV, ACTION, "wV"),
    wO: asNDArray(wO, ACTION, "wO"),
    nHeads,
  };
  const { shape } = input.x;
  if (shape.length !== 3) {
    throw new ValueError(`Cannot ${ACTION}: x must have 3 axes (B, T, D), got shape ${showShape(shape)}`);
  }
  if (shape[1] === 0 || shape[2] === 0) {
    throw new ValueError(
      `Cannot ${ACTION}: x must have at least one token and one feature, got shape (B, T, D) = ${showShape(shape)}`,
    );
  }
  checkMatrix(input.wQ, "wQ", shape);
  checkMatrix(input.wK, "wK", shape);
  checkMatrix(input.wV, "wV", shape);
  checkMatrix(input.wO, "wO", shape);
  checkHeads(nHeads, shape[2], ACTION);
  return input;
}

/** @throws ValueError if w is not (D, D) for x of this shape. */
function checkMatrix({ shape }: NDArray, name: string, xShape: readonly number[]): void {
  const D = xShape[2];
  if (shape.length === 2 && shape[0] === D && shape[1] === D) return;
  throw new ValueError(
    `Cannot ${ACTION}: ${name} must have shape (D, D) = ${showShape([D, D])} for x of shape (B, T, D) = ${showShape(xShape)}, got ${showShape(shape)}`,
  );
}
