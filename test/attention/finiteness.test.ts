// If Q, K, V and the output projection are finite, weights and output are finite and right, however large Q·Kᵀ is.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { add, divide, isGreater, multiply, narrow, subtract, widen } from "../../src/attention/wide.js";
import {
  allClose,
  array,
  attentionSteps,
  eye,
  multiHeadAttention,
  type NDArray,
  type NDArrayLike,
} from "../../src/index.js";
import { exactWeights, numbers } from "./oracle.js";

type Result = [output: NDArray, weights: NDArray];

/** Attention with identity projections: Q, K, V and the output are what the heads make of x itself. */
const engines: readonly [name: string, attend: (x: NDArrayLike, nHeads: number) => Result][] = [
  [
    "multiHeadAttention",
    (x, nHeads) => {
      const I = eye(array(x).shape[2]);
      return multiHeadAttention(x, I, I, I, I, nHeads);
    },
  ],
  [
    "attentionSteps",
    (x, nHeads) => {
      const I = eye(array(x).shape[2]);
      const { output, weights } = attentionSteps(x, I, I, I, I, nHeads);
      return [output, weights];
    },
  ],
];

/** Weights and output against exact arithmetic, within 1e-12 of the largest element of each head. */
function expectRight([output, weights]: Result, x: NDArray, nHeads: number): void {
  const [B, T, D] = x.shape;
  const d = D / nHeads;
  expect(weights.data.every(Number.isFinite)).toBe(true);
  expect(output.data.every(Number.isFinite)).toBe(true);
  for (let b = 0; b < B; b++) {
    for (let h = 0; h < nHeads; h++) {
      const rows = Array.from({ length: T }, (_, i) => Array.from({ length: d }, (_, c) => x.get(b, i, h * d + c)));
      const largest = Math.max(...rows.flat().map(Math.abs)) || 1;
      rows.forEach((query, i) => {
        const expected = exactWeights(query, rows);
        expect(allClose(weights.at(b, h, i), expected, { rtol: 0, atol: 1e-12 })).toBe(true);
        for (let c = 0; c < d; c++) {
          const mean = expected.reduce((sum, weight, j) => sum + weight * (rows[j][c] / largest), 0);
          expect(Math.abs(output.get(b, i, h * d + c) / largest - mean)).toBeLessThan(1e-12);
        }
      });
    }
  }
}

/** Small whole numbers times a power of two near `size`: their products and sums are exact, so their weights are too. */
function exactInput(seed: number, B: number, T: number, D: number, size: number): NDArray {
  const unit = 2 ** Math.round(Math.log2(size));
  return numbers(seed, [B, T, D]).map((value) => Math.round(value * 3) * unit);
}

const sizes = [1e-300, 1e-8, 1, 1e3, 1e8, 1e100, 1e154, 1e200, 1e300];

