import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { exp } from "../../src/array/exp.js";
import {
  allClose,
  arange,
  array,
  matmul,
  type NDArray,
  randomNormal,
  softmax,
  ValueError,
  zeros,
} from "../../src/index.js";
import { type Packed, readFixture, unpack } from "./fixture.js";

interface Fixture {
  readonly matmul: readonly { readonly a: Packed; readonly b: Packed; readonly product: Packed }[];
  readonly softmax: readonly { readonly x: Packed; readonly axis: number; readonly result: Packed }[];
  readonly values: readonly [Packed];
  readonly allclose: readonly { readonly options: object; readonly close: readonly (readonly boolean[])[] }[];
}
const fixture = readFixture<Fixture>(__dirname, "computing.json");

/** Equal shape, equal masks of nan and infinities, and the rest within 1e-12 of the largest element. */
function expectSame(actual: NDArray, expected: NDArray): void {
  expect(actual.shape).toEqual(expected.shape);
  const largest = expected.data.reduce((most, x) => (Number.isFinite(x) ? Math.max(most, Math.abs(x)) : most), 0);
  expect(allClose(actual, expected, { rtol: 0, atol: 1e-12 * largest, equalNaN: true })).toBe(true);
}

describe("matmul", () => {
  it("multiplies by hand", () => {
    expect(
      matmul(
        [
          [1, 2],
          [3, 4],
        ],
        [
          [1, 0],
          [0, 2],
        ],
      ).toArray(),
    ).toEqual([
      [1, 4],
      [3, 8],
    ]);
    expect(matmul([1, 2], [3, 4]).toArray()).toBe(11);
    expect(matmul([[1, 2]], [3, 4]).toArray()).toEqual([11]);
    expect(matmul([1, 2], [[3], [4]]).toArray()).toEqual([11]);
  });

  it("gives NumPy's products, shapes and nan for batches, broadcasts, single axes and empty arrays", () => {
    for (const { a, b, product } of fixture.matmul) expectSame(matmul(unpack(a), unpack(b)), unpack(product));
  });

  it("sums in the order of k", () => {
    // 1e16 + 1 is lost, and so is what follows, unless the order changes.
    expect(matmul([[1e16, 1, 1, -1e16]], [[1], [1], [1], [1]]).toArray()).toEqual([[0]]);
  });

  it("keeps 0 · nan and 0 · Infinity", () => {
    expect(
      matmul(
        [[0, 1]],
        [
          [NaN, Infinity],
          [1, 1],
        ],
      ).toArray(),
    ).toEqual([[NaN, NaN]]);
  });

  it.each<[number[], number[], string]>([
    [
      [2, 3],
      [4, 5],
      "the last axis of a (3) must be as long as the next to last axis of b (4), got a of shape (2, 3) and b of shape (4, 5)",
    ],
    [[3], [4], "the last axis of a (3) must be as long as the axis of b (4), got a of shape (3,) and b of shape (4,)"],
    [
      [2, 2, 3],
      [3, 3, 4],
      "the axes before the last two must be equal or 1, got a of shape (2, 2, 3) and b of shape (3, 3, 4)",
    ],
    [[], [3], "a and b must have at least one axis, got a of shape () and b of shape (3,)"],
  ])("refuses shapes %j and %j", (a, b, message) => {
    expect(() => matmul(zeros(a), zeros(b))).toThrow(ValueError);
    expect(() => matmul(zeros(a), zeros(b))).toThrow(`Cannot multiply: ${message}`);
  });
});

describe("softmax", () => {
  it("stays finite where exp alone overflows", () => {
    expect(softmax([0, 0]).toArray()).toEqual([0.5, 0.5]);
    expect(softmax([710, 0]).toArray()).toEqual([1, exp(-710)]);
    expect(allClose(softmax([378, -250, -424]), [1, 0, 0], { rtol: 0, atol: 1e-15 })).toBe(true);
    expect(softmax([1e308, -1e308, 1e308]).toArray()).toEqual([0.5, 0, 0.5]);
  });

  it("gives NumPy's numbers and nan along every axis", () => {
    for (const { x, axis, result } of fixture.softmax) expectSame(softmax(unpack(x), axis), unpack(result));
  });

  it("sums to 1 and does not change when a constant is added", () => {
    const finite = fc.double({ min: -700, max: 700, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(finite, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: -1000, max: 1000 }),
        (x, constant) => {
          const weights = softmax(x);
          expect(Math.abs(weights.data.reduce((a, b) => a + b) - 1)).toBeLessThan(1e-14);
          expect(allClose(softmax(x.map((value) => value + constant)), weights, { rtol: 1e-12, atol: 1e-12 })).toBe(
            true,
          );
        },
      ),
    );
  });

  it("is finite for whatever is finite", () => {
    const anyFinite = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.array(anyFinite, { minLength: 1, maxLength: 9 }), (x) => {
        expect(softmax(x).data.every((weight) => weight >= 0 && weight <= 1)).toBe(true);
      }),
    );
  });

  it("takes the last axis when none is given, and leaves x as it was", () => {
    const x = arange(6).reshape(2, 3);
    const before = x.toArray();
    expect(softmax(x)).toEqual(softmax(x, 1));
    expect(softmax(x, -2)).toEqual(softmax(x, 0));
    expect(x.toArray()).toEqual(before);
  });

  it("refuses an axis that is none", () => {
    const say = "Cannot take the softmax: axis";
    expect(() => softmax([1], 1)).toThrow(`${say} must be one of the 1 axes of shape (1,), got 1`);
    expect(() => softmax([1], 0.5)).toThrow(ValueError);
    expect(() => softmax(5)).toThrow(`${say} must be one of the 0 axes of shape (), got -1`);
    expect(() => softmax([1], "0" as unknown as number)).toThrow(`${say} must be a number, got "0"`);
    expect(() => softmax(zeros([2, 0]))).toThrow(`${say} 1 must not be empty, got shape (2, 0)`);
    expect(softmax(zeros([0, 3])).shape).toEqual([0, 3]);
  });
});

