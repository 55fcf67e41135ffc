import { describe, expect, it } from "vitest";
import { array, type NDArrayLike } from "../../src/array/array.js";
import { zeros } from "../../src/array/make.js";
import { matmul } from "../../src/array/matmul.js";
import { NDArray } from "../../src/array/ndarray.js";
import { softmax } from "../../src/array/softmax.js";
import { attentionSteps, multiHeadAttention } from "../../src/attention/attention.js";
import { mergeHeads, splitHeads } from "../../src/attention/heads.js";
import { checkMergeHeads } from "../../src/check/check-merge-heads.js";
import { checkMultiHeadAttention } from "../../src/check/check-multi-head-attention.js";
import { checkSplitHeads } from "../../src/check/check-split-heads.js";
import { flat } from "./flat.js";

type Row = number[];
type Rows = Row[];
type Batches = Rows[];
type Heads = Batches[];

/** d, or an error where nHeads does not divide D. */
function width(D: number, nHeads: number): number {
  if (D % nHeads !== 0) throw new RangeError(`${nHeads} heads do not divide ${D}`);
  return D / nHeads;
}

const splits: Record<string, unknown> = {
  "our own": splitHeads,
  "reshape and transpose": (x: NDArray, nHeads: number) => {
    const [B, T, D] = x.shape;
    return x.reshape(B, T, nHeads, D / nHeads).transpose(0, 2, 1, 3);
  },
  "loops over nested arrays": (x: Batches, nHeads: number) => {
    const d = width(x[0][0].length, nHeads);
    const out: Heads = [];
    for (let b = 0; b < x.length; b++) {
      out.push([]);
      for (let h = 0; h < nHeads; h++) {
        out[b].push([]);
        for (let t = 0; t < x[b].length; t++) {
          out[b][h].push([]);
          for (let j = 0; j < d; j++) out[b][h][t].push(x[b][t][h * d + j]);
        }
      }
    }
    return out;
  },
  "slices of rows": (x: Batches, nHeads: number) => {
    const d = width(x[0][0].length, nHeads);
    return x.map((rows) => Array.from({ length: nHeads }, (_, h) => rows.map((row) => row.slice(h * d, (h + 1) * d))));
  },
  "views of rows that are typed arrays": (x: Float64Array[][], nHeads: number) => {
    const d = width(x[0][0].length, nHeads);
    return x.map((rows) =>
      Array.from({ length: nHeads }, (_, h) => rows.map((row) => row.subarray(h * d, (h + 1) * d))),
    );
  },
  "nested arrays in, typed rows out": (x: Batches, nHeads: number) => {
    const d = width(x[0][0].length, nHeads);
    return x.map((rows) =>
      Array.from({ length: nHeads }, (_, h) => rows.map((row) => Float64Array.from(row.slice(h * d, (h + 1) * d)))),
    );
  },
  "flat index arithmetic": (x: NDArray, nHeads: number) => {
    const [B, T, D] = x.shape;
    const d = width(D, nHeads);
    const data = new Float64Array(x.size);
    for (let i = 0; i < data.length; i++) {
      const [j, t, h, b] = [i % d, Math.floor(i / d) % T, Math.floor(i / (d * T)) % nHeads, Math.floor(i / (T * D))];
      data[i] = x.data[(b * T + t) * D + h * d + j];
    }
    return { shape: [B, nHeads, T, d], data };
  },
  "a view that shares the input's memory": (x: NDArray, nHeads: number) => {
    const [B, T, D] = x.shape;
    const d = width(D, nHeads);
    return { shape: [B, nHeads, T, d], data: x.data, strides: [T * D, d, D, 1] };
  },
  recursion: (x: Batches, nHeads: number) => {
    const d = width(x[0][0].length, nHeads);
    const heads = (rows: Rows, h: number): Batches =>
      h === nHeads ? [] : [rows.map((row) => row.slice(h * d, h * d + d)), ...heads(rows, h + 1)];
    return x.map((rows) => heads(rows, 0));
  },
  generators: (x: Batches, nHeads: number) => {
    const d = width(x[0][0].length, nHeads);
    function* heads(rows: Rows) {
      for (let h = 0; h < nHeads; h++) yield rows.map((row) => row.slice(h * d, h * d + d));
    }
    return [...x].map((rows) => [...heads(rows)]);
  },
  "a class with getters": (x: NDArray, nHeads: number) => {
    const heads = splitHeads(x, nHeads);
    class Tensor {
      get shape() {
        return heads.shape;
      }
      get data() {
        return heads.data;
      }
    }
    return new Tensor();
  },
  "products with zeros and ones, as einsum does": (x: NDArray, nHeads: number) => {
    const [B, , D] = x.shape;
    const d = width(D, nHeads);
    const pick = (h: number) => zeros([D, d]).map((_, c, j) => Number(c === h * d + j));
    return Array.from({ length: B }, (_, b) => Array.from({ length: nHeads }, (_, h) => matmul(x.at(b), pick(h))));
  },
  "a copy that it takes apart": (x: Batches, nHeads: number) => {
    const d = width(x[0][0].length, nHeads);
    return structuredClone(x).map((rows) => Array.from({ length: nHeads }, () => rows.map((row) => row.splice(0, d))));
  },
  "loops that would not end on an NDArray": (x: Batches, nHeads: number) => {
    const d = width(x[0][0].length, nHeads);
    const out: Heads = [];
    for (let b = 0; b !== x.length; b++) {
      out.push(Array.from({ length: nHeads }, (_, h) => x[b].map((row) => row.slice(h * d, h * d + d))));
    }
    return out;
  },
  "an empty array for an NDArray": (x: Batches, nHeads: number) => {
    const out: Heads = [];
    for (let b = 0; b < x.length; b++) {
      const d = width(x[b][0].length, nHeads);
      out.push(Array.from({ length: nHeads }, (_, h) => x[b].map((row) => row.slice(h * d, h * d + d))));
    }
    return out;
  },
  "NDArrays alone": (x: unknown, nHeads: number) => {
    if (!(x instanceof NDArray)) throw new TypeError("an NDArray, please");
    return splitHeads(x, nHeads);
  },
  "nested arrays alone": (x: NDArrayLike, nHeads: number) =>
    Array.isArray(x) ? splitHeads(x, nHeads).toArray() : undefined,
  "a string thrown": (x: NDArray, nHeads: number) => {
    if (x.shape[2] % nHeads) throw "does not divide";
    return splitHeads(x, nHeads);
  },
  "a bound function": splitHeads.bind(null),
  "a proxy": new Proxy(splitHeads, {}),
  arguments: function () {
    // biome-ignore lint/complexity/noArguments: a learner may
    return splitHeads(arguments[0], arguments[1]);
  },
};

