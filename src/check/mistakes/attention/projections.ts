// Wrong queries, keys and values.

import { matmul } from "../../../array/matmul.js";
import type { NDArray } from "../../../array/ndarray.js";
import type { Mistake } from "../mistake.js";
import { type Changes, flip, type Made } from "../steps.js";

type Matrix = (made: Made) => NDArray;

const wQ: Matrix = (m) => m.wQ;
const wK: Matrix = (m) => m.wK;
const wV: Matrix = (m) => m.wV;
const wO: Matrix = (m) => m.wO;

/** Queries, keys and values made with these matrices. */
function project(forQ: Matrix, forK: Matrix, forV: Matrix): Changes {
  return { q: (m) => matmul(m.x, forQ(m)), k: (m) => matmul(m.x, forK(m)), v: (m) => matmul(m.x, forV(m)) };
}

/** Every wrong pick of a matrix for queries, keys and values; first those that use each once. */
function wrongPicks(): Changes[] {
  const options = [wQ, wK, wV, wO];
  const all = options.flatMap((q) => options.flatMap((k) => options.map((v): Matrix[] => [q, k, v])));
  // with Q and K right, a wrong V is K or Q again: that has a name of its own
  const wrong = all.filter(([q, k, v]) => q !== wQ || k !== wK || v === wO);
  const oddity = (picks: Matrix[]) => 3 - new Set(picks).size + (picks.includes(wO) ? 3 : 0);
  return wrong.sort((a, b) => oddity(a) - oddity(b)).map(([q, k, v]) => project(q, k, v));
}

/** `one` done to all three, to each alone, and to each two. */
function toSome(one: (matrix: Matrix) => Matrix): Changes[] {
  const choices = [7, 1, 2, 4, 3, 5, 6].map((bits) => [wQ, wK, wV].map((w, i) => (bits & (1 << i) ? one(w) : w)));
  return choices.map(([q, k, v]) => project(q, k, v));
}

const identity: Matrix = (m) => m.wQ.map((_, i, j) => (i === j ? 1 : 0));

export const projectionMistakes: readonly Mistake<Changes>[] = [
  {
    name: "W_q, W_k and W_v mixed up",
    says:
      "The matrices are mixed up: queries, keys and values are not made with W_q, W_k and W_v in this order " +
      "(exchanging queries and keys in the scores gives the same numbers as exchanging W_q and W_k).",
    hint: "Which matrix makes the array whose rows ask, and which the one whose rows are asked? Compare with the order of the arguments.",
    ways: wrongPicks(),
  },
  {
    name: "W_q, W_k or W_v missing",
    says: "x itself is used where it should first be multiplied by W_q, W_k or W_v.",
    hint: "With identity matrices this makes no difference. Try matrices that are not the identity.",
    ways: toSome(() => identity),
  },
  {
    name: "W_q, W_k or W_v transposed",
    says: "x is multiplied by the transpose of W_q, W_k or W_v. Here Q = x W_q; PyTorch's Linear layer has x Wᵀ.",
    hint: "A symmetric matrix cannot tell. Which index of W_q is summed over?",
    ways: toSome((w) => (m) => flip(w(m))),
  },
];
