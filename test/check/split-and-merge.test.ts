import { describe, expect, it } from "vitest";
import { arange, zeros } from "../../src/array/make.js";
import type { NDArray } from "../../src/array/ndarray.js";
import { mergeHeads, splitHeads } from "../../src/attention/heads.js";
import { checkMergeHeads } from "../../src/check/check-merge-heads.js";
import { checkSplitHeads } from "../../src/check/check-split-heads.js";
import { flat, line } from "./flat.js";

type Rows = number[][];

const straightSplit = (x: NDArray, nHeads: number) => x.reshape(x.shape[0], nHeads, x.shape[1], x.shape[2] / nHeads);
const straightMerge = (x: NDArray) => x.reshape(x.shape[0], x.shape[2], -1);

describe("the text of a verdict", () => {
  it("of a split without the transpose", () => {
    expect(String(checkSplitHeads(straightSplit))).toMatchInlineSnapshot(`
      "checkSplitHeads: not passed: no transpose
      The transpose is missing: x goes straight to the shape (B, H, T, d), so a head takes whole tokens,
      one after the other, and not its own columns of every token.
      First wrong  [b, h, t, j] = [0, 0, 1, 0]: expected 12, found 4
      Where from   head 0, token 1 should hold token 1's features 0..3 and holds token 0's features 4..7
      Tried with   x = arange(120).reshape(2, 5, 12), nHeads = 3
      Cannot tell  one head (H = 1), one token (T = 1) and a round trip through a merge that makes the
                   same mistake: a test of this kind passes all the same
      Hint         A reshape never moves a number: it only cuts axes and joins neighbours. Into which axes
                   can it cut D, and where do they stand then?"
    `);
  });
  it("of a merge that does not undo the split", () => {
    expect(String(checkMergeHeads(straightMerge))).toMatchInlineSnapshot(`
      "checkMergeHeads: not passed: a merge that does not undo the split
      The transpose back is missing: the heads go straight from (B, H, T, d) to (B, T, D), so a row of the
      result is made of several tokens of one head, and not of one token's parts from every head.
      First wrong  [b, t, c] = [0, 0, 4]: expected 20, found 4
      Where from   token 0, columns 4..7 should hold head 1, token 0's features 0..3 and hold head 0,
                   token 1's features 0..3
      Tried with   x = arange(120).reshape(2, 3, 5, 4)
      Cannot tell  one head (H = 1), one token (T = 1) and a round trip after a split that makes the same
                   mistake: a test of this kind passes all the same
      Hint         A reshape never moves a number, it can only join neighbouring axes. Which two axes have
                   to be neighbours, in which order?"
    `);
  });
  it("of a right split", () => {
    expect(String(checkSplitHeads(splitHeads))).toMatchInlineSnapshot(`
      "checkSplitHeads: passed
      Right on 10 inputs of different shapes, given as NDArray, which it left as they were.
      Note  It throws where nHeads does not divide D, as it should."
    `);
  });
  it("of a split with the heads behind the tokens", () => {
    const split = (x: NDArray, nHeads: number) => x.reshape(x.shape[0], x.shape[1], nHeads, x.shape[2] / nHeads);
    expect(String(checkSplitHeads(split))).toMatchInlineSnapshot(`
      "checkSplitHeads: not passed: no transpose after the reshape
      The transpose is missing: the features are cut into heads, but the axes are still (B, T, H, d).
      Shape        (2, 5, 3, 4) = (B, T, H, d), wanted (B, H, T, d) = (2, 3, 5, 4)
      First wrong  [b, h, t, j] = [0, 0, 1, 0]: expected 12, found 4
      Where from   head 0, token 1 should hold token 1's features 0..3 and holds token 0's features 4..7
      Tried with   x = arange(120).reshape(2, 5, 12), nHeads = 3
      Cannot tell  a round trip through a merge that makes the same mistake: a test of this kind passes
                   all the same
      Hint         All numbers are there, cut at the right places. Which axis has to come before which?"
    `);
  });
});

describe("a split and a merge that are wrong alike", () => {
  it("undo each other, and neither passes", () => {
    const x = arange(120).reshape(2, 5, 12);
    expect(straightMerge(straightSplit(x, 3)).toArray()).toEqual(x.toArray());
    expect(checkSplitHeads(straightSplit).passed).toBe(false);
    expect(checkMergeHeads(straightMerge).passed).toBe(false);
    expect(line(checkSplitHeads(straightSplit), "Cannot tell")).toContain("a round trip");
    expect(line(checkMergeHeads(straightMerge), "Cannot tell")).toContain("a round trip");
  });
});

describe("what one head hides", () => {
  it("does not pass, and the verdict says that one head cannot tell", () => {
    const verdict = checkSplitHeads(straightSplit);
    expect(verdict.mistake).toBe("no transpose");
    expect(line(verdict, "Cannot tell")).toContain("one head (H = 1), one token (T = 1)");
  });
});

