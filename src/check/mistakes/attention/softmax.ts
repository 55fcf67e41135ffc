// Wrong ways from scaled scores to weights.

import type { NDArray } from "../../../array/ndarray.js";
import { softmax } from "../../../array/softmax.js";
import { build } from "../arrange.js";
import type { Mistake } from "../mistake.js";
import { type Changes, flip, type Made } from "../steps.js";

type Row = readonly number[];

/** Each row along the keys put through `rule`. */
function byRow(x: NDArray, rule: (row: Row) => Row): NDArray {
  const width = x.shape[x.ndim - 1];
  const rows = Array.from({ length: x.size / width }, (_, i) => rule([...x.data.subarray(i * width, (i + 1) * width)]));
  const flat = rows.flat();
  return build([x.size], (i) => flat[i]).reshape(x.shape);
}

function total(row: Row): number {
  return row.reduce((sum, value) => sum + value, 0);
}

function largest(row: Row): number {
  return row.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
}

/** The exponentials of score - subtracted(row), divided by what `divisor` makes of them. */
function exponentials(subtracted: (row: Row, m: Made) => number, divisor: (exps: Row) => number = total): Changes {
  return {
    weights: (m) =>
      byRow(m.scaled, (row) => {
        const less = subtracted(row, m);
        const exps = row.map((score) => Math.exp(score - less));
        return exps.map((value) => value / divisor(exps));
      }),
  };
}

/** Softmax over the last axes run together, all but the first `kept`. */
function together(kept: number): Changes {
  return { weights: ({ scaled }) => softmax(scaled.reshape(...scaled.shape.slice(0, kept), -1)).reshape(scaled.shape) };
}

function mask(hides: (i: number, j: number) => boolean): Changes {
  const hidden = (scores: NDArray) => scores.map((score, _b, _h, i, j) => (hides(i, j) ? -Infinity : score));
  return { weights: (m) => softmax(hidden(m.scaled)) };
}

/** Scores kept between `least` and `most`. */
function cut(least: number, most: number): Changes {
  return { weights: (m) => softmax(m.scaled.map((score) => Math.min(Math.max(score, least), most))) };
}

/** exp(score - the largest of its row). */
function exponentialsOf(scores: NDArray): NDArray {
  return byRow(scores, (row) => row.map((score) => Math.exp(score - largest(row))));
}

function normalised(exps: NDArray): NDArray {
  return byRow(exps, (row) => row.map((value) => value / total(row)));
}

/** exp(score - the largest of all heads for this query and key). */
function acrossHeads(scores: NDArray): NDArray {
  return exponentialsOf(scores.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2);
}

function divideByColumns(exps: NDArray): NDArray {
  return flip(byRow(flip(exps), (column) => column.map((value) => value / total(column))));
}

