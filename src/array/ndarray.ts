// NDArray: numbers in float64, laid out row-major, with a shape. Every method returns a fresh array: nothing is a view,
// so no array shares memory with another. (NumPy's reshape and transpose do share; here a copy keeps learners safe.)

import { describe, typeError, ValueError } from "./errors.js";
import { showAs } from "./inspect.js";
import { print } from "./print.js";
import { allocate, checkAxisCount, checkIntegers, rowMajorStrides, showShape, sizeOf } from "./shape.js";
import { gather } from "./strided.js";

/** Nested lists as deep as the shape is long: a number for no axes, `number[]` for one, `number[][]` for two. */
export type Nested<S extends readonly number[]> = number[] extends S
  ? NestedNumbers
  : S extends readonly []
    ? number
    : S extends readonly [number, ...infer Rest extends readonly number[]]
      ? Nested<Rest>[]
      : NestedNumbers;

/** As many axes as R has, of any length. */
export type Lengths<R extends readonly number[]> = { -readonly [axis in keyof R]: number };

/** The axes of S that follow those of L. */
export type After<S extends readonly number[], L extends readonly number[]> = S extends readonly [
  ...Lengths<L>,
  ...infer Rest extends number[],
]
  ? Rest
  : number[];

/** Nested lists of numbers of any depth. */
export type NestedNumbers = number | NestedNumbers[];

/** Wraps numbers that no one else holds, without copying or checking; for this package alone. */
export let adopt: <S extends readonly number[]>(shape: S, data: Float64Array) => NDArray<S>;

/** The same for a shape that is frozen already; freezing again takes a while, beside the smallest arrays. */
export let adoptFrozen: <S extends readonly number[]>(shape: S, data: Float64Array) => NDArray<S>;

/**
 * An array of float64 numbers with a shape. Make one with `array`, `zeros`, `arange`, `eye` or `randomNormal`.
 *
 * `S` is the shape's type: axes may carry names, as in `NDArray<[B: number, T: number, D: number]>`.
 *
 * @example
 * const x = arange(6).reshape(2, 3);
 * x.get(1, 2); // 5
 * console.log(x);
 * // [[0. 1. 2.]
 * //  [3. 4. 5.]]
 */
export class NDArray<S extends readonly number[] = number[]> {
  /** The length of each axis. */
  readonly shape: S;
  /** The numbers, row-major: the last axis moves fastest. */
  readonly data: Float64Array;

  static {
    adopt = (shape, data) => new NDArray(Object.freeze(shape), data);
    adoptFrozen = (shape, data) => new NDArray(shape, data);
    showAs(NDArray.prototype, (shown) => shown.toString());
  }

  private constructor(shape: S, data: Float64Array) {
    if (!(data instanceof Float64Array)) throw typeError("Cannot make an NDArray: call array(x), not new NDArray(x)");
    this.shape = shape;
    this.data = data;
  }

  /** How many numbers the array holds. */
  get size(): number {
    return this.data.length;
  }

  /** How many axes the array has. */
  get ndim(): number {
    return this.shape.length;
  }

