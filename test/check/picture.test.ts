import { describe, expect, it } from "vitest";
import { zeros } from "../../src/array/make.js";
import type { NDArray } from "../../src/array/ndarray.js";
import { attentionSteps, multiHeadAttention } from "../../src/attention/attention.js";
import { splitHeads } from "../../src/attention/heads.js";
import { checkMergeHeads } from "../../src/check/check-merge-heads.js";
import { checkMultiHeadAttention } from "../../src/check/check-multi-head-attention.js";
import { checkSplitHeads } from "../../src/check/check-split-heads.js";

const straight = (x: NDArray, nHeads: number) => x.reshape(x.shape[0], nHeads, x.shape[1], x.shape[2] / nHeads);

interface Heatmap {
  readonly z: readonly (readonly number[])[];
  readonly text: readonly (readonly string[])[];
}

describe("the picture of a verdict", () => {
  it("shows the learner's heads beside the right ones, each number in the colour of its head", () => {
    const { picture } = checkSplitHeads(straight);
    expect(picture?.alt).toBe(
      "Your split beside the right one: 48 of 60 numbers are wrong, the first at [0, 0, 1, 0].",
    );
    const blocks = picture?.data as readonly Heatmap[];
    expect(blocks.length).toBe(6);
    expect(blocks[0].text.slice(0, 3)).toEqual([
      ["0", "1", "2", "3"],
      ["4", "5", "6", "7"],
      ["8", "9", "10", "11"],
    ]);
    expect(blocks[0].z.map(([head]) => head)).toEqual([0, 1, 2, 0, 1]);
    expect(blocks[3].z.flat().every((head) => head === 0)).toBe(true);
    expect(blocks[4].text[1]).toEqual(["16", "17", "18", "19"]);
  });

  it("gives no head's colour to places left at 0", () => {
    const { picture } = checkSplitHeads((x: NDArray, nHeads: number) => {
      const [B, T, D] = x.shape;
      return zeros([B, nHeads, T, D / nHeads]).map((_, b, h, t, j) => (h === 0 ? x.get(b, t, j) : 0));
    });
    const [first, second] = (picture?.data ?? []) as readonly Heatmap[];
    expect(first.z[1]).toEqual([0, 0, 0, 0]);
    expect(second.z.flat().every((color) => color === 8)).toBe(true);
  });

  it("frames the wrong numbers of a split or a merge", () => {
    const split = checkSplitHeads(straight);
    expect(split.picture?.layout).toMatchObject({ shapes: { length: 48 } });
    const merge = checkMergeHeads((x: NDArray) => x.reshape(x.shape[0], x.shape[2], -1));
    expect(merge.picture?.layout).toMatchObject({ shapes: { length: 48 } });
  });

  it("shows the weights if they are wrong, else the output", () => {
    const weights = checkMultiHeadAttention((...inputs: Parameters<typeof attentionSteps>) => {
      const { output, weights } = attentionSteps(...inputs);
      return [output, weights.map((weight) => weight / 2)];
    });
    expect(weights.picture?.alt).toMatch(/^Your weights beside the right one: 75 of 75 numbers are wrong/);
    const output = checkMultiHeadAttention((...inputs: Parameters<typeof attentionSteps>) => {
      const { merged, weights } = attentionSteps(...inputs);
      return [merged, weights];
    });
    expect(output.picture?.alt).toMatch(/^Your output beside the right one: 60 of 60 numbers are wrong/);
  });

  it("is there for a right answer, too", () => {
    expect(checkSplitHeads(splitHeads).picture?.alt).toBe("Your split beside the right one: every number is right.");
    expect(checkMultiHeadAttention(multiHeadAttention).picture?.alt).toContain("every number is right");
  });

  it("is there for any shape that can be drawn, and no error for one that cannot", () => {
    const shapes = [
      [120],
      [10, 12],
      [2, 5, 12],
      [2, 5, 3, 4],
      [3, 2, 5, 4],
      [60, 2],
      [2, 1, 1, 1],
      [0],
      [1, 2, 3, 4, 5],
    ];
    for (const shape of shapes) {
      const verdict = checkSplitHeads(() => zeros(shape));
      expect(verdict.passed).toBe(false);
      expect(verdict.picture === undefined).toBe(shape.includes(0) || shape.length > 4);
    }
  });

  it("draws NaN, infinities and huge numbers", () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, -1e300]) {
      const split = checkSplitHeads((x: NDArray, nHeads: number) => splitHeads(x, nHeads).map(() => value));
      expect(split.picture?.alt).toContain("60 of 60 numbers are wrong");
      const attention = checkMultiHeadAttention((...inputs: Parameters<typeof multiHeadAttention>) =>
        multiHeadAttention(...inputs).map((part) => (part as NDArray).map(() => value)),
      );
      expect(attention.picture?.alt).toContain("75 of 75 numbers are wrong");
    }
  });

  it("is not there where nothing came back", () => {
    expect(checkSplitHeads(() => undefined).picture).toBe(undefined);
    expect(checkSplitHeads(3).picture).toBe(undefined);
  });

  it("goes out with the text", () => {
    const verdict = checkSplitHeads(straight);
    const bundle = verdict.toBundle();
    expect(bundle["text/plain"]).toBe(String(verdict));
    expect(Object.keys(bundle)).toContain("text/html");
    expect(Object.keys(checkSplitHeads(3).toBundle())).toEqual(["text/plain"]);
  });
});
