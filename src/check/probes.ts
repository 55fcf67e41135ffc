// The inputs on which functions are tried, and the right answers. In the first of each list B, T, H and d all differ, and no
// two numbers are alike, so that no wrong order can hide; others are tests of the kind that hides mistakes.

import { array } from "../array/array.js";
import { arange, eye } from "../array/make.js";
import type { NDArray } from "../array/ndarray.js";
import { randomNormal } from "../array/random.js";
import { multiHeadAttention } from "../attention/attention.js";
import { mergeHeads, splitHeads } from "../attention/heads.js";
import type { Answer } from "./answers.js";
import type { Inputs } from "./forms.js";

/** One input and its right answer. */
export interface Probe {
  /** The input in words or as an expression. */
  readonly tried: string;
  readonly inputs: Inputs;
  readonly wanted: Answer;
  /** B, T, H and d. */
  readonly sizes: Sizes;
  /** What a test like this one is called; its kind hides mistakes. */
  readonly hides?: string | undefined;
}

export interface Sizes {
  readonly B: number;
  readonly T: number;
  readonly H: number;
  readonly d: number;
}

type Setting = readonly [B: number, T: number, H: number, d: number, hides?: string];

const settings: readonly Setting[] = [
  [2, 5, 3, 4],
  [1, 2, 2, 2, "the lesson's example"],
  [3, 6, 2, 5],
  [2, 3, 1, 8, "one head (H = 1)"],
  [2, 1, 3, 4, "one token (T = 1)"],
  [1, 4, 3, 2, "one batch (B = 1)"],
  [3, 2, 4, 1, "one feature a head (d = 1)"],
  [2, 3, 3, 3],
  [16, 16, 8, 8],
];

/**
 * What split and merge are tried on: arange, so that each number says where it comes from, and once square roots, which have
 * fractions, and of which no mean is another.
 */
function arrangements(
  shapeOf: (sizes: Sizes) => readonly number[],
  make: (x: NDArray, H: number) => { inputs: Inputs; wanted: Answer; rest: string },
): Probe[] {
  const probe = ([B, T, H, d, hides]: Setting, roots = false): Probe => {
    const shape = shapeOf({ B, T, H, d });
    const count = B * T * H * d;
    const { inputs, wanted, rest } = make(
      arange(count)
        .map((n) => (roots ? Math.sqrt(n + 2) : n))
        .reshape([...shape]),
      H,
    );
    const numbers = roots ? `sqrt(arange(${count}) + 2)` : `arange(${count})`;
    return {
      tried: `x = ${numbers}.reshape(${shape.join(", ")})${rest}`,
      inputs,
      wanted,
      sizes: { B, T, H, d },
      hides,
    };
  };
  return [...settings.map((setting) => probe(setting)), probe(settings[0], true)];
}

/** What splitHeads is tried on. */
export function splitProbes(): Probe[] {
  return arrangements(
    ({ B, T, H, d }) => [B, T, H * d],
    (x, H) => ({ inputs: [x, H], wanted: [splitHeads(x, H)], rest: `, nHeads = ${H}` }),
  );
}

/** What mergeHeads is tried on. */
export function mergeProbes(): Probe[] {
  return arrangements(
    ({ B, T, H, d }) => [B, H, T, d],
    (x) => ({ inputs: [x], wanted: [mergeHeads(x)], rest: "" }),
  );
}

/** Splits that must be refused: nHeads does not divide D. */
export function refusedSplits(): Inputs[] {
  return [
    [arange(120).reshape(2, 5, 12), 5],
    [arange(30).reshape(1, 3, 10), 4],
    [arange(24).reshape(2, 2, 6), 12],
  ];
}

type Matrices = readonly [wQ: NDArray, wK: NDArray, wV: NDArray, wO: NDArray];

function attentionProbe(tried: string, x: NDArray, matrices: Matrices, H: number, hides?: string): Probe {
  const [B, T, D] = x.shape;
  const inputs = [x, ...matrices, H] as const;
  return { tried, inputs, wanted: multiHeadAttention(...inputs), sizes: { B, T, H, d: D / H }, hides };
}

function randomMatrices(D: number): Matrices {
  return [2, 3, 4, 5].map((seed) => randomNormal([D, D], seed)) as readonly NDArray[] as Matrices;
}

