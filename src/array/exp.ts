// e^x by + - * alone, so that its bits are the same on every machine: the last digit of Math.exp may differ between them.
// x = k·ln 2 + r with |r| ≤ ln 2 / 2, so e^x = 2^k · e^r, and e^r is its Taylor series. At most one unit of the last place
// from the true value.

import { timesPowerOfTwo } from "./binary.js";

const LN2_HIGH = 2977044471 / 2 ** 32; // the first 32 bits of ln 2: k times this is exact
const LN2_LOW = 1.9082149292705877e-10;

/** 1/2!, 1/3!, ... 1/13!, last term first. */
const COEFFICIENTS: readonly number[] = [
  6227020800, 479001600, 39916800, 3628800, 362880, 40320, 5040, 720, 120, 24, 6, 2,
].map((factorial) => 1 / factorial);

/** e to the power of x. */
export function exp(x: number): number {
  if (Number.isNaN(x)) return x;
  if (x < -746) return 0;
  if (x > 710) return Infinity;
  const k = Math.round(x * Math.LOG2E);
  const r = x - k * LN2_HIGH - k * LN2_LOW;
  let sum = 0;
  for (let n = 0; n < COEFFICIENTS.length; n++) sum = sum * r + COEFFICIENTS[n];
  return timesPowerOfTwo(1 + (r + r * r * sum), k);
}
