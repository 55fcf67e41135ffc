// NumPy's printed form of anything that is an array.

import { asNDArray, type NDArrayLike } from "./array.js";
import { describe, typeError, ValueError } from "./errors.js";
import { type PrintOptions, print } from "./print.js";

/**
 * The text that NumPy prints for `x`: its `str(x)`, or with options its `array2string(x, precision=, suppress_small=)`.
 *
 * @param x the array
 * @param options `precision`: digits after the point at most (8 when absent); `suppress`: true keeps small numbers out of
 * exponent form and prints those below the precision as 0
 * @throws ValueError if precision is not a whole number from 0
 * @example
 * format([1 / 3, 2], { precision: 2 }); // "[0.33 2.  ]"
 */
export function format(x: NDArrayLike, options?: PrintOptions): string {
  const { shape, data } = asNDArray(x, "format", "x");
  if (options !== undefined) checkOptions(options);
  return print(shape, data, options);
}

function checkOptions({ precision, suppress }: PrintOptions): void {
  if (precision !== undefined && typeof precision !== "number") {
    throw typeError(`Cannot format: precision must be a number, got ${describe(precision)}`);
  }
  if (precision !== undefined && !(Number.isInteger(precision) && precision >= 0)) {
    throw new ValueError(`Cannot format: precision must be a whole number from 0, got ${precision}`);
  }
  if (suppress !== undefined && typeof suppress !== "boolean") {
    throw typeError(`Cannot format: suppress must be true or false, got ${describe(suppress)}`);
  }
}