describe("exp", () => {
  it("is within one unit of the last place of Math.exp, subnormal results included", () => {
    const float = new Float64Array(1);
    const bits = new BigInt64Array(float.buffer);
    const rank = (x: number): bigint => {
      float[0] = x;
      return bits[0];
    };
    let furthest = 0n;
    for (let x = 709; x > -746; x -= 0.00728) {
      const apart = rank(exp(x)) - rank(Math.exp(x));
      if (apart * apart > furthest) furthest = apart * apart;
    }
    expect(furthest).toBeLessThanOrEqual(1n);
  });

  it("is exact at the ends", () => {
    expect([0, -0, -Infinity, Infinity, -746, 711, NaN].map(exp)).toEqual([1, 1, 0, Infinity, 0, Infinity, NaN]);
    expect(exp(-745)).toBe(5e-324);
  });
});

describe("allClose", () => {
  it("judges every pair of unusual numbers as NumPy does", () => {
    const values = unpack(fixture.values[0]).data;
    for (const { options, close } of fixture.allclose) {
      expect(Array.from(values, (a) => Array.from(values, (b) => allClose(a, b, options)))).toEqual(close);
    }
  });

  it("broadcasts", () => {
    expect(allClose(zeros([2, 3]), 0)).toBe(true);
    expect(
      allClose(
        [
          [1, 2],
          [1, 2],
        ],
        [1, 2],
      ),
    ).toBe(true);
    expect(
      allClose(
        [
          [1, 2],
          [1, 3],
        ],
        [1, 2],
      ),
    ).toBe(false);
    expect(
      allClose(
        [[1], [2]],
        [
          [1, 1],
          [2, 2],
        ],
      ),
    ).toBe(true);
    expect(allClose(zeros([0, 3]), [1, 2, 3])).toBe(true);
    expect(allClose([], 1)).toBe(true);
  });

  it("refuses shapes that do not fit and tolerances that are none", () => {
    expect(() => allClose([1, 2], [1, 2, 3])).toThrow(
      "Cannot compare: a and b must have the same shape, or axes of 1, got (2,) and (3,)",
    );
    expect(() => allClose(zeros([0]), [1, 2])).toThrow(ValueError);
    expect(() => allClose(1, 1, { rtol: -1 })).toThrow("Cannot compare: rtol must be at least 0, got -1");
    expect(() => allClose(1, 1, { atol: NaN })).toThrow("Cannot compare: atol must be at least 0, got NaN");
    expect(() => allClose(1, 1, { atol: "1" as unknown as number })).toThrow(TypeError);
  });
});

describe("what comes in and what goes out", () => {
  it("share no memory, and inputs stay as they were", () => {
    const x = randomNormal([2, 3, 3], 5);
    const before = x.data.slice();
    const results = [
      x.at(0),
      x.reshape(-1),
      x.transpose(),
      x.map((v) => v),
      matmul(x, x),
      softmax(x),
      array(x),
      x.reshape(2, 3, 3),
    ];
    const buffers = new Set([x, ...results].map(({ data }) => data.buffer));
    expect(buffers.size).toBe(results.length + 1);
    for (const result of results) result.data.fill(7);
    expect(x.data).toEqual(before);
  });
});

describe("arrays of nothing with an axis of any length", () => {
  const long = 2 ** 40; // no loop comes to its end

  it("are multiplied, compared, mapped and turned at once", () => {
    expect(matmul(zeros([long, 0, 2]), zeros([2, 3])).shape).toEqual([long, 0, 3]);
    expect(allClose(zeros([long, 0]), zeros([1, 0]))).toBe(true);
    expect(softmax(zeros([long, 0, 2])).shape).toEqual([long, 0, 2]);
    expect(
      zeros([long, 0])
        .map((value) => value)
        .transpose().shape,
    ).toEqual([0, long]);
  });
});
