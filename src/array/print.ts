// The text of an array, equal to the letter to what NumPy 1.24's `str` and `array2string` give for float64
// (numpy/core/arrayprint.py: maxprec, sign "-", 75 columns, a summary beyond 1,000 elements with three at each edge).
// It leaves out NumPy's other print options.

import { atMost, type Decimal, rounded, shortest } from "./decimal.js";
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
  const shown = shape.map((n) =>
    [...Array(n).keys()].filter((i) => !isLong || n <= 2 * EDGE || i < EDGE || i >= n - EDGE),
  );

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
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}

/** One word a number, all of one width and with their points in one column. */
function printNumbers(numbers: readonly number[], precision: number, suppress: boolean): string[] {
  const finite = numbers.filter(Number.isFinite);
  const sizes = finite.filter((x) => x !== 0).map(Math.abs);
  const largest = sizes.reduce((a, b) => Math.max(a, b), 0);
  const smallest = sizes.reduce((a, b) => Math.min(a, b), Infinity);
  const useExponents = largest >= 1e8 || (!suppress && (smallest < 1e-4 || largest / smallest > 1000));
  return useExponents ? withExponents(numbers, finite, precision) : withoutExponents(numbers, finite, precision);
}

function withoutExponents(numbers: readonly number[], finite: readonly number[], precision: number): string[] {
  const texts = finite.map((x) => positional(x, precision));
  const right = texts.reduce((width, text) => Math.max(width, text.length - text.indexOf(".") - 1), 0);
  const left = texts.reduce((width, text) => Math.max(width, text.indexOf(".")), 0);
  return pad(numbers, left, right, (x) => {
    const text = positional(x, precision);
    return text + " ".repeat(right - (text.length - text.indexOf(".") - 1));
  });
}

function withExponents(numbers: readonly number[], finite: readonly number[], precision: number): string[] {
  const decimals = finite.map((x) => atMost(x, () => precision + 1));
  const count = decimals.reduce((most, { digits }) => Math.max(most, digits.length - 1), 0);
  const exponentSize = decimals.reduce((most, { exponent }) => Math.max(most, String(Math.abs(exponent)).length), 2);
  const left = finite.some(isNegative) ? 2 : 1;
  return pad(numbers, left, count + 2 + exponentSize, (x) => scientific(x, rounded(x, count + 1), count, exponentSize));
}

/** Pads every word to one width; nan and inf may need a wider one. */
function pad(numbers: readonly number[], left: number, right: number, text: (x: number) => string): string[] {
  const words = numbers.map((x) => (Number.isFinite(x) ? text(x) : nonFinite(x)));
  const width = words.reduce((most, word) => Math.max(most, word.length), left + 1 + right);
  return words.map((word) => word.padStart(width));
}

function nonFinite(x: number): string {
  return Number.isNaN(x) ? "nan" : x < 0 ? "-inf" : "inf";
}

function isNegative(x: number): boolean {
  return x < 0 || Object.is(x, -0);
}

/** 12.5 as "12.5", 3 as "3.", 0 as "0.": `precision` digits after the point at most. */
function positional(x: number, precision: number): string {
  return (isNegative(x) ? "-" : "") + place(atMost(x, (exponent) => exponent + 1 + precision));
}

function place({ digits, exponent }: Decimal): string {
  if (digits === "") return "0.";
  const whole = digits.slice(0, Math.max(exponent + 1, 0)).padEnd(exponent + 1, "0") || "0";
  return `${whole}.${"0".repeat(Math.max(-exponent - 1, 0))}${digits.slice(Math.max(exponent + 1, 0))}`;
}

/** 12.5 as "1.25e+01", with `fraction` digits after the point. */
function scientific(x: number, { digits, exponent }: Decimal, fraction: number, exponentSize: number): string {
  const all = digits.padEnd(fraction + 1, "0");
  const power = `${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(exponentSize, "0")}`;
  return `${isNegative(x) ? "-" : ""}${all[0]}.${all.slice(1)}e${power}`;
}

/** A single number as NumPy prints a scalar: all its digits, exponents from 1e16 and below 1e-4. */
function printScalar(x: number): string {
  if (!Number.isFinite(x)) return nonFinite(x);
  const all = shortest(x);
  const sign = isNegative(x) ? "-" : "";
  if (x === 0 || (all.exponent >= -4 && all.exponent < 16)) return sign + place(all).replace(/\.$/, ".0");
  return scientific(x, all, all.digits.length - 1, 2).replace(".e", "e");
}
