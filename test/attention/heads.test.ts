import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  arange,
  array,
  mergeHeads,
  type NDArray,
  type NDArrayLike,
  splitHeads,
  ValueError,
  zeros,
} from "../../src/index.js";

/** B, T, D and a number of heads that divides it. */
const sizes = fc
  .record({
    B: fc.integer({ min: 1, max: 4 }),
    T: fc.integer({ min: 1, max: 5 }),
    H: fc.integer({ min: 1, max: 6 }),
    d: fc.integer({ min: 1, max: 5 }),
  })
  .map(({ d, H, ...rest }) => ({ ...rest, H, d, D: H * d }));

const x = arange(2 * 5 * 12).reshape(2, 5, 12);

describe("splitHeads", () => {
  it("gives each head its columns, by hand", () => {
    expect(
      splitHeads(
        [
          [
            [0, 1, 2, 3],
            [4, 5, 6, 7],
          ],
        ],
        2,
      ).toArray(),
    ).toEqual([
      [
        [
          [0, 1],
          [4, 5],
        ],
        [
          [2, 3],
          [6, 7],
        ],
      ],
    ]);
  });

  it("follows the index rule where B, T, H and d all differ", () => {
    const split = splitHeads(x, 3);
    expect(split.shape).toEqual([2, 3, 5, 4]);
    for (let b = 0; b < 2; b++)
      for (let h = 0; h < 3; h++)
        for (let i = 0; i < 5; i++)
          for (let j = 0; j < 4; j++) expect(split.get(b, h, i, j)).toBe(x.get(b, i, h * 4 + j));
  });

  it("is a reshape and a transpose, and mergeHeads undoes it, for any sizes", () => {
    fc.assert(
      fc.property(sizes, ({ B, T, D, H, d }) => {
        const any = arange(B * T * D).reshape(B, T, D);
        const split = splitHeads(any, H);
        expect(split).toEqual(any.reshape(B, T, H, d).transpose(0, 2, 1, 3));
        expect(mergeHeads(split)).toEqual(any);
      }),
    );
  });

  it("reads nested lists, typed rows, views and frozen input alike, and leaves them as they were", () => {
    const rows = x.toArray();
    const before = structuredClone(rows);
    const expected = splitHeads(x, 4);
    const data = x.transpose(2, 0, 1).data;
    const inputs: NDArrayLike[] = [
      rows,
      rows.map((batch) => batch.map((row) => Object.freeze(row))),
      rows.map((batch) => batch.map((row) => Float32Array.from(row))),
      { shape: [2, 5, 12], data: Int8Array.from(x.data) },
      { shape: [2, 5, 12], data, strides: [5, 1, 10] },
      { shape: [2, 5, 12], data: Float64Array.from(x.data).reverse(), stride: [-60, -12, -1], offset: 119 },
      [x.at(0), x.at(1)],
    ];
    for (const input of inputs) expect(splitHeads(input, 4)).toEqual(expected);
    expect(rows).toEqual(before);
    expect(data).toEqual(x.transpose(2, 0, 1).data);
  });

  it("returns memory of its own", () => {
    const own = arange(8).reshape(1, 2, 4);
    const split = splitHeads(own, 1);
    const merged = mergeHeads(split);
    split.data.fill(9);
    expect(own.get(0, 1, 3)).toBe(7);
    expect(merged.get(0, 1, 3)).toBe(7);
  });

  it("keeps nan, infinities and -0", () => {
    expect(splitHeads([[[NaN, -0, -Infinity, Infinity]]], 2).toArray()).toEqual([
      [[[NaN, -0]], [[-Infinity, Infinity]]],
    ]);
  });

  it("splits arrays without batches, tokens or features", () => {
    expect(splitHeads(zeros([0, 3, 4]), 2).shape).toEqual([0, 2, 3, 2]);
    expect(splitHeads(zeros([2, 0, 4]), 2).shape).toEqual([2, 2, 0, 2]);
    expect(splitHeads(zeros([2, 3, 0]), 2).shape).toEqual([2, 2, 3, 0]);
  });

  it.each<[number, number, string]>([
    [1600, 48, "nHeads must divide D, got nHeads=48 for D=1600 (nearest that do: 40, 50)"],
    [7, 3, "nHeads must divide D, got nHeads=3 for D=7 (nearest that do: 1, 7)"],
    [4, 8, "nHeads must divide D, got nHeads=8 for D=4 (nearest that does: 4)"],
    [1600, 0, "nHeads must be a whole number from 1, got nHeads=0 for D=1600"],
    [1600, -1, "nHeads must be a whole number from 1, got nHeads=-1 for D=1600"],
    [1600, 2.5, "nHeads must be a whole number from 1, got nHeads=2.5 for D=1600"],
    [1600, NaN, "nHeads must be a whole number from 1, got nHeads=NaN for D=1600"],
    [1600, Infinity, "nHeads must be a whole number from 1, got nHeads=Infinity for D=1600"],
    [1600, 1e300, "nHeads must divide D, got nHeads=1e+300 for D=1600 (nearest that does: 1600)"],
  ])("refuses D=%d in %d heads", (D, nHeads, message) => {
    expect(() => splitHeads(zeros([1, 2, D]), nHeads)).toThrow(ValueError);
    expect(() => splitHeads(zeros([1, 2, D]), nHeads)).toThrow(`Cannot split heads: ${message}`);
  });

  it.each<[unknown, string]>([
    ["2", '"2"'],
    [undefined, "undefined"],
    [null, "null"],
    [2n, "2n"],
    [[2], "an array of length 1"],
  ])("refuses nHeads of %s as a TypeError", (nHeads, shown) => {
    expect(() => splitHeads(x, nHeads as number)).toThrow(TypeError);
    expect(() => splitHeads(x, nHeads as number)).toThrow(`Cannot split heads: nHeads must be a number, got ${shown}`);
  });

  it("refuses what is no (B, T, D) array", () => {
    expect(() => splitHeads([[1, 2]], 1)).toThrow("Cannot split heads: x must have 3 axes (B, T, D), got shape (1, 2)");
    expect(() => splitHeads([[[1, 2], [3]]], 1)).toThrow(
      "Cannot split heads: x[0][1] must be a list of 2 like x[0][0], got a list of 1",
    );
    expect(() => splitHeads(undefined as unknown as NDArray, 1)).toThrow(TypeError);
  });
});

