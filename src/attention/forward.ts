// The one seam between attention and what computes it: checked row-major numbers in, fresh output and weights out. The
// WebAssembly engine where it runs, else the reference engine, which goes through the readable steps.

import { adopt } from "../array/ndarray.js";
import { theEngine } from "./engine/engine.js";
import type { Sizes } from "./input.js";
import { computeSteps } from "./steps.js";

/** output: B·T·D numbers; weights: B·H·T·T numbers, [b, h, i, j] the weight that query i gives to key j. */
export interface Forward {
  readonly output: Float64Array;
  readonly weights: Float64Array;
}

/** x holds B·T·D numbers, each matrix D·D; none of them is written to. */
export function forward(
  x: Float64Array,
  wQ: Float64Array,
  wK: Float64Array,
  wV: Float64Array,
  wO: Float64Array,
  sizes: Sizes,
): Forward {
  const engine = theEngine();
  return engine === undefined ? referenceForward(x, wQ, wK, wV, wO, sizes) : engine.attend(x, wQ, wK, wV, wO, sizes);
}

/** The same through the steps, in TypeScript alone. */
export function referenceForward(
  x: Float64Array,
  wQ: Float64Array,
  wK: Float64Array,
  wV: Float64Array,
  wO: Float64Array,
  { B, T, D, H }: Sizes,
): Forward {
  const matrix = (data: Float64Array) => adopt([D, D], data);
  const steps = computeSteps({
    x: adopt([B, T, D], x),
    wQ: matrix(wQ),
    wK: matrix(wK),
    wV: matrix(wV),
    wO: matrix(wO),
    sizes: { B, T, D, H },
  });
  return { output: steps.output.data, weights: steps.weights.data };
}
