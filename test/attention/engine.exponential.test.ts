// The engine's e^x against 160-bit integer arithmetic.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FILE } from "../../src/attention/engine/engine.js";
import { instantiate } from "../../src/attention/engine/webassembly.js";

const nothing = (): void => {};
const engine = instantiate(readFileSync(FILE), { weights: nothing, sums: nothing });

const BATCH = 1024;
const ROWS = Math.ceil(engine.heapBase() / 32) * 32;
engine.memory.grow(1);

function exponentials(xs: readonly number[]): number[] {
  const memory = new Float64Array(engine.memory.buffer);
  const out: number[] = [];
  for (let start = 0; start < xs.length; start += BATCH) {
    const batch = new Float64Array(BATCH);
    batch.set(xs.slice(start, start + BATCH));
    memory.set(batch, ROWS / 8);
    engine.exponentials(ROWS, ROWS + BATCH * 8, ROWS + BATCH * 8, ROWS + BATCH * 16);
    out.push(...memory.slice(ROWS / 8, ROWS / 8 + Math.min(BATCH, xs.length - start)));
  }
  return out;
}

const BITS = 160;
const ONE = 1n << BigInt(BITS);
const LN2 = logarithmOfTwo();

/** ln 2 = Σ 1 / (k·2^k), in units of 2^-160. */
function logarithmOfTwo(): bigint {
  let sum = 0n;
  for (let k = 1n; k <= 180n; k++) sum += (1n << 200n) / (k << k);
  return sum >> 40n;
}

/** A float64 times 2^shift, rounded down to a whole number. */
function scaled(x: number, shift: number): bigint {
  let mantissa = x;
  let exponent = shift;
  for (; !Number.isInteger(mantissa); exponent--) mantissa *= 2;
  return exponent >= 0 ? BigInt(mantissa) << BigInt(exponent) : BigInt(mantissa) >> BigInt(-exponent);
}

/** By how many units of the last place y misses e^x. */
function errorInUnits(x: number, y: number): number {
  const n = Math.round(x / Math.LN2);
  const r = scaled(x, BITS) - BigInt(n) * LN2;
  let term = ONE;
  let power = 0n;
  for (let k = 1n; term !== 0n && term !== -1n; k++) {
    power += term;
    term = (term * r) / ONE / k;
  }
  const exponent = power >= ONE ? n : n - 1;
  const unit = Math.max(exponent - 52, -1074);
  const miss = scaled(y, BITS - n) - power;
  return Math.abs(Number(miss)) / 2 ** (BITS - n + unit);
}

function worst(xs: readonly number[]): number {
  return exponentials(xs).reduce((most, y, i) => Math.max(most, errorInUnits(xs[i], y)), 0);
}

function random(count: number, from: number, to: number): number[] {
  let state = 1;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const high = state;
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return from + ((to - from) * (high + state / 2 ** 32)) / 2 ** 32;
  });
}

describe("the engine's exponential", () => {
  it("is measured by an oracle that tells right from nearly right", () => {
    expect(errorInUnits(-1, 0.36787944117144233)).toBeLessThan(0.5);
    expect(errorInUnits(-100, 3.720075976020836e-44)).toBeLessThan(0.5);
    expect(errorInUnits(-1, 0.3678794411714424)).toBeGreaterThan(0.5);
    expect(errorInUnits(-744.5, 5e-324)).toBeLessThan(1);
    expect(LN2).toBe(0xb17217f7d1cf79abc9e3b39803f2f6af40f34326n);
  });

  it.each([
    ["0.55 units from -708.3 to 0", 40_000, -708.3, 0, 0.55],
    ["0.55 units from -1 to 0", 20_000, -1, 0, 0.55],
    ["0.55 units from -1e-9 to 0", 2_000, -1e-9, 0, 0.55],
    ["0.80 units where results are subnormal", 20_000, -745.2, -708.3, 0.8],
  ])("errs by at most %s", (_, count, from, to, most) => {
    expect(worst(random(count, from, to))).toBeLessThan(most);
  });

  it("errs by at most 0.55 units at the edges of its pieces", () => {
    const xs: number[] = [];
    for (let n = 0; n > -261_000; n -= 37) {
      const edge = (n - 0.5) * (Math.LN2 / 256);
      xs.push(edge, edge * (1 - 2 ** -52), edge * (1 + 2 ** -52), n * (Math.LN2 / 256));
    }
    expect(worst(xs)).toBeLessThan(0.55);
  });

  it("never grows as x falls", () => {
    const xs = random(50_000, -745.2, 0).sort((a, b) => b - a);
    const ys = exponentials(xs);
    for (let i = 1; i < ys.length; i++) expect(ys[i]).toBeLessThanOrEqual(ys[i - 1]);
  });

  it("is exact at 0, 0 from -745.14 down to -Infinity, and nan at nan", () => {
    expect(exponentials([0, -0])).toEqual([1, 1]);
    expect(exponentials([-745.13, -745.14, -746, -1e5, -Number.MAX_VALUE, -Infinity])).toEqual([5e-324, 0, 0, 0, 0, 0]);
    expect(exponentials([NaN, -1, NaN])).toEqual([NaN, Math.exp(-1), NaN]);
    expect(exponentials([-5e-324, -1e-300])).toEqual([1, 1]);
  });
});