describe("mergeHeads", () => {
  it("undoes the transpose before it joins, by hand", () => {
    const [a, b, c, d, e, f, g, h] = [1, 2, 3, 4, 5, 6, 7, 8];
    expect(
      mergeHeads([
        [
          [
            [a, b],
            [c, d],
          ],
          [
            [e, f],
            [g, h],
          ],
        ],
      ]).toArray(),
    ).toEqual([
      [
        [a, b, e, f],
        [c, d, g, h],
      ],
    ]);
  });

  it("follows the index rule where B, T, H and d all differ", () => {
    const heads = arange(2 * 3 * 5 * 4).reshape(2, 3, 5, 4);
    const merged = mergeHeads(heads);
    expect(merged.shape).toEqual([2, 5, 12]);
    for (let b = 0; b < 2; b++)
      for (let h = 0; h < 3; h++)
        for (let i = 0; i < 5; i++)
          for (let j = 0; j < 4; j++) expect(merged.get(b, i, h * 4 + j)).toBe(heads.get(b, h, i, j));
  });

  it("is undone by splitHeads", () => {
    fc.assert(
      fc.property(sizes, ({ B, T, H, d }) => {
        const heads = arange(B * H * T * d).reshape(B, H, T, d);
        expect(splitHeads(mergeHeads(heads), H)).toEqual(heads);
      }),
    );
  });

  it("refuses what has not four axes", () => {
    expect(() => mergeHeads(x)).toThrow("Cannot merge heads: x must have 4 axes (B, H, T, d), got shape (2, 5, 12)");
    expect(() => mergeHeads(array(1))).toThrow(ValueError);
    expect(() => mergeHeads("x" as unknown as NDArray)).toThrow(TypeError);
    expect(mergeHeads(zeros([2, 0, 3, 4])).shape).toEqual([2, 3, 0]);
  });
});

describe("heads of nothing", () => {
  it("come at once, however long the other axes are", () => {
    const long = 2 ** 40;
    expect(splitHeads(zeros([1, long, 0]), 2).shape).toEqual([1, 2, long, 0]);
    expect(mergeHeads(zeros([1, 2, long, 0])).shape).toEqual([1, long, 0]);
  });
});
