// The WebAssembly engine against the reference engine, at its limits of memory, and its absence.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Engine, FILE, theEngine } from "../../src/attention/engine/engine.js";
import { type Forward, referenceForward } from "../../src/attention/forward.js";
import type { Sizes } from "../../src/attention/input.js";
import { ValueError } from "../../src/index.js";
import { inputs } from "./oracle.js";

type Data = [x: Float64Array, wQ: Float64Array, wK: Float64Array, wV: Float64Array, wO: Float64Array];

const newEngine = (): Engine => new Engine(readFileSync(FILE));
const data = (seed: number, { B, T, D }: Sizes, scale = 1): Data =>
  inputs(seed, B, T, D, scale).map((a) => a.data) as Data;

/** The largest difference, relative to the largest number of `expected`. */
function distance(actual: Float64Array, expected: Float64Array): number {
  const largest = expected.reduce((most, x) => Math.max(most, Math.abs(x)), Number.MIN_VALUE);
  return actual.reduce((most, x, i) => Math.max(most, Math.abs(x - expected[i])), 0) / largest;
}

function expectClose(actual: Forward, expected: Forward): void {
  expect(distance(actual.output, expected.output)).toBeLessThan(1e-12);
  expect(distance(actual.weights, expected.weights)).toBeLessThan(1e-12);
}

const anySizes: fc.Arbitrary<Sizes> = fc
  .record({
    B: fc.integer({ min: 1, max: 16 }),
    T: fc.integer({ min: 1, max: 21 }),
    d: fc.integer({ min: 1, max: 9 }),
    H: fc.integer({ min: 1, max: 7 }),
  })
  .map(({ B, T, d, H }) => ({ B, T, D: d * H, H }));

