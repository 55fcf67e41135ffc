// The bank of wrong splitHeads. The right one is x.reshape(B, T, H, d).transpose(0, 2, 1, 3).

import { splitHeads } from "../../attention/heads.js";
import { build, ordersBut, type WrongSplit } from "./arrange.js";
import type { Mistake } from "./mistake.js";

/** x seen with four axes, in the order that `letters` says: "BTHd" is the right one. */
function view(letters: string): WrongSplit {
  return (x, nHeads) => {
    const [B, T, D] = x.shape;
    const size: Record<string, number> = { B, T, H: nHeads, d: D / nHeads };
    return x.reshape(...[...letters].map((letter) => size[letter]));
  };
}

/** `way`, then its numbers in their order under the right shape (B, H, T, d). */
function thenReshape(way: WrongSplit): WrongSplit {
  return (x, nHeads) => way(x, nHeads).reshape(x.shape[0], nHeads, x.shape[1], x.shape[2] / nHeads);
}

function transposed(letters: string, order: readonly number[]): WrongSplit {
  return (x, nHeads) => view(letters)(x, nHeads).transpose(order);
}

/** Both what the orders give and the same numbers under the right shape. */
function everyOrder(letters: string, orders: readonly (readonly number[])[]): WrongSplit[] {
  const ways = orders.map((order) => transposed(letters, order));
  return [...ways.map(thenReshape), ...ways];
}

/** A split whose element (b, h, t, j) is the number of x at batch b, token t and the column that `column` says. */
function byColumn(column: (h: number, j: number, d: number, H: number) => number): WrongSplit {
  return (x, nHeads) => {
    const [B, T, D] = x.shape;
    const d = D / nHeads;
    return build([B, nHeads, T, d], (b, h, t, j) => x.get(b, t, column(h, j, d, nHeads)));
  };
}

export const splitMistakes: readonly Mistake<WrongSplit>[] = [
  {
    name: "no transpose",
    says:
      "The transpose is missing: x goes straight to the shape (B, H, T, d), so a head takes whole tokens, one after the other, " +
      "and not its own columns of every token.",
    hint: "A reshape never moves a number: it only cuts axes and joins neighbours. Into which axes can it cut D, and where do they stand then?",
    ways: [view("BHTd")],
  },
  {
    name: "no transpose after the reshape",
    says: "The transpose is missing: the features are cut into heads, but the axes are still (B, T, H, d).",
    hint: "All numbers are there, cut at the right places. Which axis has to come before which?",
    ways: [view("BTHd")],
  },
  {
    name: "interleaved heads",
    says: "The heads are interleaved: head h takes every nHeads-th column, h, h + H, h + 2H, ..., in place of d neighbouring ones.",
    hint: "When D becomes two axes, the one written last moves fastest. Should neighbours in x share a head or not?",
    ways: [byColumn((h, j, _d, H) => j * H + h)],
  },
  {
    name: "batch and head swapped",
    says: "Batch and head are swapped: the first axis counts heads and the second one batches.",
    hint: "With one batch both orders look alike. What is the first axis of the result meant to count?",
    ways: [transposed("BTHd", [2, 0, 1, 3]), thenReshape(transposed("BTHd", [2, 0, 1, 3]))],
  },
  {
    name: "one head only",
    says: "Nothing is split: the features are all still together, as if there were one head.",
    hint: "D has to become two axes. How many features does each head get?",
    ways: [
      (x) => x,
      (x) => x.reshape(x.shape[0], 1, x.shape[1], x.shape[2]),
      (x) => x.reshape(x.shape[0], x.shape[1], 1, -1),
    ],
  },
  {
    name: "the same columns in every head",
    says: "Every head holds the same columns of x, the first d.",
    hint: "At which column does head 1 begin?",
    ways: [byColumn((_h, j) => j)],
  },
  {
    name: "heads that overlap",
    says: "The heads begin at the wrong columns: head h should begin at column h·d, and begins too early, so heads share columns.",
    hint: "How many columns does one head take? So where does the next one begin?",
    ways: [byColumn((h, j, _d, H) => h * H + j), byColumn((h, j) => h + j), byColumn((h, j, d) => h * (d - 1) + j)],
  },
  {
    name: "heads in reverse order",
    says: "The heads come in reverse order: head 0 holds the last columns.",
    hint: "Which columns belong to head 0?",
    ways: [byColumn((h, j, d, H) => (H - 1 - h) * d + j)],
  },
  {
    name: "features in reverse order",
    says: "Each head holds its own columns, but from right to left.",
    hint: "Follow one token's first two features: which comes first in head 0?",
    ways: [byColumn((h, j, d) => h * d + d - 1 - j)],
  },
  {
    name: "nHeads taken for the head width",
    says: "nHeads is used as the width of a head: there are D / nHeads heads with nHeads features each, in place of nHeads heads.",
    hint: "Which of the two new axes has the length nHeads?",
    ways: everyOrder("BTdH", [[0, 2, 1, 3]]).reverse(),
  },
  {
    name: "tokens split instead of features",
    says: "The tokens are shared out among the heads. Every head should see all tokens, and a part of the features.",
    hint: "Which axis of x has to become two?",
    ways: [
      (x, H) => x.reshape(x.shape[0], H, -1, x.shape[2]),
      (x, H) => x.reshape(x.shape[0], -1, H, x.shape[2]).transpose(0, 2, 1, 3),
    ],
  },
  {
    name: "the first batch everywhere",
    says: "Only the first batch of x is used.",
    hint: "Try it with two batches that differ. Where does the batch index go?",
    ways: [
      (x, H) => splitHeads(x, H).map((_, b, h, t, j) => x.get(0 * b, t, (h * x.shape[2]) / H + j)),
      (x, H) => splitHeads(x, H).at(0),
    ],
  },
  {
    name: "whole numbers only",
    says: "The fractions are lost: the numbers are cut or rounded to whole ones.",
    hint: "What can the array that holds the result hold?",
    ways: [(x, H) => splitHeads(x, H).map(Math.trunc), (x, H) => splitHeads(x, H).map(Math.round)],
  },
  {
    name: "transpose of the wrong axes",
    says: "The transpose moves the wrong axes.",
    hint: "Write the letters of the four axes before and after it. After it they must read B, H, T, d.",
    ways: [
      ...everyOrder("BTHd", ordersBut("0123", "0213", "2013")),
      ...everyOrder("BTdH", ordersBut("0123", "0312", "0213")),
      ...everyOrder("BHTd", ordersBut("0123")),
      ...everyOrder("BHdT", ordersBut("0123")),
    ],
  },
];
