// What multi-head attention takes, checked once at the door: x and four square matrices whose sizes agree.

import { asNDArray, type NDArrayLike } from "../array/array.js";
import { ValueError } from "../array/errors.js";
import type { NDArray } from "../array/ndarray.js";
import { showShape } from "../array/shape.js";
import { checkHeads } from "./heads.js";

/** The sizes of one call: B batches of T tokens with D features in H heads. */
export interface Sizes {
  readonly B: number;
  readonly T: number;
  readonly D: number;
  readonly H: number;
}

/** Arrays whose shapes agree: x (B, T, D), the matrices (D, D), and H divides D. */
export interface AttentionInput {
  readonly x: NDArray;
  readonly wQ: NDArray;
  readonly wK: NDArray;
  readonly wV: NDArray;
  readonly wO: NDArray;
  readonly sizes: Sizes;
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
  const tokens = asNDArray(x, ACTION, "x");
  const input = {
    x: tokens,
    wQ: asNDArray(wQ, ACTION, "wQ"),
    wK: asNDArray(wK, ACTION, "wK"),
    wV: asNDArray(wV, ACTION, "wV"),
    wO: asNDArray(wO, ACTION, "wO"),
    sizes: sizesFrom(tokens, nHeads),
  };
  checkMatrix(input.wQ, "wQ", input.sizes);
  checkMatrix(input.wK, "wK", input.sizes);
  checkMatrix(input.wV, "wV", input.sizes);
  checkMatrix(input.wO, "wO", input.sizes);
  checkHeads(nHeads, input.sizes.D, ACTION);
  return input;
}

/** @throws ValueError if x is not (B, T, D) with something in it. */
function sizesFrom({ shape }: NDArray, nHeads: number): Sizes {
  if (shape.length !== 3) {
    throw new ValueError(`Cannot ${ACTION}: x must have 3 axes (B, T, D), got shape ${showShape(shape)}`);
  }
  const sizes = { B: shape[0], T: shape[1], D: shape[2], H: nHeads };
  if (sizes.T === 0 || sizes.D === 0) {
    throw new ValueError(
      `Cannot ${ACTION}: x must have at least one token and one feature, got shape (B, T, D) = ${showShape(shape)}`,
    );
  }
  return sizes;
}

/** @throws ValueError if w is not (D, D). */
function checkMatrix({ shape, data }: NDArray, name: string, { B, T, D }: Sizes): void {
  if (shape.length === 2 && shape[0] === D && data.length === D * D) return;
  throw new ValueError(
    `Cannot ${ACTION}: ${name} must have shape (D, D) = ${showShape([D, D])} for x of shape (B, T, D) = ${showShape([B, T, D])}, got ${showShape(shape)}`,
  );
}
