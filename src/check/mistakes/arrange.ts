// Orders of axes for the banks: every wrong one, and the way back from any rearrangement.

import { arange } from "../../array/make.js";
import type { NDArray } from "../../array/ndarray.js";

/** A wrong splitHeads. It may throw for shapes it cannot make sense of. */
export type WrongSplit = (x: NDArray, nHeads: number) => NDArray;

/** A wrong mergeHeads. It may throw for shapes it cannot make sense of. */
export type WrongMerge = (heads: NDArray) => NDArray;

/** The 24 orders of four axes but those given, each written like "0213". */
export function ordersBut(...left: readonly string[]): readonly (readonly number[])[] {
  return permutations([0, 1, 2, 3]).filter((order) => !left.includes(order.join("")));
}

function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
}

/** An array with the number `rule(...index)` at each index. */
export function build(shape: readonly number[], rule: (...index: number[]) => number): NDArray {
  return arange(shape.reduce((product, n) => product * n, 1))
    .reshape([...shape])
    .map((_, ...index) => rule(...index));
}

/** The merge that undoes `split`, whatever order that gives: number by number, back to where it came from. */
export function undo(split: WrongSplit, nHeads: number, shape: readonly number[]): WrongMerge {
  const source = arange(shape.reduce((product, n) => product * n, 1)).reshape([...shape]);
  const from = split(source, nHeads).data;
  const back = new Map([...from].map((position, i) => [position, i]));
  return (heads) => source.map((position) => heads.data[back.get(position) ?? Number.NaN]);
}
