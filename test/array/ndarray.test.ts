import { describe, expect, it } from "vitest";
import { arange, array, eye, NDArray, randomNormal, ValueError, zeros } from "../../src/index.js";
import { type Packed, readFixture, unpack } from "./fixture.js";

const x = arange(24).reshape(2, 3, 4);

describe("NDArray", () => {
  it("says its shape, size and number of axes, and holds its numbers row-major", () => {
    expect(x).toBeInstanceOf(NDArray);
    expect([x.shape, x.size, x.ndim]).toEqual([[2, 3, 4], 24, 3]);
    expect(x.data).toEqual(Float64Array.from({ length: 24 }, (_, i) => i));
    expect([array(5).shape, array(5).size, array(5).ndim]).toEqual([[], 1, 0]);
    expect(Object.isFrozen(x.shape)).toBe(true);
  });

  it("is made by array, not by new", () => {
    const Constructor = NDArray as unknown as new (...given: unknown[]) => unknown;
    expect(() => new Constructor([[1, 2]])).toThrow("Cannot make an NDArray: call array(x), not new NDArray(x)");
  });

  it("gets numbers by index, from the end too", () => {
    expect(x.get(1, 2, 3)).toBe(23);
    expect(x.get(0, -1, -4)).toBe(8);
    expect(array(5).get()).toBe(5);
  });

  it("takes sub-arrays", () => {
    expect(x.at(1, 0).toArray()).toEqual([12, 13, 14, 15]);
    expect(x.at(-1).shape).toEqual([3, 4]);
    expect(x.at()).toEqual(x);
    expect(x.at(1, 2, 3)).toEqual(array(23));
    expect(zeros([2, 0]).at(1).shape).toEqual([0]);
  });

  it.each<[unknown[], string]>([
    [[1, 2], "Cannot get a number: index must have 3 numbers for shape (2, 3, 4), got (1, 2)"],
    [[1, 2, 3, 0], "Cannot get a number: index must have 3 numbers for shape (2, 3, 4), got (1, 2, 3, 0)"],
    [[1, 3, 0], "Cannot get a number: index must lie in shape (2, 3, 4), got (1, 3, 0) (axis 1 holds 3)"],
    [[-3, 0, 0], "Cannot get a number: index must lie in shape (2, 3, 4), got (-3, 0, 0) (axis 0 holds 2)"],
    [[0, 0.5, 0], "Cannot get a number: index must lie in shape (2, 3, 4), got (0, 0.5, 0) (axis 1 holds 3)"],
    [[0, NaN, 0], "Cannot get a number: index must lie in shape (2, 3, 4), got (0, NaN, 0) (axis 1 holds 3)"],
  ])("refuses index %j with a ValueError", (index, message) => {
    expect(() => x.get(...(index as [number, number, number]))).toThrow(ValueError);
    expect(() => x.get(...(index as [number, number, number]))).toThrow(message);
  });

  it("refuses an index that is no number, or too long for a sub-array", () => {
    expect(() => x.get(0, "1" as unknown as number, 2)).toThrow(
      'Cannot get a number: index must hold numbers, got "1" at axis 1',
    );
    expect(() => x.at(0, 0, 0, 0)).toThrow(
      "Cannot take a sub-array: index must have at most 3 numbers for shape (2, 3, 4), got (0, 0, 0, 0)",
    );
    expect(() => x.at(2)).toThrow(
      "Cannot take a sub-array: index must lie in shape (2, 3, 4), got (2) (axis 0 holds 2)".replace("(2) (", "(2,) ("),
    );
  });

  it("reshapes, and works out one axis", () => {
    expect(x.reshape(6, 4).get(5, 0)).toBe(20);
    expect(x.reshape([4, -1]).shape).toEqual([4, 6]);
    expect(x.reshape(-1).shape).toEqual([24]);
    expect(array([7]).reshape().toArray()).toBe(7);
    expect(array(7).reshape(1, 1).toArray()).toEqual([[7]]);
    expect(zeros([0, 3]).reshape(3, 0).shape).toEqual([3, 0]);
    expect(zeros([0, 3]).reshape(-1, 3).shape).toEqual([0, 3]);
  });

  it.each<[number[], string]>([
    [[5, 5], "shape must hold the 24 numbers of shape (2, 3, 4), got (5, 5)"],
    [[5, -1], "shape must hold the 24 numbers of shape (2, 3, 4), got (5, -1)"],
    [[-1, -1], "shape must hold the 24 numbers of shape (2, 3, 4), got (-1, -1)"],
    [[-2, -12], "shape must hold the 24 numbers of shape (2, 3, 4), got (-2, -12)"],
    [[0, -1], "shape must hold the 24 numbers of shape (2, 3, 4), got (0, -1)"],
    [[2.5], "shape must hold whole numbers, got (2.5,)"],
  ])("refuses to reshape to %j", (shape, message) => {
    expect(() => x.reshape(...shape)).toThrow(ValueError);
    expect(() => x.reshape(shape)).toThrow(`Cannot reshape: ${message}`);
  });

  it("transposes: axis k of the result is axis axes[k]", () => {
    const y = x.transpose(0, 2, 1);
    expect(y.shape).toEqual([2, 4, 3]);
    for (const [a, b, c] of [
      [0, 1, 2],
      [1, 3, 0],
      [1, 2, 2],
    ] as const)
      expect(y.get(a, b, c)).toBe(x.get(a, c, b));
    expect(x.transpose([1, 2, 0]).get(2, 3, 1)).toBe(x.get(1, 2, 3));
    expect(x.transpose()).toEqual(x.transpose(2, 1, 0));
    expect(x.transpose(0, -1, 1)).toEqual(y);
    expect(array(3).transpose().toArray()).toBe(3);
    expect(zeros([2, 0]).transpose().shape).toEqual([0, 2]);
  });

  it.each([[[0, 1]], [[0, 1, 1]], [[0, 1, 3]], [[0, 1, 2, 3]], [[]]])("refuses to transpose by %j", (axes) => {
    expect(() => x.transpose(axes)).toThrow(ValueError);
  });

  it("names the axes it wants", () => {
    expect(() => x.transpose(0, 1)).toThrow(
      "Cannot transpose: axes must name each of the 3 axes of shape (2, 3, 4) once, got (0, 1)",
    );
    expect(() => x.transpose("01" as unknown as number)).toThrow(TypeError);
  });

  it("maps with the index, so that a mask is one line", () => {
    const mask = zeros([1, 1, 2, 2]).map((score, _b, _h, i, j) => (j > i ? -Infinity : score));
    expect(mask.toArray()).toEqual([
      [
        [
          [0, -Infinity],
          [0, 0],
        ],
      ],
    ]);
    expect(array(4).map(Math.sqrt).toArray()).toBe(2);
    expect(zeros([0, 2]).map(() => 1).shape).toEqual([0, 2]);
    expect(() => x.map(() => "1" as unknown as number)).toThrow(
      'Cannot map: fn must return a number, got "1" at index (0, 0, 0)',
    );
    expect(() => x.map(undefined as unknown as () => number)).toThrow(
      "Cannot map: fn must be a function, got undefined",
    );
  });

  it("gives nested lists, and the same to JSON", () => {
    expect(arange(4).reshape(1, 2, 2).toArray()).toEqual([
      [
        [0, 1],
        [2, 3],
      ],
    ]);
    expect(array(5).toArray()).toBe(5);
    expect(zeros([2, 0]).toArray()).toEqual([[], []]);
    expect(JSON.stringify({ x: arange(4).reshape(2, 2) })).toBe('{"x":[[0,1],[2,3]]}');
  });
});