const merges: Record<string, unknown> = {
  "our own": mergeHeads,
  "transpose and reshape": (x: NDArray) => {
    const [B, H, T, d] = x.shape;
    return x.transpose(0, 2, 1, 3).reshape(B, T, H * d);
  },
  "rows joined by flatMap": (x: Heads) => x.map((heads) => heads[0].map((_, t) => heads.flatMap((rows) => rows[t]))),
  "rows joined one head after the other": (x: Heads) =>
    x.map((heads) =>
      heads.reduce<Rows>(
        (joined, rows) => joined.map((row, t) => [...row, ...rows[t]]),
        heads[0].map(() => []),
      ),
    ),
  "typed rows filled by set": (x: Heads) =>
    x.map((heads) =>
      heads[0].map((row, t) => {
        const out = new Float64Array(heads.length * row.length);
        for (const [h, rows] of heads.entries()) out.set(rows[t], h * row.length);
        return out;
      }),
    ),
};

function product(a: Rows, b: Rows): Rows {
  return a.map((row) => b[0].map((_, j) => row.reduce((sum, value, k) => sum + value * b[k][j], 0)));
}

function backwards(a: Rows, b: Rows): Rows {
  return a.map((row) => b[0].map((_, j) => row.reduceRight((sum, value, k) => sum + value * b[k][j], 0)));
}

function shares(row: Row): Row {
  const most = Math.max(...row);
  const exps = row.map((value) => Math.exp(value - most));
  const sum = exps.reduce((a, b) => a + b);
  return exps.map((value) => value / sum);
}

function nested(multiply: (a: Rows, b: Rows) => Rows) {
  return (x: Batches, wQ: Rows, wK: Rows, wV: Rows, wO: Rows, nHeads: number) => {
    const d = x[0][0].length / nHeads;
    const weights: Heads = [];
    const output: Batches = [];
    for (const tokens of x) {
      const [q, k, v] = [wQ, wK, wV].map((w) => multiply(tokens, w));
      const joined: Rows = tokens.map(() => []);
      const maps: Batches = [];
      for (let h = 0; h < nHeads; h++) {
        const columns = (rows: Rows) => rows.map((row) => row.slice(h * d, h * d + d));
        const keys = columns(k);
        const scores = multiply(
          columns(q),
          keys[0].map((_, c) => keys.map((key) => key[c])),
        );
        const map = scores.map((row) => shares(row.map((score) => score / Math.sqrt(d))));
        maps.push(map);
        for (const [t, row] of multiply(map, columns(v)).entries()) joined[t].push(...row);
      }
      weights.push(maps);
      output.push(multiply(joined, wO));
    }
    return { output, weights };
  };
}

