// The check of a learner's mergeHeads.

import type { NDArray } from "../array/ndarray.js";
import { readArray } from "./answers.js";
import { judge } from "./judge.js";
import type { WrongMerge } from "./mistakes/arrange.js";
import { mergeMistakes } from "./mistakes/merge-heads.js";
import { byHead } from "./picture.js";
import { mergeProbes } from "./probes.js";
import { isRearrangement, mergeProvenance } from "./provenance.js";
import type { Task } from "./task.js";
import type { Verdict } from "./verdict.js";

const task: Task<WrongMerge> = {
  checker: "checkMergeHeads",
  takes: ["x"],
  parts: [{ name: "", shape: "(B, T, D)", index: "[b, t, c]" }],
  order: [0],
  probes: mergeProbes,
  moves: true,
  read: readArray,
  bank: () => mergeMistakes,
  run: (way, [x]) => [way(x as NDArray)],
  provenance: ({ probe: { inputs, wanted }, answer, index }, traced) =>
    mergeProvenance({ x: inputs[0] as NDArray, found: answer[0], wanted: wanted[0], traced }, index),
  look: ({ inputs, sizes: { T, H, d } }) => {
    const head = (position: number) => Math.floor(position / (T * d)) % H;
    return { yours: "Your merge", look: byHead(inputs[0] as NDArray, head) };
  },
  blind: ({ inputs }, [found]) =>
    isRearrangement(inputs[0] as NDArray, found) ? ["a round trip after a split that makes the same mistake"] : [],
  broken: () => [],
  notes: () => [],
};

/**
 * What is right or wrong with a function that should do what `mergeHeads` does.
 *
 * It is called on heads of its own, and not on what the learner's split makes: a split and a merge that are wrong alike would
 * undo each other.
 *
 * @param fn a function (x) that turns heads of shape (B, H, T, d) into an array of shape (B, T, H·d), as an NDArray or nested
 * arrays
 * @returns a verdict that names the mistake, says where the first wrong number comes from, and gives a hint
 * @example
 * checkMergeHeads((x: NDArray) => x.reshape(x.shape[0], x.shape[2], -1)).mistake; // "a merge that does not undo the split"
 */
export function checkMergeHeads(fn: unknown): Verdict {
  return judge(task, fn);
}
