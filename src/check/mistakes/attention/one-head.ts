// Attention without heads.

import { build } from "../arrange.js";
import type { Mistake } from "../mistake.js";
import type { Changes, Made } from "../steps.js";

const together: Changes = {
  qHeads: (m) => m.q.reshape(m.B, 1, m.T, m.D),
  kHeads: (m) => m.k.reshape(m.B, 1, m.T, m.D),
  vHeads: (m) => m.v.reshape(m.B, 1, m.T, m.D),
};
const byModelWidth: Changes = { scaled: (m) => m.scores.map((score) => score / Math.sqrt(m.D)) };

/** The weights as they are, with no head axis, or the same for every head. */
const shapes: ((m: Made) => Made["weights"])[] = [
  (m) => m.weights,
  (m) => m.weights.reshape(m.B, m.T, m.T),
  (m) => build([m.B, m.H, m.T, m.T], (b, _h, i, j) => m.weights.get(b, 0, i, j)),
];

export const oneHeadMistakes: readonly Mistake<Changes>[] = [
  {
    name: "one head only",
    says: "There is one attention over all D features, as if nHeads were 1. Each head should have its own, over its d features.",
    hint: "How many matrices of weights are there for each batch?",
    ways: shapes.flatMap((shape) => [
      { ...together, ...byModelWidth, answer: (m) => [m.output, shape(m)] },
      { ...together, answer: (m) => [m.output, shape(m)] },
    ]),
  },
];
