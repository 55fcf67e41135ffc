// The bank of wrong mergeHeads. The right one is x.transpose(0, 2, 1, 3).reshape(B, T, H * d).

import type { NDArray } from "../../array/ndarray.js";
import { mergeHeads } from "../../attention/heads.js";
import { build, ordersBut, type WrongMerge } from "./arrange.js";
import type { Mistake } from "./mistake.js";

/** The numbers of `way` in their order under the right shape (B, T, H·d). */
function joined(way: WrongMerge): WrongMerge {
  return (heads) => {
    const [B, H, T, d] = heads.shape;
    return way(heads).reshape(B, T, H * d);
  };
}

/** The merge that would be right had the axes of the heads been in another order: seen as that, then set right, then joined. */
function seenAs(order: readonly number[]): WrongMerge {
  const back = order.map((_, axis) => order.indexOf(axis));
  return joined((heads) => {
    const [B, H, T, d] = heads.shape;
    const right = [B, T, H, d];
    return heads.reshape(order.map((axis) => right[axis])).transpose(back);
  });
}

function sum(heads: NDArray): NDArray {
  const [B, H, T, d] = heads.shape;
  return build([B, T, d], (b, t, j) => {
    let total = 0;
    for (let h = 0; h < H; h++) total += heads.get(b, h, t, j);
    return total;
  });
}

/** The sum of the heads once more for each head. */
function repeated(heads: NDArray): NDArray {
  const added = sum(heads);
  return byColumn((_heads, b, t, _h, j) => added.get(b, t, j))(heads);
}

/** A merge whose column c of token t in batch b is the number that `pick` finds. */
function byColumn(pick: (heads: NDArray, b: number, t: number, h: number, j: number) => number): WrongMerge {
  return (heads) => {
    const [B, H, T, d] = heads.shape;
    return build([B, T, H * d], (b, t, column) => pick(heads, b, t, Math.floor(column / d), column % d));
  };
}

export const mergeMistakes: readonly Mistake<WrongMerge>[] = [
  {
    name: "a merge that does not undo the split",
    says:
      "The transpose back is missing: the heads go straight from (B, H, T, d) to (B, T, D), so a row of the result is made of " +
      "several tokens of one head, and not of one token's parts from every head.",
    hint: "A reshape never moves a number, it can only join neighbouring axes. Which two axes have to be neighbours, in which order?",
    ways: [joined((heads) => heads)],
  },
  {
    name: "interleaved heads",
    says: "The heads are interleaved: column j·H + h gets feature j of head h, in place of column h·d + j.",
    hint: "Which columns should head 0 fill: the first d, or every H-th?",
    ways: [joined((heads) => heads.transpose(0, 2, 3, 1))],
  },
  {
    name: "batch and head swapped",
    says: "Batch and head are swapped: the first axis is taken for the heads.",
    hint: "With one batch both orders look alike. What does the first axis count?",
    ways: [seenAs([2, 0, 1, 3]), joined((heads) => heads.transpose(1, 2, 0, 3)), mergeSwapped],
  },
  {
    name: "heads added instead of joined",
    says: "The heads are added up, so each token has d features. They belong side by side: H·d features.",
    hint: "How many features does a token have after the merge, and how many did it have before the split?",
    ways: [sum, (heads) => sum(heads).map((total) => total / heads.shape[1]), repeated],
  },
  {
    name: "one head only",
    says: "One head fills the result, and the others are lost.",
    hint: "Where do the numbers of head 1 end up?",
    ways: [0, -1].flatMap((kept): WrongMerge[] => [
      byColumn((heads, b, t, _h, j) => heads.get(b, kept, t, j)),
      byColumn((heads, b, t, h, j) => (h === (kept + heads.shape[1]) % heads.shape[1] ? heads.get(b, h, t, j) : 0)),
      (heads) => build([heads.shape[0], ...heads.shape.slice(2)], (b, t, j) => heads.get(b, kept, t, j)),
    ]),
  },
  {
    name: "heads in reverse order",
    says: "The heads are joined in reverse order: the last head fills the first columns.",
    hint: "Which columns should head 0 fill?",
    ways: [byColumn((heads, b, t, h, j) => heads.get(b, heads.shape[1] - 1 - h, t, j))],
  },
  {
    name: "features in reverse order",
    says: "Each head fills its own columns, but from right to left.",
    hint: "Follow the first two features of head 0: which comes first?",
    ways: [byColumn((heads, b, t, h, j) => heads.get(b, h, t, heads.shape[3] - 1 - j))],
  },
  {
    name: "the heads are not joined",
    says: "The axes are put in order, but the last two are not joined: the result has four axes, and should have three.",
    hint: "What is still to be done with the last two axes?",
    ways: [(heads) => heads.transpose(0, 2, 1, 3)],
  },
  {
    name: "nothing merged",
    says: "What comes back is what went in: (B, H, T, d) in place of (B, T, H·d).",
    hint: "Two of the four axes have to become one. Are they neighbours yet?",
    ways: [(heads) => heads],
  },
  {
    name: "heads joined along the tokens",
    says: "The heads are put one below the other, as H·T tokens of d features. They belong side by side: T tokens of H·d features.",
    hint: "Which axis of the result is as long as H and d together?",
    ways: [
      (heads) => heads.reshape(heads.shape[0], -1, heads.shape[3]),
      (heads) => heads.transpose(0, 2, 1, 3).reshape(heads.shape[0], -1, heads.shape[3]),
    ],
  },
  {
    name: "the first batch everywhere",
    says: "Only the first batch of the heads is used.",
    hint: "Try it with two batches that differ. Where does the batch index go?",
    ways: [byColumn((heads, _b, t, h, j) => heads.get(0, h, t, j)), (heads) => mergeHeads(heads).at(0)],
  },
  {
    name: "whole numbers only",
    says: "The fractions are lost: the numbers are cut or rounded to whole ones.",
    hint: "What can the array that holds the result hold?",
    ways: [(heads) => mergeHeads(heads).map(Math.trunc), (heads) => mergeHeads(heads).map(Math.round)],
  },
  {
    name: "transpose of the wrong axes",
    says: "The transpose moves the wrong axes, so the last two are not head and feature when they are joined.",
    hint: "Write the letters of the four axes after the transpose. They must read B, T, H, d before the last two are joined.",
    ways: [
      ...ordersBut("0123", "0213", "0231", "1203").map((order) => joined((heads) => heads.transpose(order))),
      ...ordersBut("0123", "0213", "2013").map(seenAs),
    ],
  },
];

/** Right but for the first two axes: the shape is (H, T, B·d). */
function mergeSwapped(heads: NDArray): NDArray {
  return mergeHeads(heads.transpose(1, 0, 2, 3));
}
