import { describe, expect, it } from "vitest";
import { eye, zeros } from "../../src/array/make.js";
import { matmul } from "../../src/array/matmul.js";
import type { NDArray } from "../../src/array/ndarray.js";
import { softmax } from "../../src/array/softmax.js";
import { attentionSteps, multiHeadAttention } from "../../src/attention/attention.js";
import { mergeHeads, splitHeads } from "../../src/attention/heads.js";
import { checkMultiHeadAttention } from "../../src/check/check-multi-head-attention.js";
import { flat } from "./flat.js";

type Arrays = [x: NDArray, wQ: NDArray, wK: NDArray, wV: NDArray, wO: NDArray, nHeads: number];

interface Choices {
  readonly split?: (x: NDArray, nHeads: number) => NDArray;
  readonly merge?: (heads: NDArray) => NDArray;
  readonly scale?: (d: number) => number;
  readonly soften?: (scores: NDArray) => NDArray;
  readonly average?: (weights: NDArray, v: NDArray, k: NDArray) => NDArray;
  readonly finish?: (merged: NDArray, wO: NDArray) => NDArray;
  readonly give?: (output: NDArray, weights: NDArray) => unknown;
}

/** Attention as a learner may write it, with some choices made otherwise. */
function attention(choices: Choices): (...inputs: Arrays) => unknown {
  const { split = splitHeads, merge = mergeHeads, scale = Math.sqrt, soften = softmax } = choices;
  const { average = matmul, finish = matmul, give = (output, weights) => [output, weights] } = choices;
  return (x, wQ, wK, wV, wO, nHeads) => {
    const [q, k, v] = [wQ, wK, wV].map((w) => split(matmul(x, w), nHeads));
    const divisor = scale(x.shape[2] / nHeads);
    const scores = matmul(q, k.transpose(0, 1, 3, 2)).map((score) => score / divisor);
    const weights = soften(scores);
    return give(finish(merge(average(weights, v, k)), wO), weights);
  };
}

/** Each row of the scores put through `rule`. */
function byRow(scores: NDArray, rule: (row: number[]) => number[]): NDArray {
  const [B, H, T] = scores.shape;
  const rows = Array.from({ length: B * H * T }, (_, i) => rule([...scores.reshape(-1, T).at(i).data])).flat();
  return zeros([rows.length])
    .map((_, i) => rows[i])
    .reshape(B, H, T, T);
}

/** The softmax of a row from which `less(row)` is subtracted. */
function softmaxLess(less: (row: number[]) => number): (scores: NDArray) => NDArray {
  return (scores) =>
    byRow(scores, (row) => {
      const subtracted = less(row);
      const exps = row.map((score) => Math.exp(score - subtracted));
      const sum = exps.reduce((a, b) => a + b);
      return exps.map((value) => value / sum);
    });
}

const straightSplit = (x: NDArray, nHeads: number) => x.reshape(x.shape[0], nHeads, x.shape[1], x.shape[2] / nHeads);
const straightMerge = (heads: NDArray) => heads.reshape(heads.shape[0], heads.shape[2], -1);
const naive = softmaxLess(() => 0);

function names(choices: Choices): string | undefined {
  return checkMultiHeadAttention(attention(choices)).mistake;
}

