// Float64 arithmetic without its limits of size: a number is mantissa · 2^exponent, with the exponent beside it. Rounding is
// float64's own, so a result that float64 can hold on the way and at the end has the very same bits. Slow, and needed only
// where a product like 1e200 · 1e200 leaves float64.

import { exponentOf, timesPowerOfTwo } from "../array/binary.js";

/** A number of any size: mantissa · 2^exponent, the mantissa in (-1, 1). */
export interface Wide {
  readonly mantissa: number;
  readonly exponent: number;
}

/** Any finite float64, exactly. */
export function widen(x: number, exponent = 0): Wide {
  const shift = exponentOf(x);
  return { mantissa: timesPowerOfTwo(x, -shift), exponent: exponent + shift };
}

/** The nearest float64: ±Infinity where it is too large, 0 where it is too small. */
export function narrow({ mantissa, exponent }: Wide): number {
  return timesPowerOfTwo(mantissa, exponent);
}

export function add(a: Wide, b: Wide): Wide {
  if (a.mantissa === 0) return b;
  if (b.mantissa === 0) return a;
  const [large, small] = a.exponent >= b.exponent ? [a, b] : [b, a];
  return widen(large.mantissa + timesPowerOfTwo(small.mantissa, small.exponent - large.exponent), large.exponent);
}

export function subtract(a: Wide, b: Wide): Wide {
  return add(a, { mantissa: -b.mantissa, exponent: b.exponent });
}

export function multiply(a: Wide, b: Wide): Wide {
  return widen(a.mantissa * b.mantissa, a.exponent + b.exponent);
}

/** Division by an ordinary number. */
export function divide(a: Wide, b: number): Wide {
  return widen(a.mantissa / b, a.exponent);
}

/** Whether a > b. */
export function isGreater(a: Wide, b: Wide): boolean {
  return subtract(a, b).mantissa > 0;
}
