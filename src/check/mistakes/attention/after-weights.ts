// What goes wrong after the weights: the weighted sum, the joining of the heads, the output projection, what is returned.

import { matmul } from "../../../array/matmul.js";
import type { NDArray } from "../../../array/ndarray.js";
import { mergeHeads } from "../../../attention/heads.js";
import { build } from "../arrange.js";
import type { Mistake } from "../mistake.js";
import { type Changes, flip, type Made } from "../steps.js";

/** The heads' outputs added up, (B, T, d). */
function added({ headOutputs, H }: Made): NDArray {
  const [B, , T, d] = headOutputs.shape;
  const heads = Array.from({ length: H }, (_, h) => h);
  return build([B, T, d], (b, t, j) => heads.reduce((sum, h) => sum + headOutputs.get(b, h, t, j), 0));
}

/** The first d rows of W_o, all that fits d features. */
function firstRows({ wO, d, D }: Made): NDArray {
  return build([d, D], (i, j) => wO.get(i, j));
}

/** Each head's output times a d × d block of W_o that begins at `start(h)`. */
function blocks(start: (h: number, d: number) => number): Changes {
  return {
    headOutputs: (m) => {
      const heads = matmul(m.weights, m.vHeads);
      const features = Array.from({ length: m.d }, (_, i) => i);
      return heads.map((_, b, h, t, j) => {
        const from = start(h, m.d);
        return features.reduce((sum, i) => sum + heads.get(b, h, t, i) * m.wO.get(from + i, from + j), 0);
      });
    },
    output: (m) => m.merged,
  };
}

/** Element c of what head h gives for token t, after the d rows of W_o that belong to it. */
function product({ headOutputs, wO, d }: Made, b: number, h: number, t: number, c: number): number {
  let sum = 0;
  for (let j = 0; j < d; j++) sum += headOutputs.get(b, h, t, j) * wO.get(h * d + j, c);
  return sum;
}

function sumOf(a: NDArray, b: NDArray): NDArray {
  return a.map((value, ...index) => value + b.get(...index));
}