describe("one mistake", () => {
  it("none is none", () => {
    expect(names({})).toBe(undefined);
    expect(checkMultiHeadAttention(attention({})).passed).toBe(true);
  });
  it("is told with the step at which it goes wrong", () => {
    const verdict = checkMultiHeadAttention(attention({ soften: (scores) => softmax(scores, -2) }));
    expect(verdict.mistake).toBe("softmax over queries");
    expect(flat(verdict)).toMatch(
      /row \[0, 0, 0\] of the weights sums to 0\.95\d+ and should sum to 1 \(column 0 does\)/,
    );
    expect(flat(verdict)).toContain("what comes after the weights is right");
  });
  it("after the weights is told to be there", () => {
    const verdict = checkMultiHeadAttention(attention({ finish: (merged) => merged }));
    expect(verdict.mistake).toBe("W_o missing");
    expect(flat(verdict)).toContain("the weights are right, so look after the softmax");
    expect(flat(verdict)).toContain("Cannot tell  the lesson's example: a test of this kind passes all the same");
  });
  it("of K is seen where T = d", () => {
    const verdict = checkMultiHeadAttention((...[x, wQ, wK, wV, wO, nHeads]: Arrays) => {
      const [q, k, v] = [wQ, wK, wV].map((w) => splitHeads(matmul(x, w), nHeads));
      const weights = softmax(matmul(q, k).map((score) => score / Math.sqrt(x.shape[2] / nHeads)));
      return [matmul(mergeHeads(matmul(weights, v)), wO), weights];
    });
    expect(verdict.mistake).toBe("K not transposed");
    expect(String(verdict)).toMatch(/^Throws {7}ValueError: Cannot multiply/m);
  });
  it("is named whether the softmax is wrong for large scores of one kind or another", () => {
    const least = (row: number[]) => row.reduce((most, score) => Math.max(most, score), 0);
    expect(names({ soften: naive })).toBe("no maximum subtracted");
    expect(names({ soften: softmaxLess(least) })).toBe("the maximum starts at 0");
    expect(names({ soften: (scores) => softmaxLess(() => Math.max(...scores.data))(scores) })).toBe(
      "one maximum for all rows",
    );
    const others = [
      (row: number[]) => row.reduce((a, b) => a + b) / row.length,
      (row: number[]) => Math.min(...row),
      (row: number[]) => Math.max(...row.map(Math.abs)),
      (row: number[]) => -Math.max(...row),
    ];
    for (const less of others) {
      expect(names({ soften: softmaxLess(less) })).toBe("another number than the maximum subtracted");
    }
  });
  it("of large scores that are cut or cleaned is not passed", () => {
    const cut = (scores: NDArray) => naive(scores.map((score) => Math.min(Math.max(score, -700), 700)));
    expect(names({ soften: cut })).toBe("scores cut off");
    const cleaned = (scores: NDArray) => naive(scores).map((weight) => weight || 0);
    for (const soften of [cut, cleaned]) {
      const verdict = checkMultiHeadAttention(attention({ soften }));
      expect(verdict.passed).toBe(false);
      expect(String(verdict)).toMatch(/^Right on {5}12 of 15 inputs$/m);
    }
  });
});

describe("several mistakes", () => {
  it("are told together", () => {
    const transposed = (scores: NDArray) => softmax(scores, -2);
    expect(names({ scale: () => 1, soften: transposed })).toBe("scores not scaled; softmax over queries");
    const causal = (scores: NDArray) => softmax(scores.map((score, _b, _h, i, j) => (j > i ? -1e9 : score)));
    expect(names({ scale: () => 1, soften: causal })).toBe("scores not scaled; a mask");
    expect(names({ scale: () => 1, soften: naive })).toBe("scores not scaled; no maximum subtracted");
    expect(names({ merge: straightMerge, finish: (merged) => merged })).toBe(
      "merge: a merge that does not undo the split; W_o missing",
    );
    expect(names({ scale: (d) => d, average: (weights, _v, k) => matmul(weights, k), finish: (m) => m })).toBe(
      "scores divided by d; weights applied to K; W_o missing",
    );
  });
  it("of split and merge that undo each other are one", () => {
    const verdict = checkMultiHeadAttention(attention({ split: straightSplit, merge: straightMerge }));
    expect(verdict.mistake).toBe("a split and a merge wrong alike: no transpose");
    expect(names({ split: straightSplit })).toBe("split: no transpose");
    expect(names({ merge: straightMerge })).toBe("merge: a merge that does not undo the split");
  });
  it("are told in float32, too", () => {
    expect(names({ scale: () => 1, soften: (scores) => softmax(scores.map(Math.fround)) })).toBe("scores not scaled");
  });
});

describe("another scale", () => {
  it("is read off the weights", () => {
    const twice = checkMultiHeadAttention(attention({ scale: (d) => 2 * Math.sqrt(d) }));
    expect(twice.mistake).toBe("scores divided by something else");
    expect(flat(twice)).toContain("The weights are those of scores divided by 4. For d = 4 it should be √d, 2.");
    const whole = checkMultiHeadAttention(attention({ scale: (d) => Math.floor(Math.sqrt(d)) }));
    expect(flat(whole)).toContain("scores divided by 2. For d = 5 it should be √d, 2.236067977.");
  });
});

describe("weights", () => {
  it("of which some are set to 0 are a mask, or a dropout", () => {
    const last = (scores: NDArray) => scores.map((score, _b, _h, _i, j) => (j === scores.shape[3] - 1 ? -1e9 : score));
    const masked = (scores: NDArray) => softmax(scores).map((weight, _b, _h, i, j) => (j > i ? 0 : weight));
    const dropped = (scores: NDArray) =>
      softmax(scores).map((weight, _b, _h, i, j) => ((7 * i + 3 * j) % 10 === 0 ? 0 : weight / 0.9));
    for (const soften of [(scores: NDArray) => softmax(last(scores)), masked, dropped]) {
      expect(names({ soften })).toBe("a mask");
    }
    expect(names({ give: (output, weights) => [output, weights.map((v, _b, _h, i, j) => (j > i ? 0 : v))] })).toBe(
      "a mask",
    );
  });
  it("whose rows do not sum to 1 are not those of another scale", () => {
    const growing = (scores: NDArray) => softmax(scores).map((weight, _b, _h, i) => weight / (i + 1));
    expect(names({ soften: growing })).toBe(undefined);
  });
  it("rounded before they are used, or to some digits, are told", () => {
    expect(names({ soften: (scores) => softmax(scores).map(cents) })).toBe("rounded numbers");
    const digits = (x: NDArray) => x.map((value) => Number(value.toPrecision(4)));
    expect(names({ give: (output, weights) => [digits(output), digits(weights)] })).toBe("rounded numbers");
  });
});

