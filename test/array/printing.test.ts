import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { arange, array, eye, format, type PrintOptions } from "../../src/index.js";
import { type Packed, readFixture, unpack } from "./fixture.js";

type Case = Packed & { readonly text: string; readonly options?: PrintOptions };

describe("format", () => {
  const cases = readFixture<Case[]>(__dirname, "printing.json");

  it(`prints ${cases.length} arrays as NumPy does, to the letter`, () => {
    for (const { text, options, ...packed } of cases) expect(format(unpack(packed), options)).toBe(text);
  });

  it("prints what toString, console.log and a nested console.log print", () => {
    const x = array([
      [1, 2.5],
      [-3, 4],
    ]);
    expect(format(x)).toBe("[[ 1.   2.5]\n [-3.   4. ]]");
    expect(x.toString()).toBe(format(x));
    expect(`${x}`).toBe(format(x));
    expect(inspect(x)).toBe(format(x));
    expect(inspect({ x: array([1, 2]) })).toBe("{ x: [1. 2.] }");
  });

  it("prints a transposed view in the order of its indices, not of its buffer", () => {
    const x = arange(6).reshape(2, 3);
    expect(format(x.transpose())).toBe("[[0. 3.]\n [1. 4.]\n [2. 5.]]");
    expect(format({ shape: [3, 2], data: x.data, strides: [1, 3] })).toBe("[[0. 3.]\n [1. 4.]\n [2. 5.]]");
  });

  it("takes precision and suppress", () => {
    expect(format([1 / 3, 2], { precision: 2 })).toBe("[0.33 2.  ]");
    expect(format([1e-9, 1], { suppress: true })).toBe("[0. 1.]");
    expect(format(eye(2), {})).toBe("[[1. 0.]\n [0. 1.]]");
    expect(format([1.5], { precision: undefined })).toBe("[1.5]");
  });

  it("summarises a very long axis without walking it", () => {
    expect(format({ shape: [1e6], data: [7], strides: [0] })).toBe("[7. 7. 7. ... 7. 7. 7.]");
  });

  it("refuses options that are none", () => {
    const say = "Cannot format: precision must be";
    expect(() => format([1], { precision: -1 })).toThrow(`${say} a whole number from 0, got -1`);
    expect(() => format([1], { precision: 2.5 })).toThrow(`${say} a whole number from 0, got 2.5`);
    expect(() => format([1], { precision: "2" as unknown as number })).toThrow(`${say} a number, got "2"`);
    expect(() => format([1], { suppress: 1 as unknown as boolean })).toThrow("suppress must be true or false, got 1");
  });
});
