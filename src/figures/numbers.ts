// Numbers as they are written in figures: short in a cell, exact on hover, nan and the infinities by name.

function named(value: number): string {
  return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

/** Every digit: what `value` prints as, with NumPy's names for what is not finite. */
export function exact(value: number): string {
  return Number.isFinite(value) ? (Object.is(value, -0) ? "-0" : String(value)) : named(value);
}

/** Four digits, for where there are too many numbers for every digit. */
export function approximate(value: number): string {
  return Number.isFinite(value) ? exact(Number(value.toPrecision(4))) : named(value);
}

/** With a fixed number of decimals, for weights: `fixed(0.40111, 2)` is `0.40`; never `-0.00`. */
export function fixed(value: number, decimals: number): string {
  return Number.isFinite(value) ? value.toFixed(decimals).replace(/^-(0\.?0*)$/, "$1") : named(value);
}

/** A weight with two decimals; what is far from a weight, in few characters. */
export function weightText(value: number): string {
  return Math.abs(value) < 100 ? fixed(value, 2) : brief(value);
}

/**
 * In few characters, for a cell: integers as they are, else two decimals, else an exponent.
 *
 * @example brief(12) // "12"
 * @example brief(-0.5) // "-0.50"
 * @example brief(1e200) // "1e+200"
 */
export function brief(value: number): string {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) {
    return named(value);
  }
  if (Number.isInteger(value) && size < 100_000) {
    return exact(value);
  }
  return size >= 0.005 && size < 10_000 ? value.toFixed(2) : value.toExponential(size >= 1e100 || size < 1e-99 ? 0 : 1);
}

/**
 * `value` for a hover label: at most so many decimals, at most so many digits in all, but two digits of the smallest. What is
 * not finite becomes `null`, the hole in a heatmap.
 *
 * @example told(0.12345, 3) // 0.123
 * @example told(0.000394, 3) // 0.00039
 * @example told(12345.6, 3) // 12300
 */
export function told(value: number, digits: number): number | null {
  if (!Number.isFinite(value)) return null;
  if (value === 0) return 0;
  const beforePoint = Math.floor(Math.log10(Math.abs(value))) + 1; // below 0 for the zeros behind the point
  return Number(value.toPrecision(Math.min(digits, Math.max(2, digits + beforePoint))));
}

/** `value` rounded to `decimals`, for a smaller figure; what is not finite becomes `null`, the hole in a heatmap. */
export function rounded(value: number, decimals: number): number | null {
  return Number.isFinite(value) ? Number(value.toFixed(decimals)) : null;
}
