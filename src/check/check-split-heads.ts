// The check of a learner's splitHeads.

import type { NDArray } from "../array/ndarray.js";
import { readArray } from "./answers.js";
import { judge } from "./judge.js";
import type { WrongSplit } from "./mistakes/arrange.js";
import { splitMistakes } from "./mistakes/split-heads.js";
import { byHead } from "./picture.js";
import { refusedSplits, splitProbes } from "./probes.js";
import { isRearrangement, splitProvenance } from "./provenance.js";
import type { Ask, Task, Trouble } from "./task.js";
import { endless } from "./troubles.js";
import type { Verdict } from "./verdict.js";

const task: Task<WrongSplit> = {
  checker: "checkSplitHeads",
  takes: ["x", "nHeads"],
  parts: [{ name: "", shape: "(B, H, T, d)", index: "[b, h, t, j]" }],
  order: [0],
  probes: splitProbes,
  moves: true,
  read: readArray,
  bank: () => splitMistakes,
  run: (way, [x, nHeads]) => [way(x as NDArray, nHeads as number)],
  provenance: ({ probe: { inputs, wanted }, answer, index }, traced) =>
    splitProvenance({ x: inputs[0] as NDArray, found: answer[0], wanted: wanted[0], traced }, index),
  look: ({ inputs, sizes }) => {
    const x = inputs[0] as NDArray;
    const head = (position: number) => Math.floor((position % x.shape[2]) / sizes.d);
    return { yours: "Your split", look: byHead(x, head) };
  },
  blind: ({ inputs }, [found]) =>
    isRearrangement(inputs[0] as NDArray, found) ? ["a round trip through a merge that makes the same mistake"] : [],
  broken: notRefused,
  notes: () => ["It throws where nHeads does not divide D, as it should."],
};

/** The rule that a D which nHeads does not divide is an error. */
function notRefused(ask: Ask): Trouble[] {
  for (const inputs of refusedSplits()) {
    const outcome = ask(inputs);
    if (outcome.kind === "endless") return [endless];
    if (outcome.kind === "threw") continue;
    const [x, nHeads] = inputs as readonly [NDArray, number];
    return [
      {
        name: "no error for a D that nHeads does not divide",
        says: `There is no error where nHeads does not divide D: D = ${x.shape[2]} with nHeads = ${nHeads} should throw one.`,
        hint: "What is left over when D is divided by nHeads, and what should happen then?",
      },
    ];
  }
  return [];
}

/**
 * What is right or wrong with a function that should do what `splitHeads` does.
 *
 * It is called on inputs on which no wrong order can hide, with NDArrays or, if it does not take those, with nested arrays.
 *
 * @param fn a function (x, nHeads) that turns x of shape (B, T, D) into heads of shape (B, H, T, d), as an NDArray or nested
 * arrays; it throws when nHeads does not divide D
 * @returns a verdict that names the mistake, says where the first wrong number comes from, and gives a hint
 * @example
 * checkSplitHeads((x: NDArray, nHeads: number) => x.reshape(x.shape[0], nHeads, x.shape[1], -1)).mistake; // "no transpose"
 */
export function checkSplitHeads(fn: unknown): Verdict {
  return judge(task, fn);
}