describe("the WebAssembly engine", () => {
  const engine = newEngine();

  it("is what multiHeadAttention runs on here", () => {
    expect(theEngine()).toBeInstanceOf(Engine);
  });

  it("agrees with the reference engine to 1e-12 on any sizes", () => {
    fc.assert(
      fc.property(fc.nat(1e6), anySizes, fc.constantFrom(2 ** -10, 1, 8), (seed, sizes, scale) => {
        const given = data(seed, sizes, scale);
        expectClose(engine.attend(...given, sizes), referenceForward(...given, sizes));
      }),
      { numRuns: 200 },
    );
  });

  it("agrees with it far past the lesson's range", () => {
    for (const sizes of [
      { B: 1, T: 131, D: 96, H: 8 },
      { B: 2, T: 257, D: 20, H: 4 },
      { B: 3, T: 5, D: 260, H: 4 },
    ]) {
      const given = data(1, sizes);
      expectClose(engine.attend(...given, sizes), referenceForward(...given, sizes));
    }
  });

  it("agrees with it where numbers leave float64, or never were in it", () => {
    const special = fc.constantFrom(NaN, Infinity, -Infinity, 1e200, -1e200, 1e155, Number.MAX_VALUE);
    const planted = fc.array(fc.tuple(fc.nat(), special), { minLength: 1, maxLength: 6 });
    const sizes = fc
      .record({
        B: fc.integer({ min: 1, max: 3 }),
        T: fc.integer({ min: 1, max: 40 }),
        d: fc.integer({ min: 1, max: 5 }),
      })
      .map(({ B, T, d }) => ({ B, T, D: 2 * d, H: 2 }));
    fc.assert(
      fc.property(fc.nat(1e6), sizes, planted, fc.boolean(), (seed, shape, specials, identity) => {
        const given = data(seed, shape);
        const eye = Float64Array.from({ length: shape.D ** 2 }, (_, n) => (n % (shape.D + 1) === 0 ? 1 : 0));
        if (identity) for (const w of given.slice(1)) w.set(eye);
        for (const [place, value] of specials) given[0][place % given[0].length] = value;
        const actual = engine.attend(...given, shape);
        const expected = referenceForward(...given, shape);
        for (const part of ["output", "weights"] as const) {
          const finite = (numbers: Float64Array): Float64Array => numbers.map((x) => (Number.isFinite(x) ? x : 0));
          const other = (numbers: Float64Array): Float64Array => numbers.map((x) => (Number.isFinite(x) ? 0 : x));
          expect(other(actual[part])).toEqual(other(expected[part]));
          expect(distance(finite(actual[part]), finite(expected[part]))).toBeLessThan(1e-12);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("gives these very bits on every machine", () => {
    const sizes = { B: 3, T: 18, D: 30, H: 5 };
    const { output, weights } = engine.attend(...data(2, sizes), sizes);
    const hash = createHash("sha256").update(new Uint8Array(output.buffer)).update(new Uint8Array(weights.buffer));
    expect(hash.digest("hex")).toBe("9585710f0fbc97c8d38c97be572e542a77682190928f807872e3861708f854fb");
  });

  it("gives a batch the same bits alone as among others", () => {
    const sizes = { B: 5, T: 7, D: 12, H: 3 };
    const [x, ...matrices] = data(3, sizes);
    const all = engine.attend(x, ...matrices, sizes);
    for (let b = 0; b < 5; b++) {
      const alone = engine.attend(x.slice(b * 84, (b + 1) * 84), ...matrices, { ...sizes, B: 1 });
      expect(alone.output).toEqual(all.output.slice(b * 84, (b + 1) * 84));
      expect(alone.weights).toEqual(all.weights.slice(b * 147, (b + 1) * 147));
    }
  });

  it("gives the same bits whatever was computed before", () => {
    const sizes = { B: 3, T: 5, D: 10, H: 2 };
    const given = data(4, sizes);
    const first = newEngine().attend(...given, sizes);
    for (const value of [NaN, Infinity, -Infinity, 1e200, 0]) {
      for (const other of [sizes, { B: 2, T: 6, D: 12, H: 4 }]) {
        const poison = data(5, other).map((a) => a.fill(value)) as Data;
        engine.attend(...poison, other);
        expect(engine.attend(...given, sizes)).toEqual(first);
      }
    }
  });

  it("leaves its inputs untouched and its results to the caller", () => {
    const sizes = { B: 2, T: 3, D: 4, H: 2 };
    const given = data(6, sizes);
    const copies = given.map((a) => a.slice());
    const first = engine.attend(...given, sizes);
    const kept = { output: first.output.slice(), weights: first.weights.slice() };
    engine.attend(...data(7, sizes), sizes);
    expect(given).toEqual(copies);
    expect(first).toEqual(kept);
    expect(first.output.buffer.byteLength).toBe(first.output.byteLength);
  });

  it("takes a batch of nothing", () => {
    const sizes = { B: 0, T: 3, D: 4, H: 2 };
    expect(engine.attend(...data(8, sizes), sizes).output).toHaveLength(0);
  });
});

describe("the engine's memory", () => {
  const large = { B: 4, T: 64, D: 64, H: 4 };

  it("grows to the largest shape and not further, in a thousand calls of changing shapes", () => {
    const engine = newEngine();
    engine.attend(...data(1, large), large);
    const bytes = engine.memoryBytes;
    for (let n = 0; n < 1000; n++) {
      const sizes = { B: 1 + (n % 4), T: 1 + (n % 13), D: 4 * (1 + (n % 5)), H: 1 + (n % 2) };
      const given = data(n, sizes);
      const { output } = engine.attend(...given, sizes);
      if (n % 100 === 0) expect(distance(output, referenceForward(...given, sizes).output)).toBeLessThan(1e-12);
    }
    engine.attend(...data(1, large), large);
    expect(engine.memoryBytes).toBe(bytes);
  });

  it("takes no more than a small shape needs", () => {
    const engine = newEngine();
    const small = { B: 1, T: 3, D: 4, H: 2 };
    engine.attend(...data(1, small), small);
    expect(engine.memoryBytes).toBe(65536);
  });

  it("refuses a shape that cannot fit, with the bytes it takes, before it grows; the next call works", () => {
    const engine = newEngine();
    const small = { B: 1, T: 3, D: 4, H: 2 };
    const given = data(1, small);
    const before = engine.attend(...given, small);
    const bytes = engine.memoryBytes;
    for (const { B, T, D, H } of [
      { B: 1, T: 30_000, D: 1, H: 1 },
      { B: 16, T: 1_000_000, D: 64, H: 64 },
    ]) {
      const shape = `(B, T, D) = (${B}, ${T}, ${D}) with nHeads=${H}`;
      let message = "";
      try {
        engine.attend(...given, { B, T, D, H });
      } catch (error) {
        expect(error).toBeInstanceOf(ValueError);
        message = String((error as Error).message);
      }
      const [start, takes] = message.split(", which takes ");
      expect(start).toBe(`Cannot compute attention: x must fit in memory, got ${shape}`);
      expect(takes).toMatch(/^[0-9]+ bytes$/);
      expect(Number.parseInt(takes, 10) / (B * H * T * T * 8)).toBeCloseTo(1, 2);
      expect(engine.memoryBytes).toBe(bytes);
      expect(engine.attend(...given, small)).toEqual(before);
    }
  });

  it("refuses a shape whose results cannot be allocated; the next call works", () => {
    const engine = newEngine();
    const small = { B: 2, T: 3, D: 4, H: 2 };
    const given = data(1, small);
    const before = engine.attend(...given, small);
    const slice = vi.spyOn(Float64Array.prototype, "slice").mockImplementation(() => {
      throw new RangeError("Array buffer allocation failed");
    });
    expect(() => engine.attend(...given, small)).toThrow(
      "Cannot compute attention: x must fit in memory, got (B, T, D) = (2, 3, 4) with nHeads=2, which takes 480 bytes",
    );
    slice.mockRestore();
    expect(engine.attend(...given, small)).toEqual(before);
  });
});

describe("without WebAssembly", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  it.each([
    ["WebAssembly is missing", undefined],
    [
      "its SIMD is missing",
      {
        Module: class {
          constructor() {
            throw new Error("Wasm SIMD unsupported");
          }
        },
      },
    ],
  ])("multiHeadAttention goes through the steps where %s", async (_, standIn) => {
    vi.stubGlobal("WebAssembly", standIn);
    vi.resetModules();
    const { theEngine: engineThere } = await import("../../src/attention/engine/engine.js");
    const { attentionSteps, multiHeadAttention } = await import("../../src/index.js");
    expect(engineThere()).toBeUndefined();
    const given = inputs(9, 2, 3, 8);
    const [output, weights] = multiHeadAttention(...given, 2);
    const steps = attentionSteps(...given, 2);
    expect(output.data).toEqual(steps.output.data);
    expect(weights.data).toEqual(steps.weights.data);
  });
});