type Arrays = [x: NDArray, wQ: NDArray, wK: NDArray, wV: NDArray, wO: NDArray, nHeads: number];

const attentions: Record<string, unknown> = {
  "our own": multiHeadAttention,
  "our own steps": (...inputs: Arrays) => {
    const { output, weights } = attentionSteps(...inputs);
    return { output, weights };
  },
  "loops over nested arrays": nested(product),
  "sums from the last term to the first": nested(backwards),
  "a tuple of nested arrays": (...inputs: Parameters<ReturnType<typeof nested>>) => {
    const { output, weights } = nested(product)(...inputs);
    return [output, weights];
  },
  "the heads' parts of the output added up": (...[x, wQ, wK, wV, wO, H]: Arrays) => {
    const [B, T, D] = x.shape;
    const d = D / H;
    const columns = (w: NDArray, h: number) => zeros([D, d]).map((_, i, j) => w.get(i, h * d + j));
    const rows = (w: NDArray, h: number) => zeros([d, D]).map((_, i, j) => w.get(h * d + i, j));
    const weights: NDArray[][] = [];
    let output: NDArray = zeros([B, T, D]);
    for (let b = 0; b < B; b++) {
      weights.push([]);
      for (let h = 0; h < H; h++) {
        const tokens = x.at(b);
        const mixed = matmul(columns(wQ, h), columns(wK, h).transpose()); // x (W_q W_kᵀ) xᵀ
        const scores = matmul(matmul(tokens, mixed), tokens.transpose());
        const map = softmax(scores.map((score) => score / Math.sqrt(d)));
        weights[b].push(map);
        const part = matmul(map, matmul(tokens, matmul(columns(wV, h), rows(wO, h))));
        output = output.map((sum, batch, t, c) => (batch === b ? sum + part.get(t, c) : sum));
      }
    }
    return [output, weights];
  },
  "the logarithm of the sum of exponentials, and half of the scale on each side": (
    ...[x, wQ, wK, wV, wO, H]: Arrays
  ) => {
    const quarter = (x.shape[2] / H) ** -0.25;
    const scale = (heads: NDArray) => heads.map((value) => value * quarter);
    const [q, k, v] = [wQ, wK, wV].map((w) => splitHeads(matmul(x, w), H));
    const scores = matmul(scale(q), scale(k).transpose(0, 1, 3, 2)).toArray() as Heads;
    const logged = (row: Row) => {
      const most = Math.max(...row);
      const log = most + Math.log(row.reduce((sum, score) => sum + Math.exp(score - most), 0));
      return row.map((score) => Math.exp(score - log));
    };
    const weights = array(scores.map((heads) => heads.map((rows) => rows.map(logged))));
    return [matmul(mergeHeads(matmul(weights, v)), wO), weights];
  },
};

describe("a right answer passes, however it is written", () => {
  for (const [name, fn] of Object.entries(splits)) {
    it(`split: ${name}`, () => expect(flat(checkSplitHeads(fn))).toContain("checkSplitHeads: passed"));
  }
  for (const [name, fn] of Object.entries(merges)) {
    it(`merge: ${name}`, () => expect(flat(checkMergeHeads(fn))).toContain("checkMergeHeads: passed"));
  }
  for (const [name, fn] of Object.entries(attentions)) {
    it(`attention: ${name}`, () =>
      expect(flat(checkMultiHeadAttention(fn))).toContain("checkMultiHeadAttention: passed"));
  }
});

describe("a right attention's notes", () => {
  it("say that the textbook softmax is not finite at 1e200", () => {
    expect(flat(checkMultiHeadAttention(nested(product)))).toMatch(/Note {2}For activations of 1e200 it is not finite/);
  });
  it("say that ours is", () => {
    expect(flat(checkMultiHeadAttention(multiHeadAttention))).toMatch(
      /Note {2}It is right for activations of 1e200 too/,
    );
  });
  it("say that a D that nHeads does not divide gives no error", () => {
    expect(flat(checkMultiHeadAttention(nested(product)))).toMatch(/Note {2}It gives no error for a D/);
    expect(flat(checkMultiHeadAttention(multiHeadAttention))).not.toMatch(/no error for a D/);
  });
});
