import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  allClose,
  arange,
  array,
  attentionSteps,
  eye,
  matmul,
  mergeHeads,
  multiHeadAttention,
  type NDArray,
  softmax,
  splitHeads,
  ValueError,
  zeros,
} from "../../src/index.js";
import { inputs, sixLoops } from "./oracle.js";

const sizes = fc
  .record({
    seed: fc.nat(),
    B: fc.integer({ min: 1, max: 4 }),
    T: fc.integer({ min: 1, max: 6 }),
    H: fc.integer({ min: 1, max: 5 }),
    d: fc.integer({ min: 1, max: 5 }),
    scale: fc.constantFrom(0.01, 1, 5),
  })
  .map(({ d, H, ...rest }) => ({ ...rest, H, D: H * d }));

/** Equal within 1e-12 of the largest element. */
function expectClose(actual: NDArray, expected: NDArray): void {
  expect(actual.shape).toEqual(expected.shape);
  const largest = expected.data.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  expect(allClose(actual, expected, { rtol: 0, atol: 1e-12 * largest })).toBe(true);
}

describe("multiHeadAttention", () => {
  it("agrees with six nested loops", () => {
    fc.assert(
      fc.property(sizes, ({ seed, B, T, D, H, scale }) => {
        const given = inputs(seed, B, T, D, scale);
        const [output, weights] = multiHeadAttention(...given, H);
        const expected = sixLoops(...given, H);
        expectClose(weights, expected.weights);
        expectClose(output, expected.output);
      }),
      { numRuns: 50 },
    );
  });

  it("agrees with six nested loops on the largest shapes of the lesson", () => {
    for (const H of [1, 8, 64]) {
      const given = inputs(H, 2, 16, 64, 2);
      const [output, weights] = multiHeadAttention(...given, H);
      const expected = sixLoops(...given, H);
      expectClose(weights, expected.weights);
      expectClose(output, expected.output);
    }
  });

  it("has weights from 0 to 1 that sum to 1 over the keys", () => {
    fc.assert(
      fc.property(sizes, ({ seed, B, T, D, H, scale }) => {
        const [, weights] = multiHeadAttention(...inputs(seed, B, T, D, scale), H);
        expect(weights.data.every((weight) => weight >= 0 && weight <= 1)).toBe(true);
        const sums = matmul(
          weights,
          zeros([T]).map(() => 1),
        );
        expect(allClose(sums, 1, { rtol: 0, atol: 1e-14 })).toBe(true);
      }),
    );
  });

  it("permutes its outputs when the tokens are permuted", () => {
    fc.assert(
      fc.property(sizes, ({ seed, B, T, D, H, scale }) => {
        const [x, ...projections] = inputs(seed, B, T, D, scale);
        const order = Array.from({ length: T }, (_, i) => T - 1 - i);
        const permuted = x.map((_, b, i, c) => x.get(b, order[i], c));
        const [output, weights] = multiHeadAttention(x, ...projections, H);
        const [output2, weights2] = multiHeadAttention(permuted, ...projections, H);
        expectClose(
          output2,
          output.map((_, b, i, c) => output.get(b, order[i], c)),
        );
        expectClose(
          weights2,
          weights.map((_, b, h, i, j) => weights.get(b, h, order[i], order[j])),
        );
      }),
    );
  });

  it("with one head is single-head attention", () => {
    const [x, wQ, wK, wV, wO] = inputs(9, 2, 5, 6);
    const [q, k, v] = [wQ, wK, wV].map((w) => matmul(x, w));
    const root = Math.sqrt(6);
    const weights = softmax(matmul(q, k.transpose(0, 2, 1)).map((score) => score / root));
    const [output, weights4] = multiHeadAttention(x, wQ, wK, wV, wO, 1);
    expectClose(weights4.reshape(2, 5, 5), weights);
    expectClose(output, matmul(matmul(weights, v), wO));
  });

  it("computes every batch as it would alone", () => {
    const [x, ...projections] = inputs(4, 3, 4, 6);
    const [output, weights] = multiHeadAttention(x, ...projections, 3);
    for (let b = 0; b < 3; b++) {
      const [one, oneWeights] = multiHeadAttention([x.at(b)], ...projections, 3);
      expect(one.at(0)).toEqual(output.at(b));
      expect(oneWeights.at(0)).toEqual(weights.at(b));
    }
  });

  it("reads whatever array reads, and leaves it as it was", () => {
    const given = inputs(3, 2, 3, 4);
    const expected = multiHeadAttention(...given, 2);
    const copies = given.map((a) => array(a)) as typeof given;
    const nested = given.map((a) => a.toArray()) as [number[][][], number[][], number[][], number[][], number[][]];
    const frozen = nested.map((a) => Object.freeze(structuredClone(a))) as typeof nested;
    const views = given.map((a) => ({
      shape: a.shape,
      data: a.transpose().data,
      strides: a.ndim === 3 ? [1, 2, 6] : [1, 4],
    })) as unknown as typeof given;
    expect(multiHeadAttention(...nested, 2)).toEqual(expected);
    expect(multiHeadAttention(...frozen, 2)).toEqual(expected);
    expect(multiHeadAttention(...views, 2)).toEqual(expected);
    expect(given).toEqual(copies);
  });

  it("returns memory of its own, each time", () => {
    const given = inputs(3, 1, 2, 2);
    const first = multiHeadAttention(...given, 1);
    const kept = first.map((a) => a.toString());
    const second = multiHeadAttention(...given, 1);
    for (const a of [...second, ...given]) a.data.fill(NaN);
    expect(first.map((a) => a.toString())).toEqual(kept);
  });

  it("takes no batches at all, but not no tokens or no features", () => {
    const [output, weights] = multiHeadAttention(zeros([0, 3, 4]), eye(4), eye(4), eye(4), eye(4), 2);
    expect([output.shape, weights.shape]).toEqual([
      [0, 3, 4],
      [0, 2, 3, 3],
    ]);
    const say = "Cannot compute attention: x must have at least one token and one feature, got shape (B, T, D) =";
    expect(() => multiHeadAttention(zeros([1, 0, 4]), eye(4), eye(4), eye(4), eye(4), 2)).toThrow(`${say} (1, 0, 4)`);
    expect(() => multiHeadAttention(zeros([1, 2, 0]), eye(0), eye(0), eye(0), eye(0), 1)).toThrow(`${say} (1, 2, 0)`);
  });

  const x = zeros([1, 2, 4]);
  const w = eye(4);
  it.each<[string, () => unknown, string]>([
    [
      "two axes",
      () => multiHeadAttention(zeros([2, 4]), w, w, w, w, 2),
      "x must have 3 axes (B, T, D), got shape (2, 4)",
    ],
    [
      "wQ of another size",
      () => multiHeadAttention(x, eye(3), w, w, w, 2),
      "wQ must have shape (D, D) = (4, 4) for x of shape (B, T, D) = (1, 2, 4), got (3, 3)",
    ],
    [
      "wK not square",
      () => multiHeadAttention(x, w, zeros([4, 2]), w, w, 2),
      "wK must have shape (D, D) = (4, 4) for x of shape (B, T, D) = (1, 2, 4), got (4, 2)",
    ],
    [
      "wV of one axis",
      () => multiHeadAttention(x, w, w, [1, 2, 3, 4], w, 2),
      "wV must have shape (D, D) = (4, 4) for x of shape (B, T, D) = (1, 2, 4), got (4,)",
    ],
    [
      "wO of three axes",
      () => multiHeadAttention(x, w, w, w, zeros([1, 4, 4]), 2),
      "wO must have shape (D, D) = (4, 4) for x of shape (B, T, D) = (1, 2, 4), got (1, 4, 4)",
    ],
    [
      "too many heads",
      () => multiHeadAttention(x, w, w, w, w, 3),
      "nHeads must divide D, got nHeads=3 for D=4 (nearest that do: 2, 4)",
    ],
    ["no heads", () => attentionSteps(x, w, w, w, w, 0), "nHeads must be a whole number from 1, got nHeads=0 for D=4"],
    [
      "a ragged matrix",
      () => multiHeadAttention(x, w, [[1], [1, 2]], w, w, 2),
      "wK[1] must be a list of 1 like wK[0], got a list of 2",
    ],
  ])("refuses %s with a ValueError", (_, run, message) => {
    expect(run).toThrow(ValueError);
    expect(run).toThrow(`Cannot compute attention: ${message}`);
  });

  it("refuses a missing argument with a TypeError that names it", () => {
    const call = multiHeadAttention as unknown as (...given: unknown[]) => unknown;
    expect(() => call(x, w, w, w)).toThrow(TypeError);
    expect(() => call(x, w, w, w)).toThrow("Cannot compute attention: wO must be an array");
    expect(() => call(x, w, w, w, w)).toThrow("Cannot compute attention: nHeads must be a number, got undefined");
  });
});

