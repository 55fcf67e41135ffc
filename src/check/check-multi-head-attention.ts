// The check of a learner's multiHeadAttention.

import { arange } from "../array/make.js";
import { agree, exact, readPair } from "./answers.js";
import { hiddenKeys, otherScale, whereWrong } from "./attention-steps.js";
import { combine } from "./combine.js";
import { judge } from "./judge.js";
import { attentionMistakes } from "./mistakes/attention/index.js";
import { attend, type Changes } from "./mistakes/steps.js";
import { asNumbers, asWeights } from "./picture.js";
import { attentionProbes, hugeActivations } from "./probes.js";
import type { Ask, Task } from "./task.js";
import type { Verdict } from "./verdict.js";

const task: Task<Changes> = {
  checker: "checkMultiHeadAttention",
  takes: ["x", "wQ", "wK", "wV", "wO", "nHeads"],
  parts: [
    { name: "output", shape: "(B, T, D)", index: "[b, t, c]" },
    { name: "weights", shape: "(B, H, T, T)", index: "[b, h, i, j]" },
  ],
  order: [1, 0],
  probes: attentionProbes,
  moves: false,
  read: readPair,
  bank: attentionMistakes,
  run: attend,
  further: (bank, observations) => combine(bank, observations) ?? otherScale(observations) ?? hiddenKeys(observations),
  provenance: whereWrong,
  look: ({ wanted }, part) =>
    part === 1 ? { yours: "Your weights", look: asWeights() } : { yours: "Your output", look: asNumbers(wanted[0]) },
  blind: () => [],
  broken: () => [],
  notes: (ask) => [huge(ask), ...indivisible(ask)],
};

function huge(ask: Ask): string {
  const { inputs, wanted } = hugeActivations();
  const outcome = ask(inputs);
  if (outcome.kind === "answer" && agree(outcome.answer, wanted, exact)) {
    return "It is right for activations of 1e200 too, where subtracting the maximum is not enough.";
  }
  return (
    "For activations of 1e200 it is not finite: there Q Kᵀ itself overflows, before a maximum can be subtracted. " +
    "Subtracting the maximum is what textbooks do; to stay finite there too, scale first, as multiHeadAttention does."
  );
}

function indivisible(ask: Ask): string[] {
  const square = arange(100).reshape(10, 10);
  const { kind } = ask([arange(20).reshape(1, 2, 10), square, square, square, square, 4]);
  return kind === "threw" ? [] : ["It gives no error for a D that nHeads does not divide; splitHeads has to give one."];
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
