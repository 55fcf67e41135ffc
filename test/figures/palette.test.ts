import { describe, expect, test } from "vitest";
import { channels, headColor, headColors, inkOn, luminance, paper, tint } from "../../src/figures/palette.js";

// Machado, Oliveira and Fernandes (2009), severity 1; rows give linear red, green and blue.
const sight = {
  "all three cones": [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
};

/** L*a*b* of a colour as seen through `matrix`. */
function seen(color: string, matrix: readonly number[]): number[] {
  const linear = channels(color).map((value) => ((value / 255 + 0.055) / 1.055) ** 2.4);
  const [r, g, b] = [0, 3, 6].map((at) => {
    const sum = matrix[at] * linear[0] + matrix[at + 1] * linear[1] + matrix[at + 2] * linear[2];
    return Math.min(1, Math.max(0, sum));
  });
  const [x, y, z] = [
    (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
    0.2126 * r + 0.7152 * g + 0.0722 * b,
    (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
  ].map(Math.cbrt);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

describe("the head colours", () => {
  test.each(Object.entries(sight))("are eight, all apart, with %s", (_, matrix) => {
    expect(new Set(headColors).size).toBe(8);
    for (const [at, one] of headColors.entries()) {
      for (const other of headColors.slice(at + 1)) {
        const distance = Math.hypot(...seen(one, matrix).map((value, axis) => value - seen(other, matrix)[axis]));
        expect(distance, `${one} and ${other}`).toBeGreaterThan(20);
      }
    }
  });

  test("repeat from head 8 on", () => {
    expect(headColor(0)).toBe(headColors[0]);
    expect(headColor(13)).toBe(headColors[5]);
  });

  test("carry text of a contrast of at least 4.5", () => {
    for (const color of [...headColors, ...headColors.map((one) => tint(one, 0.5))]) {
      const [light, dark] = [luminance(color) + 0.05, luminance(inkOn(color)) + 0.05].sort((a, b) => b - a);
      expect(light / dark, color).toBeGreaterThan(4.5);
    }
  });
});

test("tint mixes a colour with the paper", () => {
  expect(tint("#000000", 0)).toBe(paper);
  expect(tint("#0A0B0C", 1)).toBe("#0A0B0C");
});
