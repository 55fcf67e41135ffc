// Float64 arithmetic without its limits of size: the exponent of a number stands beside it. Rounding is float64's own, so
// what would not have left float64 on the way has the very same bits. Slow, and needed only where products like
// 1e200 · 1e200 leave float64.

import { exponentOf, timesPowerOfTwo } from "../array/binary.js";

/** mantissa · 2^exponent, with 0.5 ≤ |mantissa| < 1, or zero. */
export interface Wide {
  readonly mantissa: number;
  readonly exponent: number;
}

export const ZERO: Wide = { mantissa: 0, exponent: 0 };

/** A finite float64, exactly. */
export function widen(x: number): Wide {
  return wide(x, 0);
}

/** The nearest float64: ±Infinity where the number is too large, 0 where it is too small. */
export function narrow({ mantissa, exponent }: Wide): number {
  return timesPowerOfTwo(mantissa, exponent);
}

export function add(a: Wide, b: Wide): Wide {
  if (a.mantissa === 0) return b;
  if (b.mantissa === 0) return a;
  const [large, small] = a.exponent >= b.exponent ? [a, b] : [b, a];
  return wide(large.mantissa + timesPowerOfTwo(small.mantissa, small.exponent - large.exponent), large.exponent);
}

export function subtract(a: Wide, b: Wide): Wide {
  return add(a, { mantissa: -b.mantissa, exponent: b.exponent });
}

export function multiply(a: Wide, b: Wide): Wide {
  return wide(a.mantissa * b.mantissa, a.exponent + b.exponent);
}

/** Division by an ordinary number. */
export function divide(a: Wide, b: number): Wide {
  return wide(a.mantissa / b, a.exponent);
}

/** Whether a > b. */
export function isGreater(a: Wide, b: Wide): boolean {
  return subtract(a, b).mantissa > 0;
}

/** x · 2^exponent. */
function wide(x: number, exponent: number): Wide {
  const shift = exponentOf(x);
  return x === 0 ? ZERO : { mantissa: timesPowerOfTwo(x, -shift), exponent: exponent + shift };
}