describe("interleaved heads", () => {
  it("are told with the columns that head 0 holds", () => {
    const verdict = checkSplitHeads((x: Rows[], nHeads: number) =>
      x.map((rows) =>
        Array.from({ length: nHeads }, (_, h) => rows.map((row) => row.filter((_, c) => c % nHeads === h))),
      ),
    );
    expect(verdict.mistake).toBe("interleaved heads");
    expect(line(verdict, "Where from")).toBe(
      "head 0, token 0 should hold token 0's features 0..3 and holds token 0's features 0, 3, 6 and 9",
    );
    expect(line(verdict, "Tried with")).toBe("x = arange(120).reshape(2, 5, 12), nHeads = 3 (nested arrays)");
    expect(line(verdict, "Also")).toMatch(/^There is no error where nHeads does not divide D/);
  });
});

describe("a D that nHeads does not divide", () => {
  const floor = (x: Rows[], nHeads: number) => {
    const d = Math.floor(x[0][0].length / nHeads);
    return x.map((rows) => Array.from({ length: nHeads }, (_, h) => rows.map((row) => row.slice(h * d, h * d + d))));
  };
  it("must give an error", () => {
    const verdict = checkSplitHeads(floor);
    expect(verdict.mistake).toBe("no error for a D that nHeads does not divide");
    expect(flat(verdict)).toContain("D = 12 with nHeads = 5 should throw one");
  });
  it("is not refused by returning an error, or by printing one", () => {
    const returned = (x: NDArray, nHeads: number) => (x.shape[2] % nHeads ? new Error("no") : splitHeads(x, nHeads));
    expect(checkSplitHeads(returned).mistake).toBe("no error for a D that nHeads does not divide");
  });
});

describe("numbers that were computed", () => {
  it("are not read as addresses: heads added instead of joined, or one added to each number", () => {
    const added = checkMergeHeads((x: NDArray) => {
      const heads = [...Array(x.shape[1]).keys()];
      const sum = (b: number, t: number, j: number) => heads.reduce((total, h) => total + x.get(b, h, t, j), 0);
      return zeros([x.shape[0], x.shape[2], x.shape[3]]).map((_, b, t, j) => sum(b, t, j));
    });
    expect(added.mistake).toBe("heads added instead of joined");
    expect(line(added, "Where from") ?? "").not.toContain("and hold head");
    const shifted = checkSplitHeads((x: NDArray, nHeads: number) => splitHeads(x, nHeads).map((value) => value + 1));
    expect(line(shifted, "Where from")).toBe(
      "head 0, token 0 should hold token 0's features 0..3 and holds computed numbers, such as 1, where x's are only to be moved",
    );
  });
});

describe("mistakes without a name", () => {
  const unknown: [name: string, index: (x: NDArray, b: number, t: number, c: number) => number, from: string][] = [
    [
      "columns moved by one",
      (x, b, t, c) => x.get(b, t, (c + 1) % x.shape[2]),
      "head 0, token 0 should hold token 0's features 0..3 and holds token 0's features 1..4",
    ],
    [
      "tokens in reverse order",
      (x, b, t, c) => x.get(b, x.shape[1] - 1 - t, c),
      "head 0, token 0 should hold token 0's features 0..3 and holds token 4's features 0..3",
    ],
    [
      "signs changed",
      (x, b, t, c) => -x.get(b, t, c),
      "head 0, token 0 should hold token 0's features 0..3 and holds numbers that x does not hold, such as -1",
    ],
    [
      "batches in reverse order",
      (x, b, t, c) => x.get(x.shape[0] - 1 - b, t, c),
      "head 0, token 0 should hold token 0's features 0..3 and holds batch 1, token 0's features 0..3",
    ],
  ];
  for (const [name, number, from] of unknown) {
    it(`still get the first wrong number and where it comes from: ${name}`, () => {
      const verdict = checkSplitHeads((x: NDArray, nHeads: number) => {
        const d = x.shape[2] / nHeads;
        return splitHeads(x, nHeads).map((_, b, h, t, j) => number(x, b, t, h * d + j));
      });
      expect(verdict.passed).toBe(false);
      expect(verdict.mistake).toBe(undefined);
      expect(line(verdict, "First wrong")).toMatch(/^\[b, h, t, j\] = \[0, \d, 0, \d\]: expected \d+, found -?\d+$/);
      expect(line(verdict, "Where from")).toBe(from);
    });
  }
});

