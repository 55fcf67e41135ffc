import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { arange, array, type NDArrayLike, type StridedArray, ValueError, zeros } from "../../src/index.js";

/** What a caller without types may pass. */
const anything = (x: unknown): NDArrayLike => x as NDArrayLike;

describe("array reads", () => {
  it.each<[string, NDArrayLike, number[], number[]]>([
    ["a number", 5, [], [5]],
    ["a list", [1, 2, 3], [3], [1, 2, 3]],
    ["nested lists", [[[1, 2]], [[3, 4]]], [2, 1, 2], [1, 2, 3, 4]],
    ["an empty list", [], [0], []],
    ["empty rows", [[], []], [2, 0], []],
    ["rows of typed arrays", [new Float32Array([1, 2]), new Int8Array([3, -4])], [2, 2], [1, 2, 3, -4]],
    ["rows of NDArrays", [arange(2), [5, 6], new Float64Array([7, 8])], [3, 2], [0, 1, 5, 6, 7, 8]],
    ["a list of numbers without axes", [array(1), 2], [2], [1, 2]],
    ["rows that are views", [{ shape: [2], data: [9, 8], strides: [-1], offset: 1 }, [1, 2]], [2, 2], [8, 9, 1, 2]],
    ["nan, infinities and -0", [NaN, Infinity, -Infinity, -0], [4], [NaN, Infinity, -Infinity, -0]],
    ["an NDArray", arange(4).reshape(2, 2), [2, 2], [0, 1, 2, 3]],
    ["a Buffer", Buffer.from([1, 2]), [2], [1, 2]],
  ])("%s", (_, x, shape, data) => {
    const read = array(x);
    expect(read.shape).toEqual(shape);
    expect(read.data).toEqual(Float64Array.from(data));
  });

  it.each([
    Float64Array,
    Float32Array,
    Int8Array,
    Uint8Array,
    Uint8ClampedArray,
    Int16Array,
    Uint16Array,
    Int32Array,
    Uint32Array,
  ])("%s, alone and as the data of a view", (Numbers) => {
    const data = Numbers.from([1, 2, 3, 4, 5, 6]);
    expect(array(data).toArray()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(array({ shape: [3, 2], data, strides: [1, 3] }).toArray()).toEqual([
      [1, 4],
      [2, 5],
      [3, 6],
    ]);
  });

  it("64-bit integers, rounded to float64 as NumPy rounds them", () => {
    expect(array(BigInt64Array.of(-3n, 2n ** 53n + 1n)).toArray()).toEqual([-3, 2 ** 53]);
    expect(array([BigUint64Array.of(2n ** 64n - 1n)]).toArray()).toEqual([[2 ** 64]]);
    expect(array({ shape: [2], data: BigInt64Array.of(1n, 2n), strides: [-1], offset: 1 }).toArray()).toEqual([2, 1]);
  });

  it("typed arrays of nothing, of every kind", () => {
    for (const nothing of [new BigInt64Array(0), new BigUint64Array(0), new Float64Array(0)]) {
      expect(array(nothing).shape).toEqual([0]);
      expect(array([nothing, nothing]).shape).toEqual([2, 0]);
    }
  });

  it.each<[string, StridedArray, unknown]>([
    [
      "row-major data",
      { shape: [2, 2], data: [1, 2, 3, 4] },
      [
        [1, 2],
        [3, 4],
      ],
    ],
    [
      "a transposed view",
      { shape: [3, 2], data: arange(6).data, strides: [1, 3] },
      [
        [0, 3],
        [1, 4],
        [2, 5],
      ],
    ],
    [
      "negative strides",
      { shape: [2, 3], data: arange(6).data, strides: [-3, -1], offset: 5 },
      [
        [5, 4, 3],
        [2, 1, 0],
      ],
    ],
    ["an offset", { shape: [2], data: arange(6).data, offset: 4 }, [4, 5]],
    [
      "a slice with steps",
      { shape: [2, 2], data: arange(12).data, strides: [6, 2], offset: 1 },
      [
        [1, 3],
        [7, 9],
      ],
    ],
    [
      "stride for strides",
      { shape: [2, 2], data: arange(4).data, stride: [1, 2], offset: 0 },
      [
        [0, 2],
        [1, 3],
      ],
    ],
    [
      "strides of 0",
      { shape: [2, 3], data: [7], strides: [0, 0] },
      [
        [7, 7, 7],
        [7, 7, 7],
      ],
    ],
    ["no axes", { shape: [], data: [1, 2], strides: [], offset: 1 }, 2],
    ["an empty view", { shape: [2, 0], data: [], strides: [5, 5] }, [[], []]],
    [
      "shape and strides as typed arrays",
      { shape: Int32Array.of(2), data: [1, 2, 3], strides: Int32Array.of(2) },
      [1, 3],
    ],
  ])("%s", (_, view, nested) => {
    expect(array(view).toArray()).toEqual(nested);
  });

  it("the view of an ndarray as an object with more to it", () => {
    class Foreign {
      readonly data = Float32Array.of(0, 1, 2, 3);
      readonly shape = [2, 2];
      readonly stride = [-2, 1];
      readonly offset = 2;
      readonly dtype = "float32";
    }
    expect(array(new Foreign()).toArray()).toEqual([
      [2, 3],
      [0, 1],
    ]);
  });

  it("stride where strides is there, but null", () => {
    const view = { shape: [2], data: [1, 2], strides: null, stride: [-1], offset: 1 };
    expect(array(anything(view)).toArray()).toEqual([2, 1]);
  });

  it("lists and typed arrays of another realm", () => {
    const elsewhere: unknown = runInNewContext(
      "[new Float32Array([1, 2]), [3, 4], { shape: [2], data: new BigInt64Array([5n, 6n]) }]",
    );
    expect(array(anything(elsewhere)).toArray()).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
  });

  it("frozen input", () => {
    const row = Object.freeze([1, 2]);
    expect(array(Object.freeze([row, row])).shape).toEqual([2, 2]);
    const view = { shape: Object.freeze([2]), data: row, strides: Object.freeze([1]), offset: 0 };
    expect(array(Object.freeze(view)).toArray()).toEqual([1, 2]);
    expect(array(Object.freeze(arange(2))).toArray()).toEqual([0, 1]);
  });

  it("nothing that it shares", () => {
    const data = Float64Array.of(1, 2);
    const shape = [2];
    const arrays = [array(data), array([data]), array({ shape, data }), array({ shape, data, strides: [1] })];
    const again = array(arrays[0]);
    data.fill(9);
    arrays[0].data.fill(8);
    shape[0] = 7;
    for (const x of arrays.slice(1)) expect([...x.data]).toEqual([1, 2]);
    expect([...again.data]).toEqual([1, 2]);
    expect(array({ shape: arrays[1].shape, data: arrays[1].data }).shape).not.toBe(arrays[1].shape);
  });
});

describe("array refuses with a ValueError", () => {
  const deep = (depth: number): unknown => (depth === 0 ? 1 : [deep(depth - 1)]);
  const endless: unknown[] = [];
  endless.push(endless);
  it.each<[string, unknown, string]>([
    ["a short row", [[1, 2], [3]], "x[1] must be a list of 2 like x[0], got a list of 1"],
    ["a long row", [[1], [2, 3]], "x[1] must be a list of 1 like x[0], got a list of 2"],
    ["a number among rows", [[1, 2], 3], "x[1] must be a list of 2 like x[0], got a number"],
    ["a row among numbers", [1, [2]], "x[1] must be a number like x[0], got a list of 1"],
    ["raggedness far inside", [[[1, 2]], [[3, 4, 5]]], "x[1][0] must be a list of 2 like x[0][0], got a list of 3"],
    [
      "a typed row of another length",
      [[1, 2], new Float64Array(3)],
      "x[1] must be a list of 2 like x[0], got a list of 3",
    ],
    [
      "an NDArray of another shape",
      [zeros([2, 2]), zeros([2, 3])],
      "x[1] must be an array of shape (2, 2) like x[0], got an array of shape (2, 3)",
    ],
    ["a negative shape", { shape: [-1], data: [] }, "x.shape must hold no negative number, got (-1,)"],
    ["a fractional shape", { shape: [1.5], data: [1] }, "x.shape must hold whole numbers, got (1.5,)"],
    ["a shape of nan", { shape: [NaN], data: [1] }, "x.shape must hold whole numbers, got (NaN,)"],
    ["too little data", { shape: [2, 3], data: [1, 2] }, "x.data must hold the 6 numbers of shape (2, 3), got 2"],
    ["too much data", { shape: [2], data: [1, 2, 3] }, "x.data must hold the 2 numbers of shape (2,), got 3"],
    [
      "a view past the end",
      { shape: [2, 2], data: [1, 2, 3, 4], strides: [3, 1] },
      "x must stay inside its data, got shape (2, 2), strides (3, 1) and offset 0 for 4 numbers",
    ],
    [
      "a view before the start",
      { shape: [2], data: [1, 2], strides: [-1] },
      "x must stay inside its data, got shape (2,), strides (-1,) and offset 0 for 2 numbers",
    ],
    [
      "an offset past the end",
      { shape: [], data: [1], strides: [], offset: 1 },
      "x must stay inside its data, got shape (), strides () and offset 1 for 1 numbers",
    ],
    [
      "a fractional offset",
      { shape: [1], data: [1, 2], offset: 0.5 },
      "x must stay inside its data, got shape (1,), strides (1,) and offset 0.5 for 2 numbers",
    ],
    [
      "strides of another rank",
      { shape: [2], data: [1, 2], strides: [1, 1] },
      "x.strides must have one number an axis, got strides (1, 1) for shape (2,)",
    ],
    [
      "fractional strides",
      { shape: [2], data: [1, 2], strides: [0.5] },
      "x.strides must hold whole numbers, got (0.5,)",
    ],
    ["33 axes", deep(33), "x must have at most 32 axes, got more"],
    ["a list that holds itself", endless, "x must have at most 32 axes, got more"],
    [
      "what fits no memory",
      { shape: [2 ** 40, 2 ** 40], data: [1], strides: [0, 0] },
      "shape must fit in memory, got (1099511627776, 1099511627776)",
    ],
  ])("%s", (_, x, message) => {
    expect(() => array(anything(x))).toThrow(ValueError);
    expect(() => array(anything(x))).toThrow(`Cannot make an array: ${message}`);
  });
});

describe("array refuses with a TypeError", () => {
  it.each<[string, unknown, string]>([
    ["undefined", undefined, "x must be an array (nested lists, a typed array or {shape, data}), got undefined"],
    ["null", null, "x must be an array (nested lists, a typed array or {shape, data}), got null"],
    ["a string", "12", 'x must be an array (nested lists, a typed array or {shape, data}), got "12"'],
    ["a boolean", true, "x must be an array (nested lists, a typed array or {shape, data}), got true"],
    ["a bigint", 1n, "x must be an array (nested lists, a typed array or {shape, data}), got 1n"],
    ["a function", () => 1, "x must be an array (nested lists, a typed array or {shape, data}), got a function"],
    ["a symbol", Symbol("x"), "x must be an array (nested lists, a typed array or {shape, data}), got a symbol"],
    ["an object", { length: 2 }, "x must be an array (nested lists, a typed array or {shape, data}), got an object"],
    ["a set", new Set([1]), "x must be an array (nested lists, a typed array or {shape, data}), got a Set"],
    [
      "a DataView",
      new DataView(new ArrayBuffer(8)),
      "x must be an array (nested lists, a typed array or {shape, data}), got a DataView",
    ],
    [
      "an ArrayBuffer",
      new ArrayBuffer(8),
      "x must be an array (nested lists, a typed array or {shape, data}), got an ArrayBuffer",
    ],
    [
      "a promise",
      Promise.resolve([1]),
      "x must be an array (nested lists, a typed array or {shape, data}), got a promise (is an await missing?)",
    ],
    ["a string inside", [1, "2"], 'x[1] must be a number, got "2"'],
    [
      "a bigint inside",
      [
        [1, 2],
        [3, 4n],
      ],
      "x[1][1] must be a number, got 4n",
    ],
    ["a boolean inside", [true], "x[0] must be a number, got true"],
    ["null inside", [[1], [null]], "x[1][0] must be a number, got null"],
    // biome-ignore lint/suspicious/noSparseArray: a hole is what this is about
    ["a hole", [1, , 3], "x[1] must be a number, got undefined"],
    ["a row that is null", [[1, 2], null], "x[1] must be a number, got null"],
    ["a Number object", [Object(1)], "x[0] must be a number, got a Number"],
    [
      "data that is a DataView",
      { shape: [1], data: new DataView(new ArrayBuffer(8)) },
      "x.data must be a typed array or a list of numbers, got a DataView",
    ],
    [
      "data that is a method",
      { shape: [1], data: () => [1] },
      "x.data must be a typed array or a list of numbers, got a function",
    ],
    ["a string in the data", { shape: [2], data: [1, "2"] }, 'x.data[1] must be a number, got "2"'],
    ["a shape that is a number", { shape: 2, data: [1, 2] }, "x.shape must be a list of whole numbers, got 2"],
    ["a shape of strings", { shape: ["2"], data: [1, 2] }, 'x.shape[0] must be a number, got "2"'],
    [
      "strides that are a string",
      { shape: [2], data: [1, 2], strides: "1" },
      'x.strides must be a list of whole numbers, got "1"',
    ],
    ["an offset that is a string", { shape: [2], data: [1, 2], offset: "0" }, 'x.offset must be a number, got "0"'],
  ])("%s", (_, x, message) => {
    expect(() => array(anything(x))).toThrow(TypeError);
    expect(() => array(anything(x))).toThrow(`Cannot make an array: ${message}`);
  });
});
