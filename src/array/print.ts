// The text of an array, equal to the letter to what NumPy 1.24's `str` and `array2string` give for float64
// (numpy/core/arrayprint.py: maxprec, sign "-", 75 columns, a summary beyond 1,000 elements with three at each edge).
// It leaves out NumPy's other print options.

import { atMost, type Decimal, exactly, shortest } from "./decimal.js";
import { rowMajorStrides } from "./shape.js";

const LINE_WIDTH = 75;
const SUMMARY_ABOVE = 1000;
const EDGE = 3;

/** How to print: digits after the point at most, and whether small numbers stay out of exponent form. */
export interface PrintOptions {
  readonly precision?: number | undefined;
  readonly suppress?: boolean | undefined;
}

/** The text of a row-major array. Without options, an array without axes prints as its number does alone. */
export function print(shape: readonly number[], data: Float64Array, options?: PrintOptions): string {
  if (shape.length === 0 && options === undefined) return printScalar(data[0]);
  if (data.length === 0) return "[]";
  const isLong = data.length > SUMMARY_ABOVE;
  const strides = rowMajorStrides(shape);
  const shown = shape.map((n) => (isLong && n > 2 * EDGE ? [...range(0, EDGE), ...range(n - EDGE, n)] : range(0, n)));

  const visible: number[] = [];
  const collect = (axis: number, start: number): void => {
    if (axis === shape.length) visible.push(data[start]);
    else for (const i of shown[axis]) collect(axis + 1, start + i * strides[axis]);
  };
  collect(0, 0);
  const words = printNumbers(visible, options?.precision ?? 8, options?.suppress ?? false);

  let next = 0;
  const write = (axis: number): string => {
    if (axis === shape.length) return words[next++];
    const parts = shown[axis].map(() => write(axis + 1));
    if (parts.length < shape[axis]) parts.splice(EDGE, 0, "...");
    const indent = " ".repeat(axis + 1);
    const isRow = axis === shape.length - 1;
    const lines = isRow ? wrap(parts, LINE_WIDTH - 1 - axis, indent) : parts;
    return `[${lines.join("\n".repeat(isRow ? 1 : shape.length - 1 - axis) + indent)}]`;
  };
  return write(0);
}

/** The words of one row, in lines; `width` counts the indent and leaves out the closing bracket. */
function wrap(words: readonly string[], width: number, indent: string): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of words) {
    if (line !== "" && indent.length + line.length + 1 + word.length > width) {
      lines.push(line.trimEnd());
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** One word a number, all of one width and with their points in one column. */
function printNumbers(numbers: readonly number[], precision: number, suppress: boolean): string[] {
  const sizes = numbers.filter((x) => Number.isFinite(x) && x !== 0).map(Math.abs);
  const largest = sizes.reduce((a, b) => Math.max(a, b), 0);
  const smallest = sizes.reduce((a, b) => Math.min(a, b), Infinity);
  const useExponents = largest >= 1e8 || (!suppress && (smallest < 1e-4 || largest / smallest > 1000));
  const words = useExponents ? withExponents(numbers, precision) : withoutExponents(numbers, precision);
  const width = longest(words);
  return words.map((word) => word.padStart(width));
}

/** 12.5 as "12.5", 3 as "3.  ", 0 as "0.  ": as many characters after the point in each. */
function withoutExponents(numbers: readonly number[], precision: number): string[] {
  const words = numbers.map((x) => {
    if (!Number.isFinite(x)) return nonFinite(x);
    return sign(x) + place(atMost(x, (exponent) => exponent + 1 + precision));
  });
  const fraction = longest(words.map((word) => word.split(".")[1] ?? ""));
  return words.map((word) => (word.includes(".") ? word.padEnd(word.indexOf(".") + 1 + fraction) : word));
}

/** 12.5 as "1.25e+01", 3 as "3.00e+00": as many digits in each. */
function withExponents(numbers: readonly number[], precision: number): string[] {
  const decimals = numbers.filter(Number.isFinite).map((x) => atMost(x, () => precision + 1));
  const count = Math.max(1, longest(decimals.map(({ digits }) => digits)));
  const exponentSize = Math.max(2, longest(decimals.map(({ exponent }) => String(Math.abs(exponent)))));
  return numbers.map((x) => {
    if (!Number.isFinite(x)) return nonFinite(x);
    const { digits, exponent } = exactly(x, () => count);
    return sign(x) + scientific(digits.padEnd(count, "0"), exponent, exponentSize);
  });
}

/** A single number as NumPy prints a scalar: all its digits, with exponents from 1e16 and below 1e-4. */
function printScalar(x: number): string {
  if (!Number.isFinite(x)) return nonFinite(x);
  const decimal = shortest(x);
  const { digits, exponent } = decimal;
  if (exponent >= -4 && exponent < 16) return sign(x) + place(decimal).replace(/\.$/, ".0");
  return sign(x) + scientific(digits, exponent, 2).replace(".e", "e");
}

/** Digits with the point in its place: "12.5", "3.", "0.". */
function place({ digits, exponent }: Decimal): string {
  if (digits === "") return "0.";
  if (exponent < 0) return `0.${digits.padStart(digits.length - 1 - exponent, "0")}`;
  return `${digits.slice(0, exponent + 1).padEnd(exponent + 1, "0")}.${digits.slice(exponent + 1)}`;
}

/** Digits with the point after the first: "1.25e+01". */
function scientific(digits: string, exponent: number, exponentSize: number): string {
  const power = String(Math.abs(exponent)).padStart(exponentSize, "0");
  return `${digits[0]}.${digits.slice(1)}e${exponent < 0 ? "-" : "+"}${power}`;
}

function sign(x: number): string {
  return x < 0 || Object.is(x, -0) ? "-" : "";
}

function nonFinite(x: number): string {
  return Number.isNaN(x) ? "nan" : `${sign(x)}inf`;
}

function range(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, i) => start + i);
}

function longest(texts: readonly string[]): number {
  return texts.reduce((most, text) => Math.max(most, text.length), 0);
}
