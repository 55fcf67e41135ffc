// e^x · 2^64 for two numbers at a time, x ≤ 0, within 0.55 units of the last place. So much larger, no power is subnormal,
// where numbers lose digits; the softmax divides by a sum that is as much too large.
//
// x = (n/256)·ln 2 + r with |r| ≤ ln 2 / 512, so e^x = 2^(n/256) · e^r. The first factor is a power of two times one of
// 256 tabulated numbers; of e^r four terms are enough. (The method of Tang, "Table-driven implementation of the exponential
// function", 1989.) It comes in two halves, for a loop each: a processor looks ahead only so far, and one long chain of
// dependent steps would leave it waiting.

/**
 * For each j from 0 to 255, two numbers: what the rounding of 2^(j/256) to float64 left over, relative to it; and the
 * bits of 2^(j/256) · 2^64 less j·2^44.
 */
const TABLE = memory.data(256 * 16, 16);

/** Constants of the first half, each twice. */
const FIRST = memory.data<f64>(
  [
    -746, -746, // e^x is 0 from here down
    369.3299304675746, 369.3299304675746, // 256 / ln 2
    6755399441055744, 6755399441055744, // 1.5 · 2^52: adding it rounds to a whole number, held in the low bits
    0.0027076061737716373, 0.0027076061737716373, // ln 2 / 256 to 33 bits, so that n times it is exact
    2.9064910585985925e-13, 2.9064910585985925e-13, // and the rest of it
  ],
  16,
);
/** Constants of the second half. */
const SECOND = memory.data<f64>(
  [
    0.5, 0.5, // 1/2!
    0.16666667995434195, 0.16666667995434195, // 1/3!, and what makes up best for the terms left out
    0.041666666666666664, 0.041666666666666664, // 1/4!
  ],
  16,
);

/**
 * Turns four scores a row into e^(score - max) · 2^64, and returns the sums through `sums`.
 *
 * @param row the first row; the powers take the place of the scores
 * @param end the end of the last row
 * @param max01 what to subtract from the first two of each row
 * @param max23 what to subtract from the last two
 * @param scratch as many rows again
 * @param sums where the four sums go
 */
// @ts-ignore: decorator
@inline
export function powers(row: usize, end: usize, max01: v128, max23: v128, scratch: usize, sums: usize): void {
  reduce(row, end, max01, max23, scratch);
  const half = v128.load(SECOND);
  const third = v128.load(SECOND, 16);
  const fourth = v128.load(SECOND, 32);
  let sum01 = f64x2.splat(0);
  let sum23 = sum01;
  for (; row < end; row += 32) {
    const power01 = power(v128.load(row), scratch, half, third, fourth);
    const power23 = power(v128.load(row, 16), scratch + 16, half, third, fourth);
    v128.store(row, power01);
    v128.store(row, power23, 16);
    sum01 = f64x2.add(sum01, power01);
    sum23 = f64x2.add(sum23, power23);
    scratch += 32;
  }
  v128.store(sums, sum01);
  v128.store(sums, sum23, 16);
}

/** The first half: leaves r in the place of each score, and n, plus 1.5 · 2^52, in the scratch rows. */
function reduce(row: usize, end: usize, max01: v128, max23: v128, scratch: usize): void {
  const least = v128.load(FIRST);
  const scale = v128.load(FIRST, 16);
  const shift = v128.load(FIRST, 32);
  const high = v128.load(FIRST, 48);
  const low = v128.load(FIRST, 64);
  for (; row < end; row += 32) {
    const x01 = f64x2.pmax(f64x2.sub(v128.load(row), max01), least);
    const x23 = f64x2.pmax(f64x2.sub(v128.load(row, 16), max23), least);
    const shifted01 = f64x2.add(f64x2.mul(x01, scale), shift);
    const shifted23 = f64x2.add(f64x2.mul(x23, scale), shift);
    const n01 = f64x2.sub(shifted01, shift);
    const n23 = f64x2.sub(shifted23, shift);
    v128.store(row, f64x2.sub(f64x2.sub(x01, f64x2.mul(n01, high)), f64x2.mul(n01, low)));
    v128.store(row, f64x2.sub(f64x2.sub(x23, f64x2.mul(n23, high)), f64x2.mul(n23, low)), 16);
    v128.store(scratch, shifted01);
    v128.store(scratch, shifted23, 16);
    scratch += 32;
  }
}

/** The second half: 2^64 · 2^(n/256) · (1 + r + r²/2! + r³/3! + r⁴/4!) for two r, the two n lying at `shifted`. */
// @ts-ignore: decorator
@inline
function power(r: v128, shifted: usize, half: v128, third: v128, fourth: v128): v128 {
  // n mod 256 is its lowest byte. The two rows of the table, then: their tails side by side, and their leading parts.
  const row0 = v128.load(<usize>load<u8>(shifted) << 4, TABLE);
  const row1 = v128.load(<usize>load<u8>(shifted, 8) << 4, TABLE);
  const tail = v128.shuffle<f64>(row0, row1, 0, 2);
  // Adding n·2^44 to the bits puts n div 256 into the exponent.
  const lead = i64x2.add(v128.shuffle<f64>(row0, row1, 1, 3), i64x2.shl(v128.load(shifted), 44));
  const square = f64x2.mul(r, r);
  const curve = f64x2.add(f64x2.add(half, f64x2.mul(third, r)), f64x2.mul(fourth, square));
  const growth = f64x2.add(f64x2.add(tail, r), f64x2.mul(square, curve));
  return f64x2.add(lead, f64x2.mul(lead, growth));
}

/** Fills the table by multiplying with 2^(1/256) again and again, in numbers of twice the precision. */
export function fillTable(): void {
  const factor = 1.0027112750502025;
  const factorTail = -3.636615928692264e-17;
  let power: f64 = 1;
  let tail: f64 = 0;
  for (let j: u64 = 0; j < 256; j++) {
    const entry = TABLE + (<usize>j << 4);
    store<f64>(entry, tail / power);
    store<u64>(entry, reinterpret<u64>(power) + (64 << 52) - (j << 44), 8);
    const product = power * factor;
    const rest = tailOfProduct(power, factor, product) + (power * factorTail + tail * factor);
    power = product + rest;
    tail = rest - (power - product);
  }
}

/** a·b - product exactly, where product is a·b rounded (Dekker 1971). */
function tailOfProduct(a: f64, b: f64, product: f64): f64 {
  const aHigh = upperHalf(a);
  const bHigh = upperHalf(b);
  const aLow = a - aHigh;
  const bLow = b - bHigh;
  return aHigh * bHigh - product + aHigh * bLow + aLow * bHigh + aLow * bLow;
}

/** x to its leading 26 bits, so that products of such halves are exact. */
function upperHalf(x: f64): f64 {
  const scaled = x * 134217729; // 2^27 + 1
  return scaled - (scaled - x);
}
