import { describe, expect, test } from "vitest";
import { arange } from "../../src/array/make.js";
import { randomNormal } from "../../src/array/random.js";
import { splitHeads } from "../../src/attention/heads.js";
import { headSplit } from "../../src/figures/head-split.js";
import { expectInside, jsonSize, layoutOf, textsOf, tracesOf } from "./reading.js";

const x = arange(120).reshape(2, 5, 12);

function strings(values: unknown): string[][] {
  return (values as number[][]).map((row) => row.map(String));
}

describe("headSplit()", () => {
  test("shows x, then each head's block with the numbers of splitHeads", () => {
    const [top, ...blocks] = tracesOf(headSplit(x, 3, { batch: 1 }));
    const split = splitHeads(x, 3);
    expect(top.text).toEqual(strings(x.at(1).toArray()));
    expect(blocks.map(({ text }) => text)).toEqual([0, 1, 2].map((h) => strings(split.at(1, h).toArray())));
  });

  test("gives a column and its block the same colour", () => {
    const [top, ...blocks] = tracesOf(headSplit(x, 3));
    expect(top.z[0]).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
    for (const [head, { z }] of blocks.entries()) {
      expect(new Set(z.flat())).toEqual(new Set([head]));
    }
  });

  test("shows on request the wrong order, each number in the colour of its own head", () => {
    const wrong = tracesOf(headSplit(x, 3, { batch: 1, wrong: true })).slice(4);
    const reshaped = x.reshape(2, 3, 5, 4);
    expect(wrong.map(({ text }) => text)).toEqual([0, 1, 2].map((h) => strings(reshaped.at(1, h).toArray())));
    expect(wrong[0].z.map((row) => row[0])).toEqual([0, 1, 2, 0, 1]);
    expect(wrong[1].hovertext?.[0][0]).toBe("x[1, 1, 8] = 80<br>of head 2<br>here should be x[1, 0, 4] = 64");
  });

  test("counts the misplaced numbers, and says where sizes hide the mistake", () => {
    const small = headSplit(arange(8).reshape(1, 2, 4), 2, { wrong: true });
    expect(small.alt).toContain("4 of 8 numbers stand in the wrong place");
    expect(textsOf(headSplit(x, 1, { wrong: true })).join()).toContain("with T=5 and H=1 this mistake does not show");
  });

  test("says on hover where a number comes from and where it goes", () => {
    const [top, , second] = tracesOf(headSplit(x, 3));
    expect(top.hovertext?.[2][5]).toBe("x[0, 2, 5] = 29<br>of head 1<br>goes to split[0, 1, 2, 1]");
    expect(second.hovertext?.[2][1]).toBe("x[0, 2, 5] = 29<br>of head 1<br>stands at split[0, 1, 2, 1]");
  });

  test("shows one move alone: the reshape keeps the order of reading, the transpose gathers the heads", () => {
    const cut = x.reshape(2, 5, 3, 4);
    const [whole, ...byToken] = tracesOf(headSplit(x, 3, { batch: 1, move: "reshape" }));
    expect(whole.text).toEqual(strings(x.at(1).toArray()));
    expect(byToken.map(({ text }) => text)).toEqual([0, 1, 2, 3, 4].map((t) => strings(cut.at(1, t).toArray())));
    expect(byToken[0].z).toEqual([0, 1, 2].map((head) => [head, head, head, head]));

    const blocks = tracesOf(headSplit(x, 3, { batch: 1, move: "transpose" })).slice(5);
    const split = splitHeads(x, 3);
    expect(blocks.map(({ text }) => text)).toEqual([0, 1, 2].map((h) => strings(split.at(1, h).toArray())));
    expect(blocks.map(({ z }) => new Set(z.flat()))).toEqual([new Set([0]), new Set([1]), new Set([2])]);
  });

  test("says what a move leaves out, and prints numbers only where they fit", () => {
    const large = headSplit(randomNormal([1, 16, 64], 3), 8, { move: "transpose" });
    expect(large.alt).toContain("Left out: tokens 9 to 15.");
    const wide = headSplit(randomNormal([1, 16, 64], 3), 2, { move: "transpose" });
    expect(wide.alt).toContain("Left out: columns from 16 on in each head.");
    expectInside(large);
    expectInside(wide);
    expect(tracesOf(headSplit(randomNormal([1, 8, 64], 3), 4, { move: "reshape" }))[0].text).toBeUndefined();
  });

  test.each(["reshape", "transpose"] as const)("shows in a %s all tokens that have room, ten of them too", (move) => {
    const figure = headSplit(arange(160).reshape(1, 10, 16), 4, { move });
    expect(figure.alt).not.toContain("Left out");
    expect(tracesOf(figure).flatMap(({ text = [] }) => text.flat())).toHaveLength(2 * 10 * 16);
    expectInside(figure);
    expect(layoutOf(figure).height).toBeLessThan(1000);
  });

  test("refuses a move that is none", () => {
    expect(() => headSplit(x, 3, { move: "swap" as "reshape" })).toThrow(
      'Cannot draw the split into heads: move must be "reshape" or "transpose", got "swap"',
    );
  });

  test("refuses what it would not follow: a wrong that is no answer, and a move with a wrong", () => {
    expect(() => headSplit(x, 3, { wrong: "yes" } as object)).toThrow(
      'Cannot draw the split into heads: wrong must be true or false, got "yes"',
    );
    expect(() => headSplit(x, 3, { move: "reshape", wrong: true })).toThrow(
      'move and wrong must not both be given, got move="reshape" and wrong=true; draw a figure of each',
    );
    expect(headSplit(x, 3, { move: "reshape", wrong: false }).alt).toContain("The reshape");
  });

  test("writes tokens beside the rows, as text", () => {
    const texts = textsOf(headSplit(x, 3, { tokens: ["<b>", "", "a", "a", "$x$"] }));
    expect(texts).toEqual(expect.arrayContaining(["&lt;b&gt;", "(empty)", "&#36;x&#36;"]));
    expect(texts.filter((text) => text === "a")).toHaveLength(4);
  });

  test("says in words what is seen", () => {
    expect(headSplit(x, 3).alt).toBe(
      "x of shape (B, T, D) = (2, 5, 12), batch 0, split into 3 heads of 4 columns: " +
        "head 0 holds columns 0 to 3, head 1 columns 4 to 7, and so on.",
    );
  });

  test.each([
    [[1, 1, 1], 1],
    [[1, 16, 64], 8],
    [[1, 3, 256], 64],
    [[1, 2, 512], 1],
    [[1, 40, 8], 2],
    [[1, 2, 64], 64],
  ])("fits the page for x of shape %j with %i heads", (shape, nHeads) => {
    const figure = headSplit(randomNormal(shape, 1), nHeads, { wrong: true });
    expectInside(figure);
    expect(jsonSize(figure)).toBeLessThan(180_000);
  });

  test("says what it leaves out", () => {
    expect(headSplit(randomNormal([1, 40, 256], 1), 64).alt).toContain("Left out: heads 32 to 63, tokens 16 to 39.");
  });

  test("says one head and one column where there is one", () => {
    expect(headSplit([[[1, 2]]], 1).alt).toContain("split into 1 head of 2 columns: head 0 holds columns 0, 1.");
    expect(headSplit([[[1, 2]]], 2).alt).toContain("2 heads of 1 column: head 0 holds column 0, head 1 column 1.");
    expect(headSplit(randomNormal([1, 17, 2], 1), 1).alt).toContain("Left out: token 16.");
  });

  test("names of 64 heads as many as have room", () => {
    const { annotations } = layoutOf(headSplit(randomNormal([1, 16, 64], 1), 64));
    const plates = annotations.filter(({ bgcolor }) => bgcolor !== undefined);
    expect(plates.map(({ text }) => Number(text))).toEqual(Array.from({ length: 32 }, (_, at) => 2 * at));
    plates.slice(1).forEach(({ x }, at) => {
      expect(x - plates[at].x).toBeGreaterThan(18);
    });
  });

  test("keeps a move of many blocks low, with cells of colour in the place of numbers", () => {
    const figure = headSplit(randomNormal([1, 16, 64], 1), 8, { move: "transpose" });
    expect((figure.layout as { height: number }).height).toBeLessThan(1000);
    expect(tracesOf(figure)[0].text).toBeUndefined();
  });

  test("refuses an option that it does not have, and a list of batches", () => {
    expect(() => headSplit(x, 3, { head: 1 } as object)).toThrow(
      'Cannot draw the split into heads: an option must be one of batch, tokens, wrong, move, got "head"',
    );
    expect(() => headSplit(x, 3, { batch: [0] } as object)).toThrow(
      "batch must be a number from 0 to 1, got an array of length 1",
    );
  });

  test("refuses what splitHeads refuses, with the same words", () => {
    expect(() => headSplit(x, 5)).toThrow("Cannot split heads: nHeads must divide D, got nHeads=5 for D=12");
    expect(() => headSplit([1, 2], 1)).toThrow("x must have 3 axes (B, T, D)");
    expect(() => headSplit(x, 3, { batch: 2 })).toThrow(
      "Cannot draw the split into heads: batch must be from 0 to 1, got 2 for B=2",
    );
  });
});
