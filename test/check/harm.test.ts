import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import type { NDArray } from "../../src/array/ndarray.js";
import { multiHeadAttention } from "../../src/attention/attention.js";
import { mergeHeads, splitHeads } from "../../src/attention/heads.js";
import { checkMergeHeads } from "../../src/check/check-merge-heads.js";
import { checkMultiHeadAttention } from "../../src/check/check-multi-head-attention.js";
import { checkSplitHeads } from "../../src/check/check-split-heads.js";
import { flat } from "./flat.js";

describe("a function that throws", () => {
  it("gets its message as plain text on one line", () => {
    const verdict = checkSplitHeads(() => {
      throw new Error(`<b>\n\u001b[31m\u202e${"x".repeat(500)}`);
    });
    expect(verdict.mistake).toBe("an exception");
    expect(flat(verdict)).toContain("It threw an error: Error: <b> U+001B[31mU+202Exxx");
    expect(flat(verdict)).not.toMatch(/\p{Cc}(?<!\n)/u);
    expect(flat(verdict).length).toBeLessThan(700);
  });
  it("gets each message if the forms of x lead to different ones", () => {
    const verdict = checkSplitHeads((x: NDArray) => x.reshape(7));
    expect(flat(verdict)).toContain('with NDArray, "ValueError: Cannot reshape');
    expect(flat(verdict)).toContain('and with nested arrays, "TypeError: x.reshape is not a function"');
  });
  const odd = [null, undefined, 3, "no", Symbol("s"), {}, Object.create(null), { message: 3 }];
  const trap = new Proxy(
    {},
    {
      get() {
        throw new Error("trap");
      },
      getPrototypeOf() {
        throw new Error("trap");
      },
    },
  );
  it("may throw anything", () => {
    for (const thrown of [...odd, trap]) {
      const verdict = checkSplitHeads(() => {
        throw thrown;
      });
      expect(verdict.mistake).toBe("an exception");
    }
  });
  it("may return anything", () => {
    const self: unknown[] = [];
    self.push(self);
    const results = [...odd, trap, self, new Array(4e9), { shape: [1e9, 1e9], data: [] }, { shape: null, data: null }];
    for (const result of results) {
      expect(checkSplitHeads(() => result).passed).toBe(false);
      expect(checkMultiHeadAttention(() => result).passed).toBe(false);
      expect(checkMultiHeadAttention(() => [result, result]).passed).toBe(false);
    }
  });
  it("may run out of stack", () => {
    const deeper = (): number => deeper() + 1;
    expect(flat(checkSplitHeads(deeper))).toContain("RangeError: Maximum call stack size exceeded");
  });
});

describe("a function that loops without end", () => {
  it("is stopped", () => {
    const verdict = checkSplitHeads(() => {
      for (;;);
    });
    expect(verdict.mistake).toBe("a loop without end");
  });
  it("is stopped where it tries to go on", () => {
    const verdict = checkMergeHeads(() => {
      for (;;) {
        try {
          for (;;);
        } finally {
        }
      }
    });
    expect(verdict.mistake).toBe("a loop without end");
  });
  it("is named by what it does before, if it loops on some input only", () => {
    const straight = (x: NDArray, nHeads: number) => {
      if (x.shape[1] === 16) for (;;);
      return x.reshape(x.shape[0], nHeads, x.shape[1], x.shape[2] / nHeads);
    };
    expect(checkSplitHeads(straight).mistake).toBe("no transpose");
    expect(flat(checkSplitHeads(straight))).toContain("Also         It was stopped after 2 seconds");
  });
});

describe("an async function", () => {
  it("is not called", () => {
    const called = vi.fn();
    const fn = async () => called();
    async function* generator() {
      yield called();
    }
    for (const one of [fn, fn.bind(null), generator]) {
      expect(checkSplitHeads(one).mistake).toBe("an async function");
    }
    expect(called).not.toHaveBeenCalled();
  });
  it("in disguise is told, and its rejection troubles nobody", async () => {
    const rejected = vi.fn();
    process.on("unhandledRejection", rejected);
    const verdicts = [
      checkSplitHeads(() => Promise.reject(new Error("no"))),
      checkMultiHeadAttention(() => Promise.reject(new Error("no"))),
      checkMultiHeadAttention(() => [Promise.reject(new Error("no")), Promise.reject(new Error("no"))]),
    ];
    await new Promise((done) => setTimeout(done, 20));
    process.off("unhandledRejection", rejected);
    expect(rejected).not.toHaveBeenCalled();
    expect(verdicts.map(({ mistake }) => mistake)).toEqual([
      "an async function",
      "an async function",
      "no array of numbers",
    ]);
  });
});

