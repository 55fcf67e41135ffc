import { describe, expect, test } from "vitest";
import { arange } from "../../src/array/make.js";
import { randomNormal } from "../../src/array/random.js";
import { splitHeads } from "../../src/attention/heads.js";
import { compareArrays } from "../../src/figures/compare-arrays.js";
import { expectInside, jsonSize, textsOf, tracesOf } from "./reading.js";

const x = arange(120).reshape(2, 5, 12);

describe("compareArrays()", () => {
  test("marks the cells that differ, and says by how much", () => {
    const figure = compareArrays(
      [
        [0, 1],
        [4, 5],
      ],
      [
        [0, 1],
        [2, 3],
      ],
    );
    const [actual, expected, difference] = tracesOf(figure);
    expect(actual.z).toEqual([
      [0, 0],
      [1, 1],
    ]);
    expect(expected.z.flat()).toEqual([0, 0, 0, 0]);
    expect(difference.text).toEqual([
      ["=", "="],
      ["2", "2"],
    ]);
    expect(actual.hovertext?.[1]).toEqual(["[1, 0]<br>4 instead of 2", "[1, 1]<br>5 instead of 3"]);
    expect(figure.alt).toBe(
      "The same shape, but 2 of 4 numbers differ. " +
        "Shape (2, 2). The first is [1, 0]: 4 instead of 2. The farthest, [1, 0], is off by 2.",
    );
    expectInside(figure);
  });

  test("shows the same shape with wrong numbers, and that they are the same numbers in other places", () => {
    const figure = compareArrays(x.reshape(2, 3, 5, 4), splitHeads(x, 3));
    expect(figure.alt).toContain("The same shape, but 96 of 120 numbers differ.");
    expect(figure.alt).toContain("The first is [0, 0, 1, 0]: 4 instead of 12.");
    expect(figure.alt).toContain("Both hold the same numbers, in other places.");
    expect(textsOf(figure)).toContain("actual[0, 1]");
    expectInside(figure);
  });

  test("says so when nothing differs", () => {
    expect(compareArrays(x, x).alt).toContain("All 120 numbers are as expected.");
    expect(compareArrays([0.1 + 0.2], [0.3]).alt).toBe(
      "The number is as expected. Shape (1,). The farthest, [0], is off by 5.6e-17, within the tolerance.",
    );
  });

  test("takes tolerances", () => {
    expect(compareArrays([1.01], [1], { rtol: 0.1 }).alt).toContain("as expected");
    expect(compareArrays([0.1 + 0.2], [0.3], { rtol: 0, atol: 0 }).alt).toContain("1 of 1 number differs");
  });

  test("takes nan beside nan as equal unless told otherwise, and nothing else", () => {
    const nan = Number.NaN;
    expect(compareArrays([nan, 1], [nan, 1]).alt).toContain("All 2 numbers are as expected");
    expect(compareArrays([nan, 1], [nan, 1], { equalNaN: false }).alt).toContain("1 of 2 numbers differs");
    expect(compareArrays([nan], [1]).alt).toContain("The first is [0]: nan instead of 1.");
    const inf = Number.POSITIVE_INFINITY;
    expect(compareArrays([inf, -inf], [inf, inf]).alt).toContain("The farthest, [1], is off by inf.");
    expect(compareArrays(1, 3).alt).toContain("The farthest is off by 2.");
  });

  test("shows arrays of different shapes with their shapes", () => {
    const figure = compareArrays(x, splitHeads(x, 3));
    expect(figure.alt).toContain("The shapes differ. actual has shape (2, 5, 12), expected (2, 3, 5, 4).");
    expect(compareArrays([1], [1, 2]).alt).toContain("actual holds 1 number, expected 2.");
    expectInside(figure);
  });

  test("shows of a large array the part with the first difference", () => {
    const expected = randomNormal([40, 60], 1);
    const figure = compareArrays(
      expected.map((value, i, j) => (i === 35 && j === 50 ? 9 : value)),
      expected,
    );
    expect(
      tracesOf(figure)[0]
        .z.flat()
        .filter((mark) => mark === 1),
    ).toHaveLength(1);
    expect(figure.alt).toContain("The first is [35, 50]: 9 instead of ");
    expect(figure.alt).toContain("Left out: 28 of 40 rows of a panel, 52 of 60 columns of a panel.");
  });

  test("shows the panels with differences first", () => {
    const expected = arange(400).reshape(20, 4, 5);
    const figure = compareArrays(
      expected.map((value, panel) => (panel === 17 ? value + 1 : value)),
      expected,
    );
    expect(textsOf(figure)).toContain("actual[17]");
    expect(figure.alt).toContain("Left out: 16 of 20 panels (all but [0], [1], [2], [17]).");
    expect(figure.alt).toContain("The first is [17, 0, 0]: 341 instead of 340.");
    const [four, other] = [randomNormal([2, 2, 16, 8], 1), randomNormal([2, 2, 16, 8], 2)];
    expect(compareArrays(four, other).alt).toContain("Left out: 3 of 4 panels ([0, 1], [1, 0], [1, 1])");
    expect(compareArrays(four, [1]).alt).toContain("Left out: 3 of 4 panels of actual (from [0, 1] on)");
  });

  test.each([[[]], [[16, 8, 16, 8]], [[3]], [[1, 1, 1, 1, 1, 2]], [[0, 3]], [[24, 24]], [[100]]])(
    "fits the page for shape %j",
    (shape) => {
      const [actual, expected] = [randomNormal(shape, 1), randomNormal(shape, 2)];
      for (const figure of [compareArrays(actual, expected), compareArrays(actual, [1, 2])]) {
        expectInside(figure);
        expect(jsonSize(figure)).toBeLessThan(150_000);
      }
    },
  );

  test("refuses what is no array, and a negative tolerance", () => {
    expect(() => compareArrays("a" as never, [1])).toThrow(TypeError);
    expect(() => compareArrays([1], [1], { rtol: -1 })).toThrow(
      "Cannot compare arrays: rtol must be at least 0, got -1",
    );
    expect(() => compareArrays([1], [1], { rtol: "0.1" } as object)).toThrow(
      'Cannot compare arrays: rtol must be a number, got "0.1"',
    );
    expect(() => compareArrays([1], [1], { equalNaN: "no" } as object)).toThrow(
      'Cannot compare arrays: equalNaN must be true or false, got "no"',
    );
    expect(() => compareArrays([1], [1], { tolerance: 1 } as object)).toThrow(
      'Cannot compare arrays: an option must be one of rtol, atol, equalNaN, got "tolerance"',
    );
  });
});
