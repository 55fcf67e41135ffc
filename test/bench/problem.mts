// The inputs that every competitor gets: seeded, so the same on every machine and in every run.

/** Sizes and row-major inputs of one call of multi-head attention. */
export interface Problem {
  readonly B: number;
  readonly T: number;
  readonly D: number;
  readonly H: number;
  readonly x: Float64Array;
  readonly wQ: Float64Array;
  readonly wK: Float64Array;
  readonly wV: Float64Array;
  readonly wO: Float64Array;
}

export type Shape = readonly [B: number, T: number, D: number, H: number];

/** Numbers in [-1, 1), the matrices' divided by √D so that scores stay moderate. */
export function problem([B, T, D, H]: Shape): Problem {
  let state = 1;
  const numbers = (size: number, scale: number): Float64Array =>
    Float64Array.from({ length: size }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return (state / 2 ** 31 - 1) * scale;
    });
  const matrix = (): Float64Array => numbers(D * D, Math.sqrt(3 / D));
  return { B, T, D, H, x: numbers(B * T * D, 1), wQ: matrix(), wK: matrix(), wV: matrix(), wO: matrix() };
}

/** Floating-point operations of one call, softmax aside. */
export function operations({ B, T, D }: Problem): number {
  return 8 * B * T * D * D + 4 * B * T * T * D;
}