describe("attentionSteps", () => {
  it("gives every array on the way, each the next one's input", () => {
    const [x, wQ, wK, wV, wO] = inputs(8, 2, 5, 12);
    const steps = attentionSteps(x, wQ, wK, wV, wO, 3);
    expect(steps.q).toEqual(matmul(x, wQ));
    expect(steps.k).toEqual(matmul(x, wK));
    expect(steps.v).toEqual(matmul(x, wV));
    expect(steps.qHeads).toEqual(splitHeads(steps.q, 3));
    expect(steps.kHeads).toEqual(splitHeads(steps.k, 3));
    expect(steps.vHeads).toEqual(splitHeads(steps.v, 3));
    expect(steps.scores).toEqual(matmul(steps.qHeads, steps.kHeads.transpose(0, 1, 3, 2)).map((s) => s / 2));
    expect(steps.weights).toEqual(softmax(steps.scores));
    expect(steps.headOutputs).toEqual(matmul(steps.weights, steps.vHeads));
    expect(steps.merged).toEqual(mergeHeads(steps.headOutputs));
    expect(steps.output).toEqual(matmul(steps.merged, wO));
    expect(Object.fromEntries(Object.entries(steps).map(([name, a]) => [name, a.shape]))).toEqual({
      q: [2, 5, 12],
      k: [2, 5, 12],
      v: [2, 5, 12],
      qHeads: [2, 3, 5, 4],
      kHeads: [2, 3, 5, 4],
      vHeads: [2, 3, 5, 4],
      scores: [2, 3, 5, 5],
      weights: [2, 3, 5, 5],
      headOutputs: [2, 3, 5, 4],
      merged: [2, 5, 12],
      output: [2, 5, 12],
    });
  });

  it("agrees with multiHeadAttention", () => {
    const given = inputs(6, 3, 7, 10);
    const { output, weights } = attentionSteps(...given, 5);
    const result = multiHeadAttention(...given, 5);
    expectClose(result[0], output);
    expectClose(result[1], weights);
  });

  it("shares no memory between its arrays or with its input", () => {
    const given = inputs(6, 1, 2, 2);
    const steps = Object.values(attentionSteps(...given, 1)) as NDArray[];
    expect(new Set([...steps, ...given].map(({ data }) => data.buffer)).size).toBe(steps.length + given.length);
  });
});

describe("the wrong order of axes", () => {
  it("has the right shape and the wrong numbers", () => {
    const x = arange(2 * 5 * 12).reshape(2, 5, 12);
    const wrong = x.reshape(2, 3, 5, 4);
    expect(wrong.shape).toEqual(splitHeads(x, 3).shape);
    expect(allClose(wrong, splitHeads(x, 3))).toBe(false);
    expect(wrong.reshape(2, 5, 12)).toEqual(x); // a round trip cannot tell
  });
});
