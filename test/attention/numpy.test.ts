import { describe, expect, it } from "vitest";
import { attentionSteps, eye, multiHeadAttention, type NDArray } from "../../src/index.js";
import { readFixture } from "../array/fixture.js";
import { inputs } from "./oracle.js";

interface Sizes {
  readonly seed: number;
  readonly B: number;
  readonly T: number;
  readonly D: number;
  readonly H: number;
}
interface Sample {
  readonly step: number;
  readonly largest: number;
  readonly sample: string;
}
interface Fixture {
  readonly cases: readonly (Sizes & { readonly scale: number; readonly output: Sample; readonly weights: Sample })[];
  readonly masks: readonly (Sizes & {
    readonly identity: boolean;
    readonly planted: readonly (readonly [which: number, place: number, value: "nan" | "inf" | "-inf"])[];
    readonly output: string;
    readonly weights: string;
  })[];
}
const fixture = readFixture<Fixture>(__dirname, "attention.json");
const special = { nan: NaN, inf: Infinity, "-inf": -Infinity };

function distance(actual: NDArray, { step, largest, sample }: Sample): number {
  const bytes = Buffer.from(sample, "base64");
  let worst = 0;
  for (let i = 0; 8 * i < bytes.length; i++) {
    worst = Math.max(worst, Math.abs(actual.data[i * step] - bytes.readDoubleLE(8 * i)));
  }
  return worst / largest;
}

function mask({ data }: NDArray): string {
  return Array.from(data, (x) => (Number.isNaN(x) ? "n" : x === Infinity ? "+" : x === -Infinity ? "-" : ".")).join("");
}

describe("multiHeadAttention and attentionSteps against NumPy", () => {
  it.each(fixture.cases)("is within 1e-12 of the largest element for B=$B T=$T D=$D H=$H", (c) => {
    const given = inputs(c.seed, c.B, c.T, c.D, c.scale);
    for (const [output, weights] of [multiHeadAttention(...given, c.H), stepsResult(given, c.H)]) {
      expect(output.shape).toEqual([c.B, c.T, c.D]);
      expect(weights.shape).toEqual([c.B, c.H, c.T, c.T]);
      expect(distance(output, c.output)).toBeLessThan(1e-12);
      expect(distance(weights, c.weights)).toBeLessThan(1e-12);
    }
  });

  it(`has nan and infinities just where NumPy has them, in ${fixture.masks.length} plantings`, () => {
    for (const { seed, B, T, D, H, identity, planted, ...expected } of fixture.masks) {
      const given = inputs(seed, B, T, D);
      if (identity) for (let n = 1; n < 5; n++) given[n] = eye(D) as NDArray;
      for (const [which, place, value] of planted) given[which].data[place] = special[value];
      for (const [output, weights] of [multiHeadAttention(...given, H), stepsResult(given, H)]) {
        expect(mask(output)).toBe(expected.output);
        expect(mask(weights)).toBe(expected.weights);
      }
    }
  });

  it("keeps the bits of every batch that nan and infinities do not touch", () => {
    for (const value of Object.values(special)) {
      const given = inputs(5, 4, 3, 8);
      const [output, weights] = multiHeadAttention(...given, 2);
      given[0].data[1 * 3 * 8 + 5] = value; // batch 1
      const [changed, changedWeights] = multiHeadAttention(...given, 2);
      expect(changed.at(1)).not.toEqual(output.at(1));
      for (const b of [0, 2, 3]) {
        expect(changed.at(b)).toEqual(output.at(b));
        expect(changedWeights.at(b)).toEqual(weights.at(b));
      }
    }
  });
});

function stepsResult(given: ReturnType<typeof inputs>, H: number): [NDArray, NDArray] {
  const { output, weights } = attentionSteps(...given, H);
  return [output, weights];
}
