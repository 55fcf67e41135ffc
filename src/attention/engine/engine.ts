// The WebAssembly engine as a function: compiles the module at the first call, copies arrays in, results out.
// What it computes, and how, is told in assembly/.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ValueError } from "../../array/errors.js";
import type { Forward } from "../forward.js";
import type { Sizes } from "../input.js";
import { type Layout, layOut } from "./layout.js";
import { type Place, rescueStripSums, rescueStripWeights } from "./rescue-strip.js";
import { type Exports, instantiate } from "./webassembly.js";

/** The compiled module: the same place from src and from dist, which lie side by side. */
export const FILE: string = join(__dirname, "../../../dist/attention/engine/attention.wasm");

const PAGE = 65536;
const MOST_PAGES = 65536;

/** Attention in WebAssembly; holds its memory, which grows to the largest shape seen. */
export class Engine {
  readonly #exports: Exports;
  readonly #start: number;
  #numbers: Float64Array;
  #sizes: Sizes = { B: 0, T: 0, D: 0, H: 0 };
  #layout: Layout;

  constructor(bytes: Uint8Array) {
    const place = (b: number, h: number, i: number): Place => ({ ...this.#sizes, ...this.#layout, b, h, i });
    this.#exports = instantiate(bytes, {
      weights: (b, h, i, strip, inverse) =>
        rescueStripWeights(this.#numbers, place(b, h, i), strip >>> 0, inverse >>> 0),
      sums: (b, h, i, strip, sums) => rescueStripSums(this.#numbers, place(b, h, i), strip >>> 0, sums >>> 0),
    });
    this.#start = this.#exports.heapBase();
    this.#layout = layOut(this.#sizes, this.#start);
    this.#numbers = new Float64Array(this.#exports.memory.buffer);
  }

  /** How many bytes the engine holds. */
  get memoryBytes(): number {
    return this.#exports.memory.buffer.byteLength;
  }

  /**
   * x holds B·T·D numbers, each matrix D·D; none of them is written to.
   *
   * @throws ValueError if memory cannot hold the shape; the engine stays usable
   */
  attend(
    x: Float64Array,
    wQ: Float64Array,
    wK: Float64Array,
    wV: Float64Array,
    wO: Float64Array,
    sizes: Sizes,
  ): Forward {
    const { B, T, D, H } = sizes;
    const at = this.#layOut(sizes);
    const numbers = this.#numbers;
    numbers.set(x, at.x / 8);
    numbers.set(wQ, at.wQ / 8);
    numbers.set(wK, at.wK / 8);
    numbers.set(wV, at.wV / 8);
    numbers.set(wO, at.wO / 8);
    // biome-ignore format: the arguments in the order of attend's parameters
    this.#exports.attend(B, T, D, H, at.x, at.wQ, at.wK, at.wV, at.wO, at.packed, at.strips, at.aligned, at.q, at.k, at.v, at.values, at.scores, at.weights, at.output);
    try {
      return {
        output: numbers.slice(at.output / 8, at.output / 8 + B * T * D),
        weights: numbers.slice(at.weights / 8, at.weights / 8 + B * H * T * T),
      };
    } catch {
      throw tooLarge(sizes, (B * T * D + B * H * T * T) * 8);
    }
  }

  /** The layout for these sizes, in memory that is large enough. */
  #layOut(sizes: Sizes): Layout {
    const { B, T, D, H } = this.#sizes;
    if (sizes.B === B && sizes.T === T && sizes.D === D && sizes.H === H) return this.#layout;
    const layout = layOut(sizes, this.#start);
    const pages = Math.ceil(layout.end / PAGE);
    const missing = pages - this.memoryBytes / PAGE;
    if (missing > 0) {
      if (pages > MOST_PAGES) throw tooLarge(sizes, layout.end);
      try {
        this.#exports.memory.grow(missing);
      } catch {
        throw tooLarge(sizes, layout.end);
      }
      this.#numbers = new Float64Array(this.#exports.memory.buffer);
    }
    this.#sizes = sizes;
    this.#layout = layout;
    return layout;
  }
}

function tooLarge({ B, T, D, H }: Sizes, bytes: number): ValueError {
  return new ValueError(
    `Cannot compute attention: x must fit in memory, got (B, T, D) = (${B}, ${T}, ${D}) with nHeads=${H}, which takes ${bytes} bytes`,
  );
}

let engine: Engine | "not yet" | undefined = "not yet";

/** The engine; undefined where it cannot run: no WebAssembly with SIMD, or no module beside the code. */
export function theEngine(): Engine | undefined {
  if (engine === "not yet") engine = load();
  return engine;
}

function load(): Engine | undefined {
  try {
    return new Engine(readFileSync(FILE));
  } catch {
    return undefined;
  }
}
