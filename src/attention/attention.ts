// Multi-head self-attention: the result alone, and every step on the way.

import type { NDArrayLike } from "../array/array.js";
import { adoptFrozen, type NDArray } from "../array/ndarray.js";
import { forward } from "./forward.js";
import { checkInput, type Sizes } from "./input.js";
import { type AttentionSteps, computeSteps } from "./steps.js";

/**
 * Multi-head self-attention: in each head `softmax(Q Kᵀ / √d) V`, the heads merged, then multiplied by wO.
 * The softmax is over the keys; there is no mask and no bias.
 *
 * @param x the tokens' features, shape (B, T, D)
 * @param wQ the query projection, shape (D, D)
 * @param wK the key projection, shape (D, D)
 * @param wV the value projection, shape (D, D)
 * @param wO the output projection, shape (D, D)
 * @param nHeads H, how many heads; it divides D
 * @returns `[output, weights]`: output of shape (B, T, D), and weights of shape (B, H, T, T), where `weights[b, h, i, j]` is the
 * weight that query i gives to key j in head h
 * @throws ValueError if the shapes do not agree, or nHeads is not a whole number from 1 that divides D
 * @throws TypeError if nHeads is not a number, or an array holds something that is not one
 * @example
 * const x = [[[1, 0, 0, 1], [0, 2, 1, 0], [1, 1, 1, 1]]];
 * const [output, weights] = multiHeadAttention(x, eye(4), eye(4), eye(4), eye(4), 2);
 * weights.get(0, 0, 1, 1); // 0.7679179389411742: in head 0, token 1 mostly attends to itself
 */
export function multiHeadAttention(
  x: NDArrayLike,
  wQ: NDArrayLike,
  wK: NDArrayLike,
  wV: NDArrayLike,
  wO: NDArrayLike,
  nHeads: number,
): [
  output: NDArray<[B: number, T: number, D: number]>,
  weights: NDArray<[B: number, H: number, i: number, j: number]>,
] {
  const input = checkInput(x, wQ, wK, wV, wO, nHeads);
  const { output, weights } = forward(
    input.x.data,
    input.wQ.data,
    input.wK.data,
    input.wV.data,
    input.wO.data,
    input.sizes,
  );
  const shapes = shapesFor(input.sizes);
  return [adoptFrozen(shapes.output, output), adoptFrozen(shapes.weights, weights)];
}

interface ResultShapes {
  readonly sizes: Sizes;
  readonly output: [B: number, T: number, D: number];
  readonly weights: [B: number, H: number, i: number, j: number];
}

let latest: ResultShapes | undefined;

/** The shapes of the results: the same lists while calls keep their sizes, since to freeze two takes as long as a small attention. */
function shapesFor(sizes: Sizes): ResultShapes {
  const { B, T, D, H } = sizes;
  const before = latest?.sizes;
  if (latest && before && before.B === B && before.T === T && before.D === D && before.H === H) return latest;
  latest = { sizes, output: frozen([B, T, D]), weights: frozen([B, H, T, T]) };
  return latest;
}

/**
 * Every array on the way from x to the output, by name: q k v, qHeads kHeads vHeads, scores, weights, headOutputs, merged,
 * output. The arguments are those of multiHeadAttention.
 *
 * @throws ValueError or TypeError as multiHeadAttention does
 * @example
 * const { scores, weights } = attentionSteps(x, wQ, wK, wV, wO, 2);
 */
export function attentionSteps(
  x: NDArrayLike,
  wQ: NDArrayLike,
  wK: NDArrayLike,
  wV: NDArrayLike,
  wO: NDArrayLike,
  nHeads: number,
): AttentionSteps {
  return computeSteps(checkInput(x, wQ, wK, wV, wO, nHeads));
}

function frozen<S extends readonly number[]>(shape: S): S {
  Object.freeze(shape);
  return shape;
}