  /**
   * The number at an index, one whole number an axis; -1 is the last.
   *
   * @throws ValueError if there are too few or too many numbers, or one is out of range
   * @example
   * arange(6).reshape(2, 3).get(1, 0); // 3
   */
  get(...index: S): number {
    if (index.length !== this.ndim) {
      throw new ValueError(
        `Cannot get a number: index must have ${this.ndim} numbers for shape ${showShape(this.shape)}, got ${showShape(index)}`,
      );
    }
    return this.data[this.#position(index, "get a number")];
  }

  /**
   * The sub-array at the leading indices: `x.at(b)` is batch b, `w.at(b, h)` one head of it.
   *
   * @throws ValueError if there are more indices than axes, or one is out of range
   * @example
   * arange(6).reshape(2, 3).at(1).toArray(); // [3, 4, 5]
   */
  at<L extends readonly number[]>(...leading: L): NDArray<After<S, L>> {
    if (leading.length > this.ndim) {
      throw new ValueError(
        `Cannot take a sub-array: index must have at most ${this.ndim} numbers for shape ${showShape(this.shape)}, got ${showShape(leading)}`,
      );
    }
    const start = this.#position(leading, "take a sub-array");
    const shape = this.shape.slice(leading.length);
    return adopt(shape as readonly number[] as After<S, L>, this.data.slice(start, start + sizeOf(shape)));
  }

  /**
   * The same numbers in the same order under another shape; one axis may be -1 and is worked out.
   *
   * @throws ValueError if the shape does not hold exactly these numbers
   * @example
   * arange(6).reshape(2, -1).shape; // [2, 3]
   */
  reshape<R extends readonly number[]>(...shape: R): NDArray<Lengths<R>>;
  reshape<R extends readonly number[]>(shape: R): NDArray<Lengths<R>>;
  reshape(...shape: readonly unknown[]): NDArray {
    const axes = checkIntegers(listOf(shape), "reshape", "shape");
    const unknown = axes.indexOf(-1);
    if (unknown >= 0) axes[unknown] = this.size / -sizeOf(axes);
    if (!axes.every((n) => Number.isInteger(n) && n >= 0) || sizeOf(axes) !== this.size) {
      throw new ValueError(
        `Cannot reshape: shape must hold the ${this.size} numbers of shape ${showShape(this.shape)}, got ${showShape(listOf(shape) as number[])}`,
      );
    }
    checkAxisCount(axes.length, "reshape", "shape");
    return adopt(axes, this.data.slice());
  }

  /**
   * The array with its axes in another order: axis k of the result is axis `axes[k]` of this array. Without axes, reversed.
   *
   * @throws ValueError if axes does not name each axis once
   * @example
   * zeros([2, 3, 4]).transpose(0, 2, 1).shape; // [2, 4, 3]
   */
  transpose(...axes: number[] | [axes: readonly number[]]): NDArray {
    const given =
      axes.length === 0 ? [...this.shape.keys()].reverse() : checkIntegers(listOf(axes), "transpose", "axes");
    const order = given.map((axis) => (axis < 0 ? axis + this.ndim : axis));
    const namesEachOnce = order.length === this.ndim && this.shape.every((_, axis) => order.includes(axis));
    if (!namesEachOnce) {
      throw new ValueError(
        `Cannot transpose: axes must name each of the ${this.ndim} axes of shape ${showShape(this.shape)} once, got ${showShape(given)}`,
      );
    }
    const steps = rowMajorStrides(this.shape);
    const shape = order.map((axis) => this.shape[axis]);
    const strides = order.map((axis) => steps[axis]);
    const data = allocate(shape, "transpose");
    if (this.size > 0) gather(this.data, shape, strides, 0, data);
    return adopt(shape, data);
  }

  /**
   * A new array with `fn(value, ...index)` in the place of each number.
   *
   * @throws TypeError if `fn` is not a function or returns something that is not a number
   * @example
   * scores.map((score, b, h, i, j) => (j > i ? -Infinity : score)); // hides later keys
   */
  map(fn: (value: number, ...index: S) => number): NDArray<S> {
    if (typeof fn !== "function") throw typeError(`Cannot map: fn must be a function, got ${describe(fn)}`);
    const data = allocate(this.shape, "map");
    const index = this.shape.map(() => 0);
    for (let position = 0; position < data.length; position++) {
      const value: unknown = fn(this.data[position], ...(index as readonly number[] as S));
      if (typeof value !== "number") {
        throw typeError(`Cannot map: fn must return a number, got ${describe(value)} at index ${showShape(index)}`);
      }
      data[position] = value;
      for (let axis = index.length - 1; axis >= 0 && ++index[axis] === this.shape[axis]; axis--) index[axis] = 0;
    }
    return adopt(this.shape.slice() as readonly number[] as S, data);
  }

  /** The numbers as nested lists; an array without axes gives its one number. */
  toArray(): Nested<S> {
    let read = 0;
    const nest = (axis: number): NestedNumbers =>
      axis === this.ndim ? this.data[read++] : Array.from({ length: this.shape[axis] }, () => nest(axis + 1));
    return nest(0) as Nested<S>;
  }

  /** The text that NumPy's `str` gives; `console.log` and a notebook show it too. */
  toString(): string {
    return print(this.shape, this.data);
  }

  /** What `JSON.stringify` writes: the nested lists (JSON itself turns nan and infinities into null). */
  toJSON(): Nested<S> {
    return this.toArray();
  }

  #position(leading: readonly number[], action: string): number {
    let position = 0;
    for (let axis = 0; axis < this.ndim; axis++) {
      const n = this.shape[axis];
      const i = leading[axis];
      position *= n;
      if (axis >= leading.length) continue;
      if (typeof i !== "number") {
        throw typeError(`Cannot ${action}: index must hold numbers, got ${describe(i)} at axis ${axis}`);
      }
      if (!Number.isInteger(i) || i < -n || i >= n) {
        throw new ValueError(
          `Cannot ${action}: index must lie in shape ${showShape(this.shape)}, got ${showShape(leading)} (axis ${axis} holds ${n})`,
        );
      }
      position += i < 0 ? i + n : i;
    }
    return position;
  }
}

/** NumPy takes both f(2, 3) and f([2, 3]). */
function listOf(given: readonly unknown[]): unknown {
  return given.length === 1 && typeof given[0] !== "number" ? given[0] : given;
}