/** Random numbers of a size that leaves the weights neither even nor saturated. */
function randomAttention(B: number, T: number, H: number, d: number, hides?: string): Probe {
  const D = H * d;
  const size = Math.ceil(Math.sqrt(D));
  const x = randomNormal([B, T, D], 1).map((value) => value / size);
  const tried = `x = randomNormal([${B}, ${T}, ${D}], 1) / ${size}, W_q to W_o = randomNormal([${D}, ${D}], seed) with seeds 2 to 5, nHeads = ${H}`;
  return attentionProbe(tried, x, randomMatrices(D), H, hides);
}

/** What multiHeadAttention is tried on. The third and the fourth let pass what fits no other shape: T = d, and B = T = H = d. */
export function attentionProbes(): Probe[] {
  const D = 12;
  const identity = eye(4);
  const lesson = array([
    [
      [1, 0, 0, 1],
      [0, 2, 1, 0],
      [1, 1, 1, 1],
    ],
  ]);
  const symmetric = randomMatrices(D).map((w) => w.map((value, i, j) => value + w.get(j, i))) as readonly NDArray[];
  const same = randomNormal([1, 1, D], 1);
  return [
    randomAttention(2, 5, 3, 4),
    randomAttention(3, 6, 2, 5),
    randomAttention(2, 4, 3, 4, "as many tokens as features a head (T = d)"),
    randomAttention(3, 3, 3, 3, "all sizes equal (B = T = H = d)"),
    attentionProbe("the lesson's example", lesson, [identity, identity, identity, identity], 2, "the lesson's example"),
    randomAttention(2, 3, 1, 8, "one head (H = 1)"),
    randomAttention(2, 1, 3, 4, "one token (T = 1)"),
    randomAttention(1, 4, 3, 2, "one batch (B = 1)"),
    attentionProbe(
      "the same token four times",
      array([[0, 0, 0, 0].map(() => same.at(0, 0))]),
      randomMatrices(D),
      3,
      "equal tokens",
    ),
    attentionProbe(
      "x = randomNormal([2, 5, 12], 1) / 4, symmetric matrices, nHeads = 3",
      randomNormal([2, 5, D], 1).map((value) => value / 4),
      symmetric as Matrices,
      3,
      "symmetric matrices",
    ),
    randomAttention(2, 3, 4, 1, "one feature a head (d = 1)"),
    randomAttention(1, 16, 8, 8),
    scoresFarApart(),
    scoresNear(1),
    scoresNear(-1),
  ];
}

/** Scores up to 1,700, and rows whose largest scores lie more than 1,000 apart in one head. */
function scoresFarApart(): Probe {
  const x = randomNormal([2, 5, 12], 6).map((value) => value * 6);
  const tried =
    "x = randomNormal([2, 5, 12], 6) * 6, W_q to W_o = randomNormal([12, 12], seed) with seeds 2 to 5, nHeads = 3";
  return attentionProbe(`${tried} (scores up to 1,700)`, x, randomMatrices(12), 3);
}

/** All scores near 1,000, or all near -1,000. */
function scoresNear(sign: 1 | -1): Probe {
  const x = randomNormal([1, 5, 12], 8).map((value) => 23 + value / 20);
  const [, , wV, wO] = randomMatrices(12);
  const wK = eye(12).map((value) => sign * value);
  const tried = `x = randomNormal([1, 5, 12], 8) / 20 + 23, W_q = eye(12), W_k = ${sign < 0 ? "-" : ""}eye(12), nHeads = 3`;
  return attentionProbe(`${tried} (all scores near ${sign < 0 ? "-" : ""}1,000)`, x, [eye(12), wK, wV, wO], 3);
}

/** Activations of 1e200, where Q·Kᵀ overflows: nothing that is asked for, but worth a note. */
export function hugeActivations(): Probe {
  const x = array([
    [
      [1e200, -1e200, 1e200, 1e200],
      [-1e200, 1e200, 1e200, -1e200],
    ],
  ]);
  return attentionProbe("x = ±1e200, identity matrices, nHeads = 2", x, [eye(4), eye(4), eye(4), eye(4)], 2);
}
