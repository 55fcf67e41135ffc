// Several mistakes at once in attention: the weights tell which went wrong up to the softmax, the output which came after.

import type { NDArray } from "../array/ndarray.js";
import { agree, allFinite, rough } from "./answers.js";
import type { Mistake } from "./mistakes/mistake.js";
import { attend, beforeWeights, type Changes, manyRuns } from "./mistakes/steps.js";
import { answerOf, type Observation, right } from "./observe.js";
import { fits, predict } from "./recognise.js";

/** Of each mistake the most usual ways only; the rare ones are recognised alone. */
const usual = 3;

interface Part {
  readonly mistake: Mistake<Changes>;
  readonly changes: Changes;
}

/** Two to four mistakes of the bank that together explain all observations, as one; undefined if none do. */
export function combine(
  bank: readonly Mistake<Changes>[],
  observations: readonly Observation[],
): Mistake<Changes> | undefined {
  const first = observations.find((one) => {
    const answer = answerOf(one);
    return answer?.length === 2 && allFinite(answer) && !right(one, rough);
  });
  if (!first) return undefined;
  const [output, weights] = answerOf(first) ?? [];
  const run = manyRuns(first.probe.inputs);
  const parts = bank
    .flatMap((mistake) => mistake.ways.slice(0, usual).map((changes) => ({ mistake, changes })))
    .filter(({ changes }) => !changes.answer);
  const early = parts.filter(isEarly);
  const late = parts.filter((part) => !isEarly(part));
  for (const before of upToTwo(early)) {
    if (!same(run(merge(before), "weights"), weights)) continue;
    for (const after of upToTwo(late)) {
      const chosen = [...before, ...after];
      if (chosen.length < 2 || !disjoint(chosen)) continue;
      const changes = merge(chosen);
      if (!same(run(changes, "output"), output)) continue;
      const all = observations.every((one) => fits(predict(attend, changes, one.probe.inputs), one, rough));
      if (all) return together(chosen);
    }
  }
  return undefined;
}

function isEarly({ changes }: Part): boolean {
  return beforeWeights.some((step) => step in changes);
}

/** No part, each part, and each two that fit together. */
function upToTwo(parts: readonly Part[]): Part[][] {
  const pairs = parts.flatMap((a, i) => parts.slice(i + 1).map((b) => [a, b]));
  return [[], ...parts.map((part) => [part]), ...pairs.filter(disjoint)];
}

/** Whether no step is changed twice, and no mistake made twice. */
function disjoint(parts: readonly Part[]): boolean {
  const steps = parts.flatMap(({ changes }) => Object.keys(changes));
  return new Set(steps).size === steps.length && new Set(parts.map(({ mistake }) => mistake)).size === parts.length;
}

function merge(parts: readonly Part[]): Changes {
  return Object.assign({}, ...parts.map(({ changes }) => changes)) as Changes;
}

function same(made: NDArray | undefined, found: NDArray): boolean {
  return made !== undefined && agree([found], [made], rough);
}

function together(parts: readonly Part[]): Mistake<Changes> {
  return {
    name: parts.map(({ mistake }) => mistake.name).join("; "),
    says: parts.map(({ mistake }, i) => `(${i + 1}) ${mistake.says}`).join(" "),
    hint: `One at a time: ${parts[0].mistake.hint}`,
    ways: [merge(parts)],
  };
}
