// Multi-head attention as a list of steps, each of which can be replaced: a wrong implementation is the right one with another
// rule for a step or two.

import { matmul } from "../../array/matmul.js";
import type { NDArray } from "../../array/ndarray.js";
import { softmax } from "../../array/softmax.js";
import { mergeHeads, splitHeads } from "../../attention/heads.js";
import type { Answer } from "../answers.js";

/** What the steps start from. */
export interface Start {
  readonly x: NDArray;
  readonly wQ: NDArray;
  readonly wK: NDArray;
  readonly wV: NDArray;
  readonly wO: NDArray;
  readonly B: number;
  readonly T: number;
  readonly D: number;
  readonly H: number;
  readonly d: number;
}

/** The arrays on the way, by name, in the order in which they are made. */
const names = [
  "q",
  "k",
  "qHeads",
  "kHeads",
  "scores",
  "scaled",
  "weights",
  "v",
  "vHeads",
  "headOutputs",
  "merged",
  "output",
] as const;
export type StepName = (typeof names)[number];

/** Everything made so far. */
export type Made = Start & Readonly<Record<StepName, NDArray>>;

/** A rule for each array, from those before it, and what is returned in the end. */
export type Steps = Readonly<Record<StepName, (made: Made) => NDArray>> & { readonly answer: (made: Made) => Answer };

/** The steps that are done otherwise. */
export type Changes = Partial<Steps>;

/** The last two axes exchanged. */
export function flip(x: NDArray): NDArray {
  const axes = [...x.shape.keys()];
  return x.transpose(...axes.slice(0, -2), axes.length - 1, axes.length - 2);
}

const right: Steps = {
  q: (m) => matmul(m.x, m.wQ),
  k: (m) => matmul(m.x, m.wK),
  qHeads: (m) => splitHeads(m.q, m.H),
  kHeads: (m) => splitHeads(m.k, m.H),
  scores: (m) => matmul(m.qHeads, flip(m.kHeads)),
  scaled: (m) => m.scores.map((score) => score / Math.sqrt(m.d)),
  weights: (m) => softmax(m.scaled),
  v: (m) => matmul(m.x, m.wV),
  vHeads: (m) => splitHeads(m.v, m.H),
  headOutputs: (m) => matmul(m.weights, m.vHeads),
  merged: (m) => mergeHeads(m.headOutputs),
  output: (m) => matmul(m.merged, m.wO),
  answer: (m) => [m.output, m.weights],
};

function start(inputs: readonly unknown[]): Start {
  const [x, wQ, wK, wV, wO, H] = inputs as [NDArray, NDArray, NDArray, NDArray, NDArray, number];
  const [B, T, D] = x.shape;
  return { x, wQ, wK, wV, wO, B, T, D, H, d: D / H };
}

/** What attention with some steps changed returns for (x, wQ, wK, wV, wO, nHeads). */
export function attend(changes: Changes, inputs: readonly unknown[]): Answer {
  const made = start(inputs) as Made & Record<StepName, NDArray>;
  for (const name of names) made[name] = (changes[name] ?? right[name])(made);
  return (changes.answer ?? right.answer)(made);
}

type Rule = (made: Made) => NDArray;

interface Stage {
  /** What has been made; undefined if the last rule could make nothing of it. */
  readonly made: Made | undefined;
  readonly next: Map<Rule, Stage>;
}

/**
 * Attention on one input, many times with different steps changed: what two runs do alike at first is done once.
 *
 * @returns a function that gives the array `last` of the run with these changes, or undefined if it cannot be made
 */
export function manyRuns(inputs: readonly unknown[]): (changes: Changes, last: StepName) => NDArray | undefined {
  const first: Stage = { made: start(inputs) as Made, next: new Map() };
  return (changes, last) => {
    let stage = first;
    for (const name of names) {
      const rule = changes[name] ?? right[name];
      const next = stage.next.get(rule) ?? { made: add(stage.made, name, rule), next: new Map() };
      stage.next.set(rule, next);
      if (!next.made || name === last) return next.made?.[name];
      stage = next;
    }
    return undefined;
  };
}

/** What was made, and one array more. */
function add(made: Made | undefined, name: StepName, rule: Rule): Made | undefined {
  if (!made) return undefined;
  try {
    return Object.create(made, { [name]: { value: rule(made) } }) as Made;
  } catch {
    return undefined;
  }
}

/** The steps that decide the weights; the others come after them. */
export const beforeWeights: readonly StepName[] = names.slice(0, names.indexOf("weights") + 1);