describe("numbers", () => {
  it("that are not written are told from wrong ones", () => {
    const split = (x: NDArray, nHeads: number) =>
      splitHeads(x, nHeads).map((v, _b, h) => (h === nHeads - 1 && h > 0 ? 0 : v));
    const merge = (x: NDArray) => mergeHeads(x).map((v, _b, _t, c) => (c >= 8 ? 0 : v));
    for (const verdict of [checkSplitHeads(split), checkMergeHeads(merge)]) {
      expect(verdict.mistake).toBe("places left at 0");
      expect(line(verdict, "Where from")).toMatch(/holds? zeros$/);
    }
  });
  it("that were computed are not taken for moved ones, though a mean of arange is in arange", () => {
    const mean = (x: NDArray) => {
      const [B, H, T, d] = x.shape;
      const heads = Array.from({ length: H }, (_, h) => h);
      return zeros([B, T, d]).map((_, b, t, j) => heads.reduce((sum, h) => sum + x.get(b, h, t, j) / H, 0));
    };
    expect(line(checkMergeHeads(mean), "Where from")).toMatch(/hold computed numbers, such as 20/);
  });
  it("that were moved say where they came from though others are NaN", () => {
    const late = (x: NDArray, nHeads: number) =>
      splitHeads(x, nHeads).map((_, b, h, t, j) => x.at(b, t).data[(h + 1) * (x.shape[2] / nHeads) + j] * 1);
    const verdict = checkSplitHeads(late);
    expect(verdict.mistake).toBe("NaN");
    expect(line(verdict, "Where from")).toMatch(/holds token 0's features 4..7$/);
  });
  it("that overflow a small type are no state kept", () => {
    const bytes = (x: NDArray, nHeads: number) => ({
      shape: splitHeads(x, nHeads).shape,
      data: Uint8Array.from(splitHeads(x, nHeads).data),
    });
    expect(checkSplitHeads(bytes).mistake).toBe(undefined);
  });
});

describe("letters", () => {
  it("are not given to a shape that would have a second batch or head axis", () => {
    const short = (x: NDArray, nHeads: number) =>
      splitHeads(x, nHeads)
        .toArray()
        .map((heads) => heads.slice(0, -1));
    expect(line(checkSplitHeads(short), "Shape")).toBe("(2, 2, 5, 4), wanted (B, H, T, d) = (2, 3, 5, 4)");
  });
});

describe("the form of the result", () => {
  const split = (x: NDArray, nHeads: number) => splitHeads(x, nHeads);
  const forms: [mistake: string, fn: unknown, says: string][] = [
    ["nothing returned", () => {}, "It returned nothing; wanted is an array of shape (B, H, T, d)."],
    ["wrong shape", (x: NDArray, n: number) => split(x, n).data, "The numbers and their order are right."],
    ["wrong shape", (x: NDArray, n: number) => split(x, n).reshape(-1, x.shape[1], x.shape[2] / n), "(B·H, T, d)"],
    ["wrong shape", () => zeros([1, 2, 2, 2]), "wanted (B, H, T, d) = (2, 3, 5, 4)"],
    ["no array of numbers", (x: NDArray, n: number) => String(split(x, n)), "It returned the string [[[["],
    [
      "no array of numbers",
      (x: NDArray, n: number) => JSON.parse(JSON.stringify(split(x, n).toArray()), (_, v) => (v === 7 ? "7" : v)),
      'must be a number, got "7"',
    ],
    ["no array of numbers", (x: Rows[]) => x.map((rows) => rows.map(() => new Array(4))), "got undefined"],
    ["NaN", (x: NDArray, n: number) => split(x, n).map((v, _b, h) => (h === 1 ? Number.NaN : v)), "NaN"],
    [
      "float32 precision",
      (x: NDArray, n: number) => ({ shape: split(x, n).shape, data: Float32Array.from(split(x, n).data) }),
      "expected 1.414213562, found 1.414213538",
    ],
    ["whole numbers only", (x: NDArray, n: number) => split(x, n).map(Math.floor), "The fractions are lost"],
    ["rounded numbers", (x: NDArray, n: number) => split(x, n).map((v) => Number(v.toFixed(3))), "to 3 decimal places"],
    ["one list in several places", sharedRows, "One and the same list"],
  ];
  for (const [mistake, fn, says] of forms) {
    it(`is told: ${mistake}: ${says}`, () => {
      const verdict = checkSplitHeads(fn);
      expect(verdict.mistake).toBe(mistake);
      expect(flat(verdict)).toContain(says);
    });
  }
});

/** Writes to rows that Array.fill has put everywhere. */
function sharedRows(x: Rows[], nHeads: number): unknown {
  const d = x[0][0].length / nHeads;
  const out: Rows[][] = x.map((rows) => Array(nHeads).fill(rows.map(() => Array(d).fill(0))));
  for (const [b, rows] of x.entries()) {
    for (const [t, row] of rows.entries()) {
      for (const [c, value] of row.entries()) out[b][Math.floor(c / d)][t][c % d] = value;
    }
  }
  return out;
}