export const softmaxMistakes: readonly Mistake<Changes>[] = [
  {
    name: "softmax over queries",
    says: "The softmax runs over the queries: the columns of the weights sum to 1, and the rows should.",
    hint: "weights[b, h, i, :] are the shares that query i gives to the keys. What must they add up to?",
    ways: [{ weights: (m) => softmax(m.scaled, -2) }, { weights: (m) => divideByColumns(exponentialsOf(m.scaled)) }],
  },
  {
    name: "softmax over heads",
    says: "The softmax runs over the heads: the heads share out each pair of tokens. The rows should sum to 1, over the keys.",
    hint: "With one head all these weights are 1. Which axis do the shares belong to?",
    ways: [{ weights: (m) => softmax(m.scaled, 1) }],
  },
  {
    name: "softmax over batches",
    says: "The softmax runs over the batches. The rows should sum to 1, over the keys.",
    hint: "With one batch all these weights are 1. Which axis do the shares belong to?",
    ways: [{ weights: (m) => softmax(m.scaled, 0) }],
  },
  {
    name: "softmax over everything",
    says: "The exponentials are divided by one sum for many rows. Each row, a query's shares among the keys, needs its own sum.",
    hint: "How many sums of exponentials are there for B batches, H heads and T queries?",
    ways: [together(2), together(0), together(1)],
  },
  {
    name: "no maximum subtracted",
    says:
      "The weights are right for ordinary scores, but the exponential overflows for large ones: exp(710) is already infinite, " +
      "and infinity divided by infinity is NaN. (Scores far below zero all become 0, and 0 / 0 is NaN too.)",
    hint: "Adding one number to all scores of a row does not change its softmax. Which number makes the largest exponential exp(0)?",
    ways: [exponentials(() => 0)],
  },
  {
    name: "one maximum for all rows",
    says:
      "One maximum is subtracted from many rows. In a row far below it every exponential becomes 0, and 0 / 0 is NaN. " +
      "Each row needs its own.",
    hint: "Try a head with one row of scores near 0 and one near 1000. Which maximum does each row need?",
    ways: [exponentials((_row, m) => largest([...m.scaled.data])), perBlock(2), perBlock(1)],
  },
  {
    name: "the maximum of the wrong axis",
    says:
      "The maximum that is subtracted is not that of the row. Only what is subtracted from all scores of a row alike leaves " +
      "its softmax as it is.",
    hint: "Which scores are compared with each other when their largest is looked for?",
    ways: [
      { weights: (m) => normalised(flip(exponentialsOf(flip(m.scaled)))) },
      { weights: (m) => normalised(acrossHeads(m.scaled)) },
    ],
  },
  {
    name: "another number than the maximum subtracted",
    says:
      "What is subtracted from a row is not its maximum. Ordinary scores give the right weights all the same, but for large ones " +
      "the exponentials overflow, or all become 0, and the weights are NaN.",
    hint: "After the subtraction, what is the largest number of a row, and what is its exponential?",
    ways: [
      exponentials((row) => row[0]),
      exponentials((row) => row.reduce((least, value) => Math.min(least, value))),
      exponentials((row) => total(row) / row.length),
      exponentials((row) => row[row.length - 1]),
      exponentials((row) => -largest(row)),
      exponentials((row) => largest(row.map(Math.abs))),
    ],
  },
  {
    name: "scores cut off",
    says:
      "Scores beyond a limit are cut to it. Then the exponential is finite, but two scores beyond the limit become equal, and " +
      "so do their weights.",
    hint: "What are the weights of the scores 800 and 900, and what does your function make of them?",
    ways: [20, 30, 50, 80, 88, 100, 500, 600, 700, 709].flatMap((limit) => [cut(-limit, limit), cut(-Infinity, limit)]),
  },
  {
    name: "the maximum starts at 0",
    says:
      "The largest score is looked for starting from 0, so where all scores of a row are far below zero 0 is subtracted, every " +
      "exponential becomes 0, and 0 / 0 is NaN.",
    hint: "What does the search for the maximum give for the row -1000, -1001?",
    ways: [exponentials((row) => Math.max(0, largest(row)))],
  },
  {
    name: "no softmax",
    says: "The scaled scores are used as weights, without a softmax.",
    hint: "Can a weight be negative? What should a row of weights add up to?",
    ways: [{ weights: (m) => m.scaled }],
  },
  {
    name: "exponentials not divided by their sum",
    says: "The weights are exponentials that were not divided by their sum, so the rows do not sum to 1.",
    hint: "What should a row of weights add up to?",
    ways: [
      exponentials(largest, () => 1),
      exponentials(
        () => 0,
        () => 1,
      ),
    ],
  },
  {
    name: "no exponential",
    says: "The scores are divided by their sum, without the exponential.",
    hint: "What does softmax do to a negative score?",
    ways: [{ weights: (m) => byRow(m.scaled, (row) => row.map((score) => score / total(row))) }],
  },
  {
    name: "softmax twice",
    says: "The softmax is taken twice, which evens the weights out.",
    hint: "Follow one row from scores to weights. How often is it made to sum to 1?",
    ways: [{ weights: (m) => softmax(softmax(m.scaled)) }],
  },
  {
    name: "the logarithm of the weights",
    says: "The weights are the logarithm of the softmax.",
    hint: "Can a weight be negative?",
    ways: [{ weights: (m) => softmax(m.scaled).map(Math.log) }],
  },
  {
    name: "powers of two",
    says: "The softmax takes powers of 2, and not of e.",
    hint: "What is the base of the exponential in a softmax?",
    ways: [{ weights: (m) => softmax(m.scaled.map((score) => score * Math.LN2)) }],
  },
  {
    name: "scaled after the softmax",
    says: "The scale is applied to the weights, after the softmax. The scores should be divided before it.",
    hint: "What should a row of weights add up to?",
    ways: [{ scaled: (m) => m.scores, weights: (m) => softmax(m.scaled).map((weight) => weight / Math.sqrt(m.d)) }],
  },
  {
    name: "a mask",
    says: "Some keys are hidden from some queries. Here every query sees every key: there is no mask.",
    hint: "Where are the weights 0? Softmax never gives 0 by itself.",
    ways: [mask((i, j) => j > i), mask((i, j) => j < i), mask((i, j) => i === j), mask((i, j) => j >= i && i > 0)],
  },
  {
    name: "a small number added to the sum",
    says: "Something small is added to the sum of the exponentials, so the rows sum to a little less than 1.",
    hint: "After the maximum is subtracted, how small can the sum of exponentials get? Does it need protection?",
    ways: [1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9].map((extra) => exponentials(largest, (exps) => total(exps) + extra)),
  },
];

/** One maximum for each batch (`kept` 1) or each head (`kept` 2). */
function perBlock(kept: number): Changes {
  return {
    weights: ({ scaled }) => {
      const block = scaled.reshape(...scaled.shape.slice(0, kept), -1);
      const shifted = byRow(block, (row) => row.map((score) => score - largest(row))).reshape(scaled.shape);
      return byRow(shifted, (row) => row.map((score) => Math.exp(score) / total(row.map(Math.exp))));
    },
  };
}
