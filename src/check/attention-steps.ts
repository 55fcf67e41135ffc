// At which step a wrong attention goes wrong, as far as its output and its weights tell.

import { matmul } from "../array/matmul.js";
import type { NDArray } from "../array/ndarray.js";
import { attentionSteps } from "../attention/attention.js";
import { mergeHeads, splitHeads } from "../attention/heads.js";
import { type Answer, firstWrong, indexOf, rough, sameShapes } from "./answers.js";
import { answerOf, type Observation, right } from "./observe.js";
import { short } from "./plain-text.js";
import type { Probe } from "./probes.js";
import type { Difference, Trouble } from "./task.js";

type Inputs = readonly [x: NDArray, wQ: NDArray, wK: NDArray, wV: NDArray, wO: NDArray, nHeads: number];

/** Where to look for the first wrong number, which is in the output (part 0) or in the weights (part 1). */
export function whereWrong({ probe, answer, part, index }: Difference): string | undefined {
  if (!sameShapes([answer[part]], [probe.wanted[part]])) return undefined;
  if (part === 0) return "the weights are right, so look after the softmax: at the weighted sum, the merge, W_o";
  const rest = followsFromWeights(probe, answer) ? "; what comes after the weights is right" : "";
  return `${aboutWeights(probe, answer[1], index)}${rest}`;
}

function aboutWeights(probe: Probe, weights: NDArray, [b, h, i, j]: readonly number[]): string {
  const row = sum(weights.at(b, h, i));
  if (!Number.isFinite(row)) return "these weights are not finite, so look at the exponentials and their sum";
  if (Math.abs(row - 1) > rough) {
    const column = sum(weights.at(b, h).transpose().at(j));
    const columns = Math.abs(column - 1) < rough ? ` (column ${j} does)` : "";
    return `the row [${b}, ${h}, ${i}] of the weights sums to ${short(row)} and should sum to 1${columns}`;
  }
  const divisor = scaleOf(probe, weights);
  if (divisor !== undefined) return `these are the weights of scores divided by ${short(divisor)}`;
  return "the rows of the weights sum to 1, so look before the softmax: at Q, K, the split, the scores";
}

function sum(row: NDArray): number {
  return row.data.reduce((total, value) => total + value, 0);
}

/** Whether the output is what these weights should lead to. */
function followsFromWeights({ inputs, wanted }: Probe, [output, weights]: Answer): boolean {
  const [x, , , wV, wO, nHeads] = inputs as Inputs;
  if (!sameShapes([output, weights], wanted)) return false;
  const values = splitHeads(matmul(x, wV), nHeads);
  return firstWrong(output, matmul(mergeHeads(matmul(weights, values)), wO), rough) === undefined;
}

/**
 * The number by which the right scores Q Kᵀ were divided, if these weights are their softmax; undefined if they are not.
 * In one row, log(weight) differs between two keys by the difference of their scores over that number.
 */
function scaleOf({ inputs, sizes }: Probe, weights: NDArray): number | undefined {
  const scores = attentionSteps(...(inputs as Inputs)).scores.map((score) => score * Math.sqrt(sizes.d));
  const { T } = sizes;
  const pairs = [...weights.data].map((weight, at) => {
    const first = at - (at % T);
    return { logs: Math.log(weight / weights.data[first]), scores: scores.data[at] - scores.data[first] };
  });
  const widest = pairs.reduce((most, pair) => (Math.abs(pair.scores) > Math.abs(most.scores) ? pair : most));
  const factor = widest.logs / widest.scores;
  const slack = rough * Math.abs(widest.logs);
  const shares = weights.reshape(-1, T);
  const fits =
    pairs.every((pair) => Math.abs(pair.logs - factor * pair.scores) <= slack) &&
    Array.from({ length: shares.shape[0] }, (_, i) => sum(shares.at(i))).every((row) => Math.abs(row - 1) <= rough);
  return fits ? Number((1 / factor).toPrecision(6)) : undefined;
}

/** Weights of which some are 0, and the others of each row in their right proportions: keys were hidden or dropped. */
export function hiddenKeys(observations: readonly Observation[]): Trouble | undefined {
  const wrong = observations.find((one) => answerOf(one)?.length === 2 && !right(one, rough));
  const answer = wrong && answerOf(wrong);
  if (!answer) return undefined;
  const outputRight = firstWrong(answer[0], wrong.probe.wanted[0], rough) === undefined;
  if (!sameShapes(answer, wrong.probe.wanted) || !(outputRight || followsFromWeights(wrong.probe, answer)))
    return undefined;
  const [found, wanted] = [answer[1], wrong.probe.wanted[1]].map((weights) => weights.reshape(-1, wrong.probe.sizes.T));
  const keepsProportions = (row: NDArray, i: number) => {
    const seen = wanted.at(i).map((weight, j) => (row.data[j] === 0 ? 0 : weight));
    const factor = sum(row) / (sum(seen) || 1);
    return (
      firstWrong(
        row,
        seen.map((weight) => weight * factor),
        rough,
      ) === undefined
    );
  };
  const rows = Array.from({ length: found.shape[0] }, (_, i) => found.at(i));
  if (!found.data.includes(0) || !rows.every(keepsProportions)) return undefined;
  const index = indexOf(found.data.indexOf(0), answer[1].shape);
  return {
    name: "a mask",
    says:
      `Weights are 0 that should not be, such as weights[${index.join(", ")}], and the others of a row keep their proportions, ` +
      "as with a mask or a dropout.",
    hint: "Here every query sees every key, each time. Where does the function set something to 0 or to -infinity?",
  };
}

/** Weights that are right but for the number that the scores are divided by. */
export function otherScale(observations: readonly Observation[]): Trouble | undefined {
  const wrong = observations.find((one) => answerOf(one)?.length === 2 && !right(one, rough));
  const answer = wrong && answerOf(wrong);
  if (!answer || !followsFromWeights(wrong.probe, answer)) return undefined;
  const divisor = scaleOf(wrong.probe, answer[1]);
  if (divisor === undefined) return undefined;
  const { d } = wrong.probe.sizes;
  return {
    name: "scores divided by something else",
    says: `The weights are those of scores divided by ${short(divisor)}. For d = ${d} it should be √d, ${short(Math.sqrt(d))}.`,
    hint: "Print the number you divide by, for D = 12 and three heads, and for D = 10 and two.",
  };
}
