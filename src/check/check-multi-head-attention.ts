// The check of a learner's multiHeadAttention.

import { arange } from "../array/make.js";
import { matmul } from "../array/matmul.js";
import type { NDArray } from "../array/ndarray.js";
import { mergeHeads, splitHeads } from "../attention/heads.js";
import { type Answer, exact, firstWrong, readPair, rough } from "./answers.js";
import { combine } from "./combine.js";
import { judge } from "./judge.js";
import { attentionMistakes } from "./mistakes/attention/index.js";
import { attend, type Changes } from "./mistakes/steps.js";
import type { Outcome } from "./observe.js";
import { short } from "./plain-text.js";
import { attentionProbes, hugeActivations, type Probe } from "./probes.js";
import type { Ask, Task } from "./task.js";
import type { Verdict } from "./verdict.js";

const task: Task<Changes> = {
  checker: "checkMultiHeadAttention",
  parts: [
    { name: "output", shape: "(B, T, D)", index: "[b, t, c]" },
    { name: "weights", shape: "(B, H, T, T)", index: "[b, h, i, j]" },
  ],
  order: [1, 0],
  probes: attentionProbes,
  read: readPair,
  bank: attentionMistakes,
  run: attend,
  combine,
  provenance: step,
  blind: () => [],
  broken: () => [],
  notes,
};

/** At which step an answer with the right shapes goes wrong, as far as weights and output tell. */
function step({ inputs, wanted }: Probe, [output, weights]: Answer, part: number, index: readonly number[]): string {
  if (part === 0)
    return "the weights are right, so it goes wrong after the softmax: in the weighted sum, the merge, or W_o";
  const [b, h, i, j] = index;
  const row = sum(weights.at(b, h, i));
  const rows =
    Math.abs(row - 1) < rough
      ? "the rows of the weights sum to 1, so look before the softmax: at Q, K, the split, or the scale"
      : `row [${b}, ${h}, ${i}] of the weights sums to ${short(row)}, and should sum to 1${columns(weights, b, h, j)}`;
  if (weights.shape.join() !== wanted[1].shape.join() || !output) return rows;
  const [x, , , wV, wO, nHeads] = inputs as readonly [NDArray, NDArray, NDArray, NDArray, NDArray, number];
  const rest = matmul(mergeHeads(matmul(weights, splitHeads(matmul(x, wV), nHeads))), wO);
  const follows = firstWrong(output, rest, rough) === undefined;
  return follows ? `${rows}; the output follows rightly from these weights` : rows;
}

function columns(weights: NDArray, b: number, h: number, j: number): string {
  const column = sum(weights.at(b, h).transpose().at(j));
  return Math.abs(column - 1) < rough ? " (its columns do)" : "";
}

function sum(row: NDArray): number {
  return row.data.reduce((total, value) => total + value, 0);
}

function notes(ask: Ask): string[] {
  const huge = hugeActivations();
  const outcome = ask(huge.inputs);
  const finite = outcome.kind === "answer" && outcome.answer.every(({ data }) => data.every(Number.isFinite));
  const right =
    outcome.kind === "answer" &&
    outcome.answer.every((part, i) => firstWrong(part, huge.wanted[i], exact) === undefined);
  return [
    right && finite
      ? "With activations of 1e200 it is right too, where subtracting the maximum alone would not do."
      : "With activations of 1e200 it does not stay finite: Q Kᵀ itself overflows, before a maximum can be subtracted. " +
        "multiHeadAttention of this package scales Q and K first.",
    ...(indivisible(
      ask([arange(20).reshape(1, 2, 10), ...Array.from({ length: 4 }, () => arange(100).reshape(10, 10)), 4]),
    )
      ? ["It gives no error for a D that nHeads does not divide (D = 10 with nHeads = 4). splitHeads should throw one."]
      : []),
  ];
}

function indivisible({ kind }: Outcome): boolean {
  return kind !== "threw";
}

/**
 * What is right or wrong with a function that should do what `multiHeadAttention` does.
 *
 * @param fn a function (x, wQ, wK, wV, wO, nHeads) of x of shape (B, T, D) and matrices of shape (D, D) that gives the output,
 * (B, T, D), and the weights, (B, H, T, T), as [output, weights] or {output, weights}; NDArrays or nested arrays
 * @returns a verdict that names the mistake, says at which step the numbers go wrong, and gives a hint
 * @example
 * checkMultiHeadAttention(multiHeadAttention).passed; // true
 */
export function checkMultiHeadAttention(fn: unknown): Verdict {
  return judge(task, fn);
}