export const afterMistakes: readonly Mistake<Changes>[] = [
  {
    name: "weights applied to K",
    says: "The weights multiply K. They should multiply V. (Making V with W_k gives the same numbers.)",
    hint: "Keys are there to be compared with. What is it that gets averaged?",
    ways: [{ headOutputs: (m) => matmul(m.weights, m.kHeads) }],
  },
  {
    name: "weights applied to Q",
    says: "The weights multiply Q. They should multiply V. (Making V with W_q gives the same numbers.)",
    hint: "Queries are there to ask. What is it that gets averaged?",
    ways: [{ headOutputs: (m) => matmul(m.weights, m.qHeads) }],
  },
  {
    name: "the wrong side of V",
    says: "Weights and V are multiplied the wrong way round, so that a token's result is not the sum over keys j of weights[i, j] · V[j].",
    hint: "Which index of the weights is summed over: the query's or the key's?",
    ways: [
      { headOutputs: (m) => matmul(flip(m.weights), m.vHeads) },
      { headOutputs: (m) => matmul(m.vHeads, m.weights) },
      { headOutputs: (m) => matmul(m.vHeads, flip(m.weights)) },
    ],
  },
  {
    name: "the weights are not used",
    says: "The values go on as they are: the output does not depend on the weights.",
    hint: "What should each token's value be averaged with?",
    ways: [{ headOutputs: (m) => m.vHeads }],
  },
  {
    name: "heads added instead of joined",
    says: "The heads' outputs are added up. They belong side by side, so that each token has H·d features again before W_o.",
    hint: "How many features does a token have after the heads come together? How many rows does W_o have?",
    ways: [
      { merged: added, output: (m) => matmul(m.merged, firstRows(m)) },
      { merged: added, output: (m) => m.merged },
      { merged: (m) => added(m).map((sum) => sum / m.H), output: (m) => matmul(m.merged, firstRows(m)) },
      { merged: (m) => added(m).map((sum) => sum / m.H), output: (m) => m.merged },
    ],
  },
  {
    name: "W_o missing",
    says: "The output is the merged heads: the multiplication by W_o is missing.",
    hint: "Which argument of your function is never used?",
    ways: [{ output: (m) => m.merged }],
  },
  {
    name: "W_o transposed",
    says: "The merged heads are multiplied by the transpose of W_o.",
    hint: "A symmetric matrix cannot tell. Which index of W_o is summed over?",
    ways: [{ output: (m) => matmul(m.merged, flip(m.wO)) }],
  },
  {
    name: "W_o applied before the merge",
    says: "W_o is applied before the heads are joined. It should mix the features of all heads, after the merge.",
    hint: "What shape has the array that W_o multiplies? W_o has D rows.",
    ways: [
      { v: (m) => matmul(matmul(m.x, m.wV), m.wO), output: (m) => m.merged },
      blocks((h, d) => h * d),
      blocks(() => 0),
      // each head times its rows of W_o, then joined where they should be added up: H·D features
      {
        merged: (m) => {
          const wide = build([m.B, m.H, m.T, m.D], (b, h, t, c) => product(m, b, h, t, c));
          return mergeHeads(wide);
        },
        output: (m) => m.merged,
      },
    ],
  },
  {
    name: "x added to the output",
    says: "x is added to the output, as the layer around attention does. Attention alone adds nothing.",
    hint: "Where does x come in after Q, K and V are made?",
    ways: [
      { output: (m) => sumOf(matmul(m.merged, m.wO), m.x) },
      { output: (m) => matmul(sumOf(m.merged, m.x), m.wO) },
    ],
  },
  {
    name: "another matrix in place of W_o",
    says: "The merged heads are multiplied by W_q, W_k or W_v. They should be multiplied by W_o.",
    hint: "Compare the order of the arguments with the task's.",
    ways: [
      { output: (m) => matmul(m.merged, m.wV) },
      { output: (m) => matmul(m.merged, m.wQ) },
      { output: (m) => matmul(m.merged, m.wK) },
    ],
  },
  {
    name: "output and weights swapped",
    says: "Both results are there, but in the wrong order: the weights come first.",
    hint: "Which of the two has the shape of x?",
    ways: [{ answer: (m) => [m.weights, m.output] }],
  },
  {
    name: "weights missing",
    says: "One array comes back, the output. The weights should come with it: [output, weights], or {output, weights}.",
    hint: "The caller also wants to see who attended to whom.",
    ways: [{ answer: (m) => [m.output] }],
  },
  {
    name: "output missing",
    says: "One array comes back, the weights. The output should come with it: [output, weights], or {output, weights}.",
    hint: "What are the weights for?",
    ways: [{ answer: (m) => [m.weights] }],
  },
  {
    name: "scores returned in place of the weights",
    says: "The output is right, but the second result is the scores, from before the softmax.",
    hint: "What should each row of the second result add up to?",
    ways: [{ answer: (m) => [m.output, m.scaled] }, { answer: (m) => [m.output, m.scores] }],
  },
  {
    name: "weights averaged over the heads",
    says: "The weights of the heads are averaged or added up. Each head's weights are asked for.",
    hint: "Which axis of the second result is missing?",
    ways: [1, 0].map((power) => ({
      answer: (m: Made) => {
        const heads = Array.from({ length: m.H }, (_, h) => h);
        const mean = build([m.B, m.T, m.T], (b, i, j) =>
          heads.reduce((sum, h) => sum + m.weights.get(b, h, i, j) / m.H ** power, 0),
        );
        return [m.output, mean];
      },
    })),
  },
  {
    name: "weights returned transposed",
    says: "The output is right, but query and key are exchanged in the weights that come back.",
    hint: "weights[b, h, i, j] is the weight that query i gives to key j.",
    ways: [{ answer: (m) => [m.output, flip(m.weights)] }],
  },
];
