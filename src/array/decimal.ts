// A float64 as decimal digits, the way NumPy prints it (Steele and White's Dragon4, numpy/core/src/multiarray/dragon4.c):
// the shortest digits that name the number, or as many as asked for.

/** Digits and the power of ten of the first of them: digits "125", exponent -1 is 0.125. Zero has no digits. */
export interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

/** How many digits are wanted, given the power of ten of the first one. */
export type Count = (exponent: number) => number;

const ZERO: Decimal = { digits: "", exponent: 0 };

/** The fewest digits that tell |x| from every other float64. */
export function shortest(x: number): Decimal {
  return x === 0 ? ZERO : parse(Math.abs(x).toExponential());
}

/** The shortest digits of |x|, or the counted ones where those are fewer; without trailing zeros. */
export function atMost(x: number, count: Count): Decimal {
  const all = shortest(x);
  if (all.digits.length <= count(all.exponent)) return all;
  const { digits, exponent } = exactly(x, count);
  return { digits: digits.replace(/0+$/, ""), exponent };
}

/**
 * |x| rounded to the counted digits, trailing zeros included; zero where none is left. Of the two candidates, the one that
 * reads back as x; where both or neither do, the nearer one, and of two as near, the even one.
 */
export function exactly(x: number, count: Count): Decimal {
  if (x === 0) return ZERO;
  const { digits, exponent } = parse(Math.abs(x).toExponential(100));
  const n = count(exponent);
  if (n < 0) return ZERO;
  const kept = digits.slice(0, n);
  const rest = digits.slice(n);
  const down: Decimal = n === 0 ? ZERO : { digits: kept, exponent };
  const next = String(BigInt(kept) + 1n);
  const up: Decimal =
    next.length > n ? { digits: next.slice(0, n || 1), exponent: exponent + 1 } : { digits: next, exponent };
  const isDownRight = read(down) === Math.abs(x);
  const isUpRight = read(up) === Math.abs(x);
  if (isDownRight !== isUpRight) return isUpRight ? up : down;
  const half = "5".padEnd(rest.length, "0");
  const isEven = "02468".includes(kept.slice(-1));
  return rest < half || (rest === half && isEven) ? down : up;
}

function parse(text: string): Decimal {
  const [mantissa, exponent] = text.split("e");
  return { digits: mantissa.replace(".", ""), exponent: Number(exponent) };
}

function read({ digits, exponent }: Decimal): number {
  return Number(`0.${digits}e${exponent + 1}`);
}
