import { describe, expect, test } from "vitest";
import { randomNormal } from "../../src/array/random.js";
import { attentionSteps } from "../../src/attention/attention.js";
import { luminance } from "../../src/figures/palette.js";
import { colors, plainShade, shadeOf } from "../../src/figures/shades.js";
import { stepFigures } from "../../src/figures/step-figures.js";
import { textsOf, tracesOf } from "./reading.js";

const { NEGATIVE_INFINITY, POSITIVE_INFINITY, NaN: nan } = Number;

describe("the shades of a cell", () => {
  test.each([undefined, 0, 1, 2, 3, 4, 5, 6, 7, 8])("are the darker the larger the number, for head %s", (head) => {
    const numbers = [-2, -1, -0.5, 0, 0.5, 1.2, 2];
    const light = numbers.map((value) => luminance(colors[shadeOf(value, 2, head)]));
    expect(light).toEqual([...light].sort((a, b) => b - a));
    expect(new Set(light).size).toBe(7);
    // Without colour too, the step at 0 is seen.
    const [below, above] = [-1e-9, 0].map((value) => luminance(colors[shadeOf(value, 2, head)]) + 0.05);
    expect(below / above).toBeGreaterThan(1.2);
  });

  test("are the same greys below 0 for every head, and no grey from 0 on", () => {
    expect(shadeOf(-1, 2, 3)).toBe(shadeOf(-1, 2, undefined));
    expect(shadeOf(0, 2, 3)).not.toBe(shadeOf(0, 2, 2));
    expect(shadeOf(0, 0, 3)).toBe(shadeOf(0, 2, 3));
  });

  test("end at the infinities, and have a place of their own for nan", () => {
    expect(shadeOf(POSITIVE_INFINITY, 2, 1)).toBe(shadeOf(2, 2, 1));
    expect(shadeOf(NEGATIVE_INFINITY, 2, 1)).toBe(shadeOf(-2, 2, 1));
    expect(shadeOf(NEGATIVE_INFINITY, 0, 1)).toBe(shadeOf(-2, 2, 1));
    const others = [-2, -1, 0, 1, 2].map((value) => shadeOf(value, 2, 1));
    expect([...others, plainShade(1)]).not.toContain(shadeOf(nan, 2, 1));
  });
});

test("the darkest cells of a row of scores are the ones with the most weight", () => {
  const x = randomNormal([2, 10, 16], 1);
  const [wQ, wK, wV, wO] = [2, 3, 4, 5].map((seed) => randomNormal([16, 16], seed).map((value) => value / 4));
  const steps = { ...attentionSteps(x, wQ, wK, wV, wO, 4), x, wQ, wK, wV, wO };
  for (const batch of [0, 1]) {
    const figures = stepFigures(steps, { batch });
    for (const figure of figures) {
      expect(textsOf(figure).join(" ")).toContain("The darker a cell, the larger its number; pale grey is below 0.");
      expect(textsOf(figure)).toEqual(expect.arrayContaining(["below 0", "above 0"]));
    }
    const blocks = tracesOf(figures[4]).filter(({ z }) => z.length === 10 && z[0].length === 10);
    expect(blocks).toHaveLength(4);
    for (const [head, { z }] of blocks.entries()) {
      for (const [i, row] of z.entries()) {
        const scores = steps.scores.at(batch, head, i).data;
        const picked = scores.indexOf(Math.max(...scores));
        const light = row.map((place) => luminance(colors[place ?? 0]));
        expect(light[picked]).toBe(Math.min(...light));
      }
    }
  }
});
