// A float64 as decimal digits, the way NumPy prints it: the shortest digits that name the number, or fewer where the
// precision ends, rounded from the exact value with ties to even.

/** Digits and the power of ten of the first of them: `digits` "125", `exponent` -1 is 0.125. Zero has no digits. */
export interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

const ZERO: Decimal = { digits: "", exponent: 0 };

/** The fewest digits that tell |x| from every other float64. */
export function shortest(x: number): Decimal {
  return x === 0 ? ZERO : split(Math.abs(x).toExponential());
}

/** |x| rounded to `count` digits, trailing zeros included; with no digits left over it is zero. */
export function rounded(x: number, count: number): Decimal {
  if (x === 0 || count < 0) return ZERO;
  const { digits, exponent } = split(Math.abs(x).toExponential(100));
  const kept = digits.slice(0, count);
  const rest = digits.slice(count);
  const half = "5".padEnd(rest.length, "0");
  const isOdd = "13579".includes(kept.slice(-1) || "0");
  if (rest < half || (rest === half && !isOdd)) return count === 0 ? ZERO : { digits: kept, exponent };
  const up = String(BigInt(kept) + 1n);
  return up.length > count
    ? { digits: up.slice(0, Math.max(count, 1)), exponent: exponent + 1 }
    : { digits: up, exponent };
}

/** The shortest digits of |x|, or `count` rounded ones where those are fewer; without trailing zeros. */
export function atMost(x: number, countFor: (exponent: number) => number): Decimal {
  const all = shortest(x);
  const count = countFor(all.exponent);
  if (all.digits.length <= count) return all;
  const { digits, exponent } = rounded(x, count);
  return { digits: digits.replace(/0+$/, ""), exponent };
}

function split(text: string): Decimal {
  const [mantissa, exponent] = text.split("e");
  return { digits: mantissa.replace(".", ""), exponent: Number(exponent) };
}
