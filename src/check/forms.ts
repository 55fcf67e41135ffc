// The forms in which a learner's function may take its arrays, and whether it left them as they were.

import { array } from "../array/array.js";
import type { NDArray } from "../array/ndarray.js";

/** What a function under check is given: arrays, then perhaps the number of heads. */
export type Inputs = readonly (NDArray | number)[];

/** One way of handing over an array. */
export interface Form {
  readonly name: string;
  readonly give: (x: NDArray) => unknown;
}

/** The forms, in the order in which they are tried. */
export const forms: readonly Form[] = [
  { name: "NDArray", give: (x) => array(x) },
  { name: "nested arrays", give: (x) => x.toArray() },
  { name: "nested arrays with rows of Float64Array", give: (x) => rows(x) },
];

function rows(x: NDArray): unknown {
  return x.ndim <= 1 ? x.data.slice() : Array.from({ length: x.shape[0] }, (_, i) => rows(x.at(i)));
}

/** Fresh arguments in the given form: nothing is shared with `inputs`. */
export function hand(inputs: Inputs, form: Form): unknown[] {
  return inputs.map((input) => (typeof input === "number" ? input : form.give(input)));
}

/** The positions of the arguments that no longer hold what `inputs` holds. */
export function changed(given: readonly unknown[], inputs: Inputs, form: Form): number[] {
  const fresh = hand(inputs, form);
  return [...given.keys()].filter((i) => !same(given[i], fresh[i]));
}

function same(a: unknown, b: unknown): boolean {
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return Object.is(a, b);
  const [left, right] = ("data" in b ? [(a as NDArray).data, (b as NDArray).data] : [a, b]) as ArrayLike<unknown>[];
  return left.length === right.length && Array.prototype.every.call(right, (item, i) => same(left[i], item));
}