describe("makers", () => {
  it("tell of a shape that is not one in a few words, however long it is", () => {
    const numbers = new Float64Array(5000).fill(0.5);
    const message = "shape must hold whole numbers, got (0.5, 0.5, 0.5, ...), 5000 numbers";
    expect(() => zeros([...numbers])).toThrow(`Cannot make zeros: ${message}`);
    expect(() => arange(4).reshape([...numbers])).toThrow(`Cannot reshape: ${message}`);
    const ones = new Array<number>(33).fill(1);
    expect(() => zeros(ones)).toThrow("Cannot make zeros: shape must have at most 32 axes, got more");
    expect(() => arange(1).reshape(ones)).toThrow("Cannot reshape: shape must have at most 32 axes, got more");
  });

  it("zeros takes a shape or a length", () => {
    expect(zeros([2, 3])).toEqual(
      array([
        [0, 0, 0],
        [0, 0, 0],
      ]),
    );
    expect(zeros(2).toArray()).toEqual([0, 0]);
    expect(zeros([]).toArray()).toBe(0);
    expect(() => zeros([2, -1])).toThrow("Cannot make zeros: shape must hold no negative number, got (2, -1)");
    expect(() => zeros(2.5)).toThrow(ValueError);
    expect(() => zeros("2" as unknown as number)).toThrow(
      'Cannot make zeros: shape must be a list of whole numbers, got "2"',
    );
    expect(() => zeros([2 ** 30, 2 ** 30])).toThrow(
      "Cannot make zeros: shape must fit in memory, got (1073741824, 1073741824)",
    );
  });

  it("arange counts as NumPy does", () => {
    const cases = readFixture<{ arange: { arguments: [number, number?, number?]; result: Packed }[] }>(
      __dirname,
      "computing.json",
    );
    for (const {
      arguments: [start, stop, step],
      result,
    } of cases.arange) {
      const made = stop === undefined ? arange(start) : arange(start, stop, step);
      expect(made.toArray()).toEqual(unpack(result).toArray());
    }
    expect(() => arange(0, 1, 0)).toThrow("Cannot make a range: step must not be 0, got 0");
    const missing = undefined as unknown as number;
    expect(() => arange(missing)).toThrow("Cannot make a range: stop must be a number, got undefined");
    expect(arange(3, missing, 2).toArray()).toEqual([0, 2]);
    expect(() => arange(Infinity)).toThrow("Cannot make a range: stop must be finite, got Infinity");
    expect(() => arange("3" as unknown as number)).toThrow('Cannot make a range: stop must be a number, got "3"');
    expect(() => arange(0, 1e300)).toThrow(ValueError);
  });

  it("eye has ones where row and column are equal", () => {
    expect(eye(2).toArray()).toEqual([
      [1, 0],
      [0, 1],
    ]);
    expect(eye(1, 3).toArray()).toEqual([[1, 0, 0]]);
    expect(eye(0).shape).toEqual([0, 0]);
    expect(() => eye(-1)).toThrow(
      "Cannot make an identity matrix: its shape must hold no negative number, got (-1, -1)",
    );
    expect(() => eye("2" as unknown as number)).toThrow(TypeError);
  });

  it("randomNormal gives the same numbers for a seed, and others for another", () => {
    expect(randomNormal([2, 3], 7)).toEqual(randomNormal([2, 3], 7));
    expect(randomNormal(6, 7).toArray()).toEqual([...randomNormal([2, 3], 7).data]);
    expect(randomNormal(3, 7).toArray()).not.toEqual(randomNormal(3, 8).toArray());
    expect(randomNormal(3, 7).toArray()).not.toEqual(randomNormal(3, 7 + 2 ** 32).toArray());
    expect(randomNormal(3)).toEqual(randomNormal(3, 0));
  });

  it("randomNormal never changes: these very bits on every machine", () => {
    expect(randomNormal(4, 1).toArray()).toEqual([
      0.4366670269634355, 0.1449287746854525, -1.4569167422632916, -0.1107948538413285,
    ]);
  });

  it("randomNormal is normal: moments, and how often it falls into each of eight bins", () => {
    const n = 200_000;
    const { data } = randomNormal(n, 12345);
    const moment = (k: number): number => data.reduce((sum, value) => sum + value ** k, 0) / n;
    [0, 1, 0, 3, 0, 15].forEach((expected, k) => {
      expect(Math.abs(moment(k + 1) - expected)).toBeLessThan([0.01, 0.015, 0.05, 0.1, 0.4, 1.2][k]);
    });
    const edges = [-1.1503493804, -0.6744897502, -0.318639364, 0, 0.318639364, 0.6744897502, 1.1503493804];
    const bins = new Array<number>(8).fill(0);
    for (const value of data) bins[edges.filter((edge) => value > edge).length]++;
    const chiSquared = bins.reduce((sum, count) => sum + (count - n / 8) ** 2 / (n / 8), 0);
    expect(chiSquared).toBeLessThan(24.3); // 0.1% of fair generators exceed it
  });

  it.each([-1, 0.5, NaN, Infinity, 2 ** 53])("randomNormal refuses the seed %d", (seed) => {
    expect(() => randomNormal([1], seed)).toThrow(
      `Cannot make random numbers: seed must be a whole number from 0, got ${seed}`,
    );
  });
});