describe("what is not a function", () => {
  it("is told", () => {
    for (const value of [undefined, null, 3, "splitHeads", [[1]], {}, Symbol("s")]) {
      const verdict = checkSplitHeads(value);
      expect(verdict.mistake).toBe("not a function");
      expect(flat(verdict)).toContain("checkSplitHeads(yourFunction)");
    }
  });
});

describe("a function that changes its arguments", () => {
  it("is told which", () => {
    const split = (x: NDArray, nHeads: number) => {
      const heads = splitHeads(x, nHeads);
      x.data.fill(0);
      return heads;
    };
    expect(checkSplitHeads(split).mistake).toBe("inputs changed");
    const attention = (...[x, wQ, wK, wV, wO, nHeads]: Parameters<typeof multiHeadAttention>) => {
      const result = multiHeadAttention(x, wQ, wK, wV, wO, nHeads);
      (wO as NDArray).data[3] = 1;
      return result;
    };
    const verdict = checkMultiHeadAttention(attention);
    expect(verdict.mistake).toBe("inputs changed");
    expect(flat(verdict)).toContain("It changes what it was given: wO.");
  });
  it("is told for nested arrays as well", () => {
    const merge = (x: number[][][][]) =>
      x.map((heads) =>
        heads[0].map((row, t) => {
          for (const rows of heads.slice(1)) row.push(...rows[t]);
          return row;
        }),
      );
    expect(checkMergeHeads(merge).mistake).toBe("inputs changed");
  });
});

describe("a function with a memory", () => {
  it("that adds to its first result is told", () => {
    const all: number[][][] = [];
    const verdict = checkMergeHeads((x: NDArray) => {
      all.push(...(mergeHeads(x).toArray() as number[][][]));
      return all;
    });
    expect(verdict.mistake).toBe("state kept between calls");
  });
  it("that returns its first result again is told", () => {
    let first: NDArray | undefined;
    const verdict = checkSplitHeads((x: NDArray, nHeads: number) => {
      first ??= splitHeads(x, nHeads);
      return first;
    });
    expect(verdict.mistake).toBe("state kept between calls");
  });
  it("that writes each result to one buffer passes", () => {
    const buffer = new Float64Array(16 * 16 * 64);
    const verdict = checkMergeHeads((x: NDArray) => {
      const merged = mergeHeads(x);
      buffer.set(merged.data);
      return { shape: merged.shape, data: buffer, offset: 0 };
    });
    expect(verdict.passed).toBe(true);
  });
});

describe("a check", () => {
  it("keeps the function's printing off the page, and gives the console back", () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    const before = console.log;
    checkSplitHeads((x: NDArray, nHeads: number) => {
      console.log("here");
      return splitHeads(x, nHeads);
    });
    checkSplitHeads(() => {
      console.log("here");
      throw new Error("no");
    });
    expect(console.log).toBe(before);
    expect(log).not.toHaveBeenCalled();
    log.mockRestore();
  });
  it("leaves nothing on the global object", () => {
    const before = Reflect.ownKeys(globalThis).length;
    checkSplitHeads(splitHeads);
    expect(Reflect.ownKeys(globalThis).length).toBe(before);
  });
  it("can run inside another", () => {
    const verdict = checkSplitHeads((x: NDArray, nHeads: number) => {
      if (!checkMergeHeads(mergeHeads).passed) throw new Error("the inner check failed");
      return splitHeads(x, nHeads);
    });
    expect(verdict.passed).toBe(true);
  });
  it("gives a verdict that prints as its text", () => {
    const verdict = checkMergeHeads(mergeHeads);
    expect(inspect(verdict)).toBe(String(verdict));
    expect(verdict).toMatchObject({ passed: true, mistake: undefined });
  });
});
