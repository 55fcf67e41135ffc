// Wrong splits and merges inside attention, taken from their own banks: the split alone, the merge alone, or both alike.

import { arange } from "../../../array/make.js";
import { splitHeads } from "../../../attention/heads.js";
import { undo, type WrongMerge, type WrongSplit } from "../arrange.js";
import { mergeMistakes } from "../merge-heads.js";
import type { Mistake } from "../mistake.js";
import { splitMistakes } from "../split-heads.js";
import type { Changes } from "../steps.js";

/** Entries that are told another way in attention, or make no difference there. */
const apart = ["one head only", "whole numbers only", "tokens split instead of features", "features in reverse order"];

function entries<Way>(bank: readonly Mistake<Way>[], usable: (way: Way) => boolean, ...also: string[]): Mistake<Way>[] {
  return bank
    .filter(({ name }) => !apart.includes(name))
    .map((one) => ({ ...one, ways: one.ways.filter((way) => also.includes(one.name) || usable(way)) }))
    .filter(({ ways }) => ways.length > 0);
}

const x = arange(120).reshape(2, 5, 12);

/** Whether the heads still have the shape (B, H, T, d) that the right steps need. */
function keepsHeads(way: WrongSplit): boolean {
  return way(x, 3).shape.join() === "2,3,5,4";
}

/** Whether the heads have that shape, and hold each number once, so that a merge can bring them all back. */
function canBeUndone(way: WrongSplit): boolean {
  return keepsHeads(way) && new Set(way(x, 3).data).size === x.size;
}

/** Whether the merged heads have the shape (B, T, D) that W_o needs. */
function keepsTokens(way: WrongMerge): boolean {
  return way(splitHeads(x, 3)).shape.join() === "2,5,12";
}

function splitWith(way: WrongSplit): Changes {
  return { qHeads: (m) => way(m.q, m.H), kHeads: (m) => way(m.k, m.H), vHeads: (m) => way(m.v, m.H) };
}

function splitAndMergeWith(way: WrongSplit): Changes {
  return { ...splitWith(way), merged: (m) => undo(way, m.H, m.v.shape)(m.headOutputs) };
}

/** The entries about heads. */
export function headMistakes(): Mistake<Changes>[] {
  const alike = entries(splitMistakes, canBeUndone, "no transpose after the reshape", "batch and head swapped");
  const splits = entries(splitMistakes, keepsHeads, "nHeads taken for the head width");
  const merges = entries(mergeMistakes, keepsTokens);
  return [
    ...alike.map(({ name, says, hint, ways }) => ({
      name: `a split and a merge wrong alike: ${name}`,
      says: `${says} The merge does the same backwards, so a round trip gives x again, and yet the heads are not the ones asked for.`,
      hint: `Check the split by itself. ${hint}`,
      ways: ways.map(splitAndMergeWith),
    })),
    ...splits.map(({ name, says, hint, ways }) => ({ name: `split: ${name}`, says, hint, ways: ways.map(splitWith) })),
    ...merges.map(({ name, says, hint, ways }) => ({
      name: `merge: ${name}`,
      says,
      hint,
      ways: ways.map((way): Changes => ({ merged: (m) => way(m.headOutputs) })),
    })),
    {
      name: "features in reverse order",
      says: "The values' features come from right to left in each head: the split or the merge reverses them.",
      hint: "Check split and merge by themselves.",
      ways: [{ merged: (m) => reversed(m.headOutputs) }],
    },
  ];
}

const reversed = mergeMistakes.flatMap(({ name, ways }) => (name === apart[3] ? ways : []))[0];
