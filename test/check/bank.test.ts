import { describe, expect, it } from "vitest";
import { array } from "../../src/array/array.js";
import type { NDArray } from "../../src/array/ndarray.js";
import { type Answer, agree, exact } from "../../src/check/answers.js";
import { checkMergeHeads } from "../../src/check/check-merge-heads.js";
import { checkMultiHeadAttention } from "../../src/check/check-multi-head-attention.js";
import { checkSplitHeads } from "../../src/check/check-split-heads.js";
import { attentionMistakes } from "../../src/check/mistakes/attention/index.js";
import { mergeMistakes } from "../../src/check/mistakes/merge-heads.js";
import type { Mistake } from "../../src/check/mistakes/mistake.js";
import { splitMistakes } from "../../src/check/mistakes/split-heads.js";
import { attend, type Changes } from "../../src/check/mistakes/steps.js";
import { attentionProbes, mergeProbes, type Probe, splitProbes } from "../../src/check/probes.js";
import { predict } from "../../src/check/recognise.js";
import type { Verdict } from "../../src/check/verdict.js";

/** The mistakes whose ways give on all probes what some way of another mistake gives, too. */
function lookalikes<Way>(
  bank: readonly Mistake<Way>[],
  run: (way: Way, inputs: readonly unknown[]) => Answer,
  probes: readonly Probe[],
): string[] {
  const all = bank.flatMap(({ name, ways }) =>
    ways.map((way, i) => ({ name, i, answers: probes.map(({ inputs }) => predict(run, way, inputs)) })),
  );
  const rights = { name: "right", i: 0, answers: probes.map(({ wanted }) => wanted as Answer | undefined) };
  const found: string[] = [];
  for (const [at, one] of [rights, ...all].entries()) {
    for (const other of all.slice(at)) {
      const alike = one.answers.every((answer, p) => {
        const second = other.answers[p];
        return answer && second ? agree(answer, second, exact) : answer === second;
      });
      if (alike && one.name !== other.name) found.push(`${one.name} ${one.i} = ${other.name} ${other.i}`);
    }
  }
  return found;
}

describe("no two mistakes look alike", () => {
  it("in the bank of splits", () => {
    expect(lookalikes(splitMistakes, (way, [x, H]) => [way(x as never, H as never)], splitProbes())).toEqual([]);
  });
  it("in the bank of merges", () => {
    expect(lookalikes(mergeMistakes, (way, [x]) => [way(x as never)], mergeProbes())).toEqual([]);
  });
  it("in the bank of attentions", () => {
    expect(lookalikes<Changes>(attentionMistakes(), attend, attentionProbes())).toEqual([]);
  });
});

/** Six at most, spread over the list. */
function sample<T>(all: readonly T[]): T[] {
  const step = Math.ceil(all.length / 6);
  return all.filter((_, i) => i % step === 0);
}

/** The names that functions get, each called on NDArrays, and on nested arrays alone. */
function names(check: (fn: unknown) => Verdict, functions: readonly ((...inputs: never[]) => Answer)[]): unknown[] {
  const alone = (answer: Answer) => (answer.length === 1 ? answer[0] : answer);
  const nestedOnly = (fn: (...inputs: never[]) => Answer, nested: readonly unknown[]) => {
    const given = nested.map((input) => (typeof input === "number" ? input : array(lists(input))));
    const answer = fn(...(given as never[])).map((part) => part.toArray());
    return answer.length === 1 ? answer[0] : { output: answer[0], weights: answer[1] };
  };
  return [
    ...functions.map((fn) => check((...inputs: never[]) => alone(fn(...inputs))).mistake),
    ...functions.slice(0, 1).map((fn) => check((...inputs: unknown[]) => nestedOnly(fn, inputs)).mistake),
  ];
}

function lists(x: unknown): number[] {
  if (Array.isArray(x)) return x;
  throw new TypeError("x must be nested arrays");
}

describe("each mistake is named, and nothing else is", () => {
  for (const { name, ways } of splitMistakes) {
    const functions = sample(ways).map((way) => (x: NDArray, nHeads: number) => [way(x, nHeads)]);
    it(`split: ${name}`, () => expect(new Set(names(checkSplitHeads, functions))).toEqual(new Set([name])));
  }
  for (const { name, ways } of mergeMistakes) {
    const functions = sample(ways).map((way) => (x: NDArray) => [way(x)]);
    it(`merge: ${name}`, () => expect(new Set(names(checkMergeHeads, functions))).toEqual(new Set([name])));
  }
  for (const { name, ways } of attentionMistakes()) {
    const functions = sample(ways).map(
      (way) =>
        (...inputs: unknown[]) =>
          attend(way, inputs),
    );
    it(`attention: ${name}`, () => expect(new Set(names(checkMultiHeadAttention, functions))).toEqual(new Set([name])));
  }
});
