// How the engine's memory is laid out for one shape: each array's place, in the order of attend's parameters
// (assembly/index.ts). Some arrays are a little longer than what they hold: whole strips are read and whole tiles written.

import type { Sizes } from "../input.js";

/** Byte addresses of the arrays, and the byte after the last. */
export interface Layout {
  readonly x: number;
  readonly wQ: number;
  readonly wK: number;
  readonly wV: number;
  readonly wO: number;
  readonly packed: number;
  readonly strips: number;
  readonly aligned: number;
  readonly q: number;
  readonly k: number;
  readonly v: number;
  readonly values: number;
  readonly scores: number;
  readonly weights: number;
  readonly output: number;
  readonly end: number;
}

/** The layout from `start` on. Its numbers are exact however large the shape, so `end` tells whether it can exist. */
export function layOut({ B, T, D, H }: Sizes, start: number): Layout {
  let end = start;
  const place = (numbers: number): number => {
    const address = Math.ceil(end / 64) * 64;
    end = address + numbers * 8;
    return address;
  };
  const fours = (n: number): number => Math.ceil(n / 4) * 4;
  const rows = fours(B * T);
  const strip = D + 3;
  return {
    x: place(rows * D + 2),
    wQ: place(D * D + 4),
    wK: place(D * D + 4),
    wV: place(D * D + 4),
    wO: place(D * D + 4),
    packed: place(fours(D) * D),
    strips: place(rows * strip),
    aligned: place(B === 1 || T % 4 === 0 ? 0 : B * fours(T) * strip),
    q: place(B * fours(T) * strip),
    k: place(B * fours(T) * strip),
    v: place(rows * D + 4),
    values: place(T * fours(D / H)),
    scores: place(5 * fours(T) * 4),
    weights: place((B * H * T + 3) * T + 2),
    output: place(rows * D + 4),
    end,
  };
}
