// The lesson's two examples, with its printed text to the letter.

import { describe, expect, it } from "vitest";
import {
  arange,
  array,
  eye,
  merge_heads,
  mergeHeads,
  multi_head_attention,
  multiHeadAttention,
  split_heads,
  splitHeads,
} from "../../src/index.js";

describe("the lesson's examples", () => {
  it("splits arange(8) into two heads", () => {
    const x = arange(8).reshape(1, 2, 4);
    const split = splitHeads(x, 2);
    expect(split.toString()).toBe("[[[[0. 1.]\n   [4. 5.]]\n\n  [[2. 3.]\n   [6. 7.]]]]");
    expect(mergeHeads(split)).toEqual(x);
  });

  it("attends with identity matrices and prints the lesson's digits", () => {
    const x = array([
      [
        [1, 0, 0, 1],
        [0, 2, 1, 0],
        [1, 1, 1, 1],
      ],
    ]);
    const [output, weights] = multiHeadAttention(x, eye(4), eye(4), eye(4), eye(4), 2);
    expect(output.toString()).toBe(
      `[[[0.80222419 0.79666372 0.59888791 0.80222419]
  [0.23208206 1.72252957 0.80222419 0.59888791]
  [0.59888791 1.20333628 0.75174492 0.75174492]]]`,
    );
    expect(weights.toString()).toBe(
      `[[[[0.40111209 0.19777581 0.40111209]
   [0.04538836 0.76791794 0.1866937 ]
   [0.19777581 0.40111209 0.40111209]]

  [[0.40111209 0.19777581 0.40111209]
   [0.19777581 0.40111209 0.40111209]
   [0.24825508 0.24825508 0.50348984]]]]`,
    );
  });

  it("has the lesson's own names for the same functions", () => {
    expect(split_heads).toBe(splitHeads);
    expect(merge_heads).toBe(mergeHeads);
    expect(multi_head_attention).toBe(multiHeadAttention);
  });
});
