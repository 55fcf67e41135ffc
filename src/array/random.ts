// Random numbers that are the same on every machine: Blackman and Vigna's xoshiro128** makes even ones out of 32-bit integers,
// and Marsaglia's polar method normal ones out of those. The logarithm is our own, since the last digit of Math.log may differ
// between machines; + - * / and square roots are exact everywhere.

import { describe, typeError, ValueError } from "./errors.js";
import { toShape } from "./make.js";
import { adopt, type NDArray } from "./ndarray.js";
import { allocate } from "./shape.js";

/**
 * An array of random numbers from the standard normal distribution (mean 0, standard deviation 1).
 * The same seed gives the same numbers, everywhere.
 *
 * @param shape the length of each axis, or one number for a single axis
 * @param seed a whole number from 0
 * @throws ValueError if the shape or the seed is not of whole numbers from 0
 * @example
 * const wQ = randomNormal([4, 4], 1).map((value) => value / 2); // standard deviation 1/2
 */
export function randomNormal(shape: number, seed?: number): NDArray<[number]>;
export function randomNormal<S extends readonly number[]>(shape: S, seed?: number): NDArray<S>;
export function randomNormal(shape: number | readonly number[], seed = 0): NDArray {
  const axes = toShape(shape, "make random numbers");
  if (typeof seed !== "number")
    throw typeError(`Cannot make random numbers: seed must be a number, got ${describe(seed)}`);
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new ValueError(`Cannot make random numbers: seed must be a whole number from 0, got ${seed}`);
  }
  const data = allocate(axes, "make random numbers");
  const uniform = uniformNumbers(seed);
  for (let i = 0; i < data.length; i += 2) {
    // A point in the unit disc: its radius gives the size of two numbers, its direction shares it between them.
    let x: number;
    let y: number;
    let square: number;
    do {
      x = 2 * uniform() - 1;
      y = 2 * uniform() - 1;
      square = x * x + y * y;
    } while (square >= 1 || square === 0);
    const factor = Math.sqrt((-2 * log(square)) / square);
    data[i] = x * factor;
    if (i + 1 < data.length) data[i + 1] = y * factor;
  }
  return adopt(axes, data);
}

/** Numbers evenly spread over [0, 1), multiples of 2^-53. */
function uniformNumbers(seed: number): () => number {
  let word = seed | 0;
  const splitmix = (): number => {
    word = (word + 0x9e3779b9) | 0;
    let z = Math.imul(word ^ (word >>> 16), 0x21f0aaad);
    z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
    return z ^ (z >>> 15);
  };
  let a = splitmix();
  let b = splitmix();
  let c = splitmix() ^ Math.floor(seed / 2 ** 32); // the seed's high bits
  let d = splitmix() | 1; // never all zeros
  const next = (): number => {
    const times5 = Math.imul(b, 5);
    const result = Math.imul((times5 << 7) | (times5 >>> 25), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result;
  };
  for (let i = 0; i < 8; i++) next();
  return () => ((next() >>> 5) * 2 ** 26 + (next() >>> 6)) * 2 ** -53;
}

/** The natural logarithm over (0, 1): x = m·2^k with m in [√½, √2), ln m = 2·artanh((m-1)/(m+1)) by its series. */
function log(x: number): number {
  let m = x;
  let k = 0;
  for (; m < Math.SQRT1_2; k--) m *= 2;
  const z = (m - 1) / (m + 1);
  let sum = 0;
  for (let n = 23; n >= 1; n -= 2) sum = sum * z * z + 1 / n;
  return 2 * z * sum + k * Math.LN2;
}