describe("the form of the result", () => {
  const forms: [mistake: string | undefined, give: Choices["give"]][] = [
    [undefined, (output, weights) => ({ output, weights })],
    [undefined, (output, weights) => [output.toArray(), weights]],
    [undefined, (output, weights) => [output, weights, "more"]],
    ["output and weights swapped", (output, weights) => [weights, output]],
    ["output and weights swapped", (output, weights) => ({ output: weights.toArray(), weights: output.toArray() })],
    ["weights missing", (output) => output],
    ["weights missing", (output) => output.toArray()],
    ["weights missing", (output) => [output, undefined]],
    ["output missing", (_, weights) => weights],
    ["weights averaged over the heads", (output, weights) => [output, mean(weights)]],
    ["weights returned transposed", (output, weights) => [output, weights.transpose(0, 1, 3, 2)]],
    ["wrong shape", (output, { shape: [B, H, T], data }) => [output, { shape: [B * H, T, T], data }]],
    ["no array of numbers", (output, weights) => ({ out: output, attention: weights })],
    ["no array of numbers", (output) => [output, "weights"]],
    ["output missing", (_output, weights) => ({ weights })],
    ["nothing returned", () => undefined],
    ["float32 precision", (output, weights) => [output.map(Math.fround), weights.map(Math.fround)]],
    ["rounded numbers", (output, weights) => [output.map(cents), weights.map(cents)]],
  ];
  for (const [mistake, give = () => undefined] of forms) {
    it(`${mistake ?? "right"}: ${String(give).replace(/\s+/g, " ")}`, () => {
      const verdict = checkMultiHeadAttention(attention({ give }));
      expect(verdict.mistake).toBe(mistake);
      expect(verdict.passed).toBe(mistake === undefined);
    });
  }
});

function mean(weights: NDArray): NDArray {
  const [B, H, T] = weights.shape;
  const heads = Array.from({ length: H }, (_, h) => h);
  return zeros([B, T, T]).map((_, b, i, j) => heads.reduce((sum, h) => sum + weights.get(b, h, i, j) / H, 0));
}

function cents(value: number): number {
  return Number(value.toFixed(2));
}

describe("a mistake without a name", () => {
  it("gets the first wrong number and the step", () => {
    const verdict = checkMultiHeadAttention(
      attention({ finish: (merged, wO) => matmul(merged, wO).map((value) => value + 0.5) }),
    );
    expect(verdict).toMatchObject({ passed: false, mistake: undefined });
    expect(String(verdict)).toMatch(
      /^First wrong {2}output\[b, t, c\] = \[0, 0, 0\]: expected 2\.588\d*, found 3\.088\d*$/m,
    );
    expect(String(verdict)).toMatch(/^Where from {3}the weights are right, so look after the softmax/m);
  });
  it("of one head among others is found there", () => {
    const verdict = checkMultiHeadAttention((...inputs: Arrays) => {
      const { output, weights } = attentionSteps(...inputs);
      return [output, weights.map((weight, b, h, i, j) => (h === 1 ? weights.get(b, 0, i, j) : weight))];
    });
    expect(verdict.mistake).toBe(undefined);
    expect(String(verdict)).toMatch(/^First wrong {2}weights\[b, h, i, j\] = \[0, 1, 0, 0\]/m);
  });
});

describe("matrices", () => {
  it("left out or mixed up are named", () => {
    const without = (...[x, , wK, wV, wO, nHeads]: Arrays) =>
      multiHeadAttention(x, eye(x.shape[2]), wK, wV, wO, nHeads);
    expect(checkMultiHeadAttention(without).mistake).toBe("W_q, W_k or W_v missing");
    const mixed = (...[x, wQ, wK, wV, wO, nHeads]: Arrays) => multiHeadAttention(x, wV, wQ, wK, wO, nHeads);
    expect(checkMultiHeadAttention(mixed).mistake).toBe("W_q, W_k and W_v mixed up");
    const transposed = (...[x, wQ, wK, wV, wO, nHeads]: Arrays) => {
      const [q, k, v, o] = [wQ, wK, wV, wO].map((w) => w.transpose());
      return multiHeadAttention(x, q, k, v, o, nHeads);
    };
    expect(checkMultiHeadAttention(transposed).mistake).toBe("W_q, W_k or W_v transposed; W_o transposed");
  });
});