describe.each(engines)("%s, with activations of any size", (name, attend) => {
  const check = (x: NDArray, nHeads: number): void => expectRight(attend(x, nHeads), x, nHeads);

  it.each(sizes)("near %d: weights and output equal those of exact arithmetic", (size) => {
    for (const [seed, B, T, D, H] of [
      [1, 2, 5, 12, 3],
      [2, 1, 6, 4, 4],
      [3, 1, 7, 6, 1],
      [4, 3, 1, 4, 2],
    ]) {
      check(exactInput(seed, B, T, D, size), H);
    }
  });

  it.each([1e154, 1e200, 1e300])("near %d, random: the winner is the winner of exact arithmetic", (size) => {
    for (let seed = 0; seed < 5; seed++) check(numbers(seed, [2, 5, 8], size), 2);
  });

  it("of another size for each token: weights and output equal those of exact arithmetic", () => {
    const exponents = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(fc.nat(), exponents, (seed, sizeOf) => {
        const units = numbers(seed, [1, sizeOf.length, 6]);
        check(
          units.map((value, _b, i) => Math.round(value * 3) * 2 ** sizeOf[i]),
          2,
        );
      }),
    );
  });

  it("in one head beside ordinary ones in the next, which the readable steps leave alone to the bit", () => {
    const ordinary = numbers(7, [2, 5, 12], 2);
    const mixed = ordinary.map((value, _b, _i, c) => (c >= 4 && c < 8 ? value * 1e200 : value));
    const [output, weights] = attend(ordinary, 3);
    const [mixedOutput, mixedWeights] = attend(mixed, 3);
    check(mixed, 3);
    if (name === "multiHeadAttention") return; // a faster engine may hand over a whole batch
    for (let b = 0; b < 2; b++) {
      for (const h of [0, 2]) expect(mixedWeights.at(b, h)).toEqual(weights.at(b, h));
      for (let i = 0; i < 5; i++) {
        for (const c of [0, 1, 2, 3, 8, 9, 10, 11]) expect(mixedOutput.get(b, i, c)).toBe(output.get(b, i, c));
      }
    }
  });

  it("in one token beside ordinary ones: rows whose scores fit keep their bits", () => {
    const x = array([
      [
        [1e-160, 0],
        [3, 1],
        [1e160, 2],
      ],
    ]);
    check(x, 1);
    const [, weights] = attend(x, 1);
    expect(weights.at(0, 0, 2).toArray()).toEqual([0, 0, 1]);
  });

  it("±1e200 with identity projections", () => {
    const [output, weights] = attend(
      [
        [
          [1e200, -1e200],
          [-1e200, 1e200],
          [1e200, 1e200],
        ],
      ],
      1,
    );
    expect(weights.toArray()).toEqual([
      [
        [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ],
      ],
    ]);
    expect(output.toArray()).toEqual([
      [
        [1e200, -1e200],
        [-1e200, 1e200],
        [1e200, 1e200],
      ],
    ]);
  });

  it("equal huge scores share the weight evenly", () => {
    const [output, weights] = attend(
      [
        [
          [1e200, 5],
          [1e200, 5],
          [-1e200, 5],
          [1e200, 5],
        ],
      ],
      2,
    );
    expect(allClose(weights.at(0, 0, 0), [1 / 3, 1 / 3, 0, 1 / 3])).toBe(true);
    expect(allClose(output.at(0, 0), [1e200, 5])).toBe(true);
  });

  it("huge products that cancel leave what is left, not nan", () => {
    // q·k = 1e400 - 1e400 + 2 for the second key, 1e400 + 1e400 for the first.
    const q = array([
      [
        [1e200, 1e200, 2, 0],
        [0, 0, 0, 0],
      ],
    ]);
    const k = array([
      [
        [1e200, -1e200, 1, 0],
        [1e200, -1e200, 0, 0],
      ],
    ]);
    const selectQ = [
      ...eye(4)
        .toArray()
        .map((row) => [...row, 0, 0, 0, 0]),
      ...new Array(4).fill(new Array(8).fill(0)),
    ];
    const selectK = [
      ...new Array(4).fill(new Array(8).fill(0)),
      ...eye(4)
        .toArray()
        .map((row) => [...row, 0, 0, 0, 0]),
    ];
    const x = array([[0, 1].map((i) => [...q.at(0, i).data, ...k.at(0, i).data])]);
    const { scores, weights } = attentionSteps(x, selectQ, selectK, eye(8), eye(8), 1);
    expect(scores.at(0, 0, 0).toArray()).toEqual([2 / Math.sqrt(8), 0]);
    expect(weights.get(0, 0, 0, 0)).toBeCloseTo(1 / (1 + Math.exp(-2 / Math.sqrt(8))), 15);
  });

  it("products that leave float64 before the division by √d, and not after it", () => {
    const a = 1.2e154; // a² fits float64, and so does 2a²/√4, but not 2a² on the way to it
    const x = array([
      [
        [a, a, 0, 0],
        [a, -a, 0, 0],
        [0.5, 0.5, 0.5, 0.5],
      ],
    ]);
    const { scores, weights } = attentionSteps(x, eye(4), eye(4), eye(4), eye(4), 1);
    expect(scores.get(0, 0, 0, 0)).toBe(a * a);
    expect(scores.get(0, 0, 0, 1)).toBe(0);
    expect(weights.at(0, 0, 0).toArray()).toEqual([1, 0, 0]);
  });

  it("shows scores as float64 can hold them: ±Infinity beyond, never nan", () => {
    const x = array([
      [
        [1e200, 1e200],
        [-1e200, -1e200],
        [1e200, -1e200],
      ],
    ]);
    const { scores, weights } = attentionSteps(x, eye(2), eye(2), eye(2), eye(2), 1);
    expect(scores.at(0, 0).toArray()).toEqual([
      [Infinity, -Infinity, 0],
      [-Infinity, Infinity, 0],
      [0, 0, Infinity],
    ]);
    expect(weights.at(0, 0).toArray()).toEqual(eye(3).toArray());
  });

  it("values at the edge of float64 stay inside it", () => {
    const max = Number.MAX_VALUE;
    for (let T = 1; T <= 16; T++) {
      for (const edge of [max, -max]) {
        const x = numbers(T, [1, T, 2]).map((value, _b, _i, c) => (c === 1 ? edge : value));
        const zero = array([
          [1, 0],
          [0, 0],
        ]);
        const [output, weights] = multiHeadAttention(x, zero, zero, eye(2), eye(2), 1);
        expect(weights.data.every(Number.isFinite)).toBe(true);
        for (let i = 0; i < T; i++) expect(Math.abs(output.get(0, i, 1) / edge - 1)).toBeLessThan(1e-15);
      }
    }
  });

  it("finite whatever the finite input, and rows sum to 1", () => {
    const element = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(element, element, element, element), { minLength: 1, maxLength: 5 }), (tokens) => {
        const [output, weights] = attend([tokens], 2);
        expect(output.data.every(Number.isFinite)).toBe(true);
        const T = tokens.length;
        for (let row = 0; row < 2 * T; row++) {
          const sum = weights.data.subarray(row * T, (row + 1) * T).reduce((a, b) => a + b);
          expect(Math.abs(sum - 1)).toBeLessThan(1e-14);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("wide arithmetic", () => {
  const moderate = fc.double({ min: -1e100, max: 1e100, noNaN: true }).filter((x) => x === 0 || Math.abs(x) > 1e-100);

  it("has float64's own bits where float64 can hold the result", () => {
    fc.assert(
      fc.property(moderate, moderate, (a, b) => {
        expect(narrow(widen(a)) === a).toBe(true);
        expect(narrow(add(widen(a), widen(b))) === a + b).toBe(true);
        expect(narrow(subtract(widen(a), widen(b))) === a - b).toBe(true);
        expect(narrow(multiply(widen(a), widen(b))) === a * b).toBe(true);
        if (b !== 0) expect(narrow(divide(widen(a), b)) === a / b).toBe(true);
        expect(isGreater(widen(a), widen(b))).toBe(a > b);
      }),
      { numRuns: 2000 },
    );
  });

  it("leaves the range of float64 and comes back", () => {
    const huge = multiply(widen(1e300), widen(1e300));
    expect(narrow(huge)).toBe(Infinity);
    expect(narrow(subtract(huge, huge))).toBe(0);
    expect(narrow(multiply(multiply(huge, widen(1e-300)), widen(1e-300)))).toBeCloseTo(1, 14);
    expect(narrow(multiply(widen(5e-324), widen(5e-324)))).toBe(0);
    expect(narrow(add(huge, widen(5e-324)))).toBe(Infinity);
    for (const x of [5e-324, -2.5e-310, Number.MAX_VALUE, 2 ** -1022, -1]) expect(narrow(widen(x))).toBe(x);
  });
});
