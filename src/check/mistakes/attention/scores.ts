// Wrong scores and wrong scales.

import { matmul } from "../../../array/matmul.js";
import type { NDArray } from "../../../array/ndarray.js";
import { build } from "../arrange.js";
import type { Mistake } from "../mistake.js";
import { type Changes, flip, type Made } from "../steps.js";

function scaledBy(factor: (m: Made) => number): Changes {
  return { scaled: (m) => m.scores.map((score) => score * factor(m)) };
}

/** In each batch, the heads' queries times the keys with all three axes reversed. */
function reversedPerBatch({ qHeads, kHeads, B }: Made): NDArray {
  const batches = Array.from({ length: B }, (_, b) => matmul(qHeads.at(b), kHeads.at(b).transpose()));
  return build([B, ...batches[0].shape], (b, h, i, j) => batches[b].get(h, i, j));
}

const scale = "In each head the scores are divided by √d, the root of the head width d = D / nHeads.";

export const scoreMistakes: readonly Mistake<Changes>[] = [
  {
    name: "K not transposed",
    says:
      "K is not transposed: Q K multiplies rows of Q with columns of K. It only fits where T = d, and then each score mixes " +
      "the features of all keys.",
    hint: "A score belongs to one query and one key. Which axis should be summed over, and is it the last one of both?",
    ways: [{ scores: (m) => matmul(m.qHeads, m.kHeads) }],
  },
  {
    name: "K reversed in all axes",
    says:
      "K's axes are all reversed, batch and head too. Only the last two should change places. " +
      "(A transpose without arguments reverses every axis.)",
    hint: "Print the shape of K after the transpose. Are batch and head still in front?",
    ways: [{ scores: (m) => matmul(m.qHeads, m.kHeads.transpose()) }, { scores: reversedPerBatch }],
  },
  {
    name: "K reshaped in place of transposed",
    says: "K gets the shape (B, H, d, T) by a reshape. That moves no number: its columns are not the keys. A transpose is needed.",
    hint: "With numbers you can follow: where is feature 1 of key 0 before, and where after?",
    ways: [{ scores: (m) => matmul(m.qHeads, m.kHeads.reshape(m.B, m.H, m.d, m.T)) }],
  },
  {
    name: "features compared instead of tokens",
    says: "The scores are sums over the tokens, Qᵀ K, so features attend to features: the weights are d × d in each head.",
    hint: "A score belongs to one query token and one key token. Which axis should be summed over?",
    ways: [
      { scores: (m) => matmul(flip(m.qHeads), m.kHeads), headOutputs: (m) => matmul(m.vHeads, flip(m.weights)) },
      { scores: (m) => matmul(flip(m.qHeads), m.kHeads), headOutputs: (m) => matmul(m.vHeads, m.weights) },
    ],
  },
  {
    name: "scores divided by √D",
    says: `The scores are divided by √D, the root of the model width. ${scale}`,
    hint: "How many products does one score add up: D of them, or fewer?",
    ways: [scaledBy(({ D }) => 1 / Math.sqrt(D))],
  },
  {
    name: "scores divided by d",
    says: `The scores are divided by d, and not by its root. ${scale}`,
    hint: "If the products in a score are independent with variance 1, what is the score's standard deviation?",
    ways: [scaledBy(({ d }) => 1 / d)],
  },
  {
    name: "scores multiplied by √d",
    says: `The scores are multiplied by √d. ${scale}`,
    hint: "Wide heads give large scores. Should the scale make them larger or smaller?",
    ways: [scaledBy(({ d }) => Math.sqrt(d))],
  },
  {
    name: "scores not scaled",
    says: `The scores go into the softmax as they are. ${scale}`,
    hint: "What happens to the scores between Q Kᵀ and the softmax?",
    ways: [scaledBy(() => 1)],
  },
  {
    name: "scores divided by something else",
    says: `The scores are divided by another number than √d. ${scale}`,
    hint: "Print the number you divide by, for D = 12 and three heads. Which sum's length should it be the root of?",
    ways: [
      scaledBy(({ H }) => 1 / Math.sqrt(H)),
      scaledBy(({ T }) => 1 / Math.sqrt(T)),
      scaledBy(({ D }) => 1 / D),
      scaledBy(({ H }) => 1 / H),
      scaledBy(({ T }) => 1 / T),
      scaledBy(({ d }) => d),
      scaledBy(({ D }) => Math.sqrt(D)),
      scaledBy(() => 1 / 8),
    ],
  },
];
