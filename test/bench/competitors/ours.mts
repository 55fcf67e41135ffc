// tslab-attention itself, as a person calls it: NDArrays in, NDArrays out.

import { createRequire } from "node:module";
import { type Competitor, runner } from "../competitor.mjs";

/** The package as built. */
export const lesson: typeof import("../../../src/index.js") = createRequire(import.meta.url)("../../../dist/index.js");

export const ours: Competitor = {
  name: "tslab-attention",
  version: createRequire(import.meta.url)("../../../package.json").version,
  tolerance: 1e-12,
  prepare: async ({ B, T, D, H, x, wQ, wK, wV, wO }) => {
    const given = lesson.array({ shape: [B, T, D], data: x });
    const [q, k, v, o] = [wQ, wK, wV, wO].map((data) => lesson.array({ shape: [D, D], data }));
    return runner(() => {
      const [output, weights] = lesson.multiHeadAttention(given, q, k, v, o, H);
      return { output: output.data, weights: weights.data };
    });
  },
};
