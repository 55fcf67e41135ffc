// A float64 taken apart and put together again: x = mantissa · 2^exponent. All exact, but for what float64 cannot hold.

const float = new Float64Array(1);
const words = new Uint32Array(float.buffer);
const HIGH = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0; // which word holds sign and exponent

/** The exponent for which |x| = m · 2^exponent with m in [0.5, 1); 0 for zero. */
export function exponentOf(x: number): number {
  if (x === 0) return 0;
  float[0] = x;
  const biased = (words[HIGH] >>> 20) & 0x7ff;
  return biased === 0 ? exponentOf(x * 2 ** 54) - 54 : biased - 1022;
}

/** x · 2^exponent, rounded once; ±Infinity or 0 where float64 ends. */
export function timesPowerOfTwo(x: number, exponent: number): number {
  let value = x;
  let rest = exponent;
  for (; rest > 1000 && Number.isFinite(value); rest -= 1000) value *= powerOfTwo(1000);
  for (; rest < -1000 && value !== 0; rest += 1000) value *= powerOfTwo(-1000);
  return value * powerOfTwo(Math.min(Math.max(rest, -1000), 1000));
}

function powerOfTwo(exponent: number): number {
  words[1 - HIGH] = 0;
  words[HIGH] = (exponent + 1023) << 20;
  return float[0];
}
