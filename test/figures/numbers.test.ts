import { expect, test } from "vitest";
import { brief, exact, fixed, rounded, told } from "../../src/figures/numbers.js";

test.each([
  [0, "0"],
  [-0, "-0"],
  [12, "12"],
  [-3, "-3"],
  [0.5, "0.50"],
  [-1234.5678, "-1234.57"],
  [0.0001, "1.0e-4"],
  [123456, "1.2e+5"],
  [1e200, "1e+200"],
  [Number.NaN, "nan"],
  [Number.POSITIVE_INFINITY, "inf"],
  [Number.NEGATIVE_INFINITY, "-inf"],
])("brief(%d) is %s", (value, text) => {
  expect(brief(value)).toBe(text);
});

test("exact() keeps every digit", () => {
  expect(exact(0.40111208589)).toBe("0.40111208589");
  expect(exact(Number.NaN)).toBe("nan");
});

test("fixed() never writes a negative zero", () => {
  expect(fixed(-0.001, 2)).toBe("0.00");
  expect(fixed(-0.01, 2)).toBe("-0.01");
  expect(fixed(Number.POSITIVE_INFINITY, 2)).toBe("inf");
});

test.each([
  [0.12345, 0.123],
  [0.0625, 0.063],
  [0.000394, 0.00039],
  [1.2e-30, 1.2e-30],
  [5e-324, 5e-324],
  [0.9999, 1],
  [-2.3456, -2.35],
  [14_543_210, 14_500_000],
  [1e300, 1e300],
  [0, 0],
  [-0, 0],
  [Number.NaN, null],
  [Number.NEGATIVE_INFINITY, null],
])("told(%d, 3) is %d", (value, shown) => {
  expect(told(value, 3)).toBe(shown);
});

test("rounded() makes a hole of what is not finite", () => {
  expect(rounded(0.12345, 3)).toBe(0.123);
  expect(rounded(Number.NaN, 3)).toBeNull();
});
