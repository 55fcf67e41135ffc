// Everything that counts as an array, read into an NDArray: numbers, nested lists, typed arrays, NDArrays, and strided
// views as other libraries describe them. The one place where what comes from outside is checked.

import { describe, typeError, ValueError } from "./errors.js";
import { adopt, NDArray } from "./ndarray.js";
import {
  allocate,
  checkAxisCount,
  checkIntegers,
  checkShape,
  rowMajorStrides,
  sameShape,
  showShape,
  sizeOf,
} from "./shape.js";
import { gather } from "./strided.js";

/** Any typed array. 64-bit integers beyond 2^53 are rounded to the nearest float64, as NumPy does. */
export type TypedArray =
  | Float64Array
  | Float32Array
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array;

/** A buffer and how to walk it: element (i0, i1, ...) is `data[offset + i0 * strides[0] + i1 * strides[1] + ...]`. */
export interface StridedArray {
  /** The length of each axis. */
  readonly shape: ArrayLike<number>;
  /** The buffer, possibly larger than the array when strides or offset say where to read. */
  readonly data: TypedArray | readonly number[];
  /** Steps between neighbours along each axis, counted in elements; row-major when absent. */
  readonly strides?: ArrayLike<number> | undefined;
  /** Another name of `strides`, read when that is absent. */
  readonly stride?: ArrayLike<number> | undefined;
  /** Where the first element lies; 0 when absent. */
  readonly offset?: number | undefined;
}

/** What every function here takes as an array: a number, nested lists, typed arrays, NDArrays, strided views, lists of these. */
export type NDArrayLike = number | TypedArray | StridedArray | readonly NDArrayLike[];

/**
 * A new NDArray with the numbers of `x`. Nothing is shared: changing one changes nothing in the other.
 *
 * @param x a number, nested lists (rows may be typed arrays or NDArrays), a typed array, an NDArray, or a view `{shape, data,
 * strides?, offset?}` (`stride` is read too); steps are counted in elements and may be negative
 * @throws TypeError if something in `x` is not a number: a string, a hole, null, a bigint
 * @throws ValueError if the lists are ragged, or a view leaves its data
 * @example
 * array([[1, 2], [3, 4]]).shape; // [2, 2]
 * array({ shape: [2], data: [1, 2, 3, 4], strides: [-2], offset: 3 }).toArray(); // [4, 2]
 */
export function array<S extends readonly number[]>(x: NDArray<S>): NDArray<S>;
export function array(x: NDArrayLike): NDArray;
export function array(x: NDArrayLike): NDArray {
  const read = asNDArray(x, "make an array", "x");
  return read === x ? adopt(read.shape.slice(), read.data.slice()) : read;
}

/** `x` itself if it is an NDArray, else a new one; `action` and `name` are for the messages. Never write to what comes back. */
export function asNDArray(x: NDArrayLike, action: string, name: string): NDArray {
  if (x instanceof NDArray) return x as NDArray;
  if (isView(x)) return readView(x, action, name);
  const shape = nestedShape(x, action, name);
  const data = allocate(shape, action);
  let written = 0;
  const fill = (node: unknown, axis: number, where: string): void => {
    if (axis === shape.length && typeof node === "number") {
      data[written++] = node;
      return;
    }
    const found = ownShape(node, action, where);
    const wanted = shape.slice(axis, axis + (Array.isArray(node) ? 1 : shape.length));
    if (!sameShape(found, wanted)) {
      throw new ValueError(
        `Cannot ${action}: ${where} must be ${showNode(wanted)} like ${name}${"[0]".repeat(axis)}, got ${showNode(found)} (ragged lists are no array)`,
      );
    }
    if (Array.isArray(node)) {
      for (let i = 0; i < node.length; i++) fill(node[i], axis + 1, `${where}[${i}]`);
    } else {
      const block = isTypedArray(node) ? floats(node) : asNDArray(node as StridedArray, action, where).data;
      data.set(block, written);
      written += block.length;
    }
  };
  fill(x, 0, name);
  return adopt(shape, data);
}

/** The shape that the first elements suggest, all the way down. */
function nestedShape(x: unknown, action: string, name: string): number[] {
  const shape: number[] = [];
  let node = x;
  let where = name;
  for (;;) {
    shape.push(...ownShape(node, action, where));
    checkAxisCount(shape.length, action, name);
    if (!Array.isArray(node) || node.length === 0) return shape;
    node = node[0];
    where += "[0]";
  }
}

/** What one node says of its shape by itself: a list knows its length alone. @throws TypeError if it is no array at all */
function ownShape(node: unknown, action: string, where: string): readonly number[] {
  if (typeof node === "number") return [];
  if (Array.isArray(node)) return [node.length];
  if (isTypedArray(node)) return [node.length];
  if (node instanceof NDArray) return node.shape;
  if (isView(node)) return checkShape(node.shape, action, `${where}.shape`);
  const wanted = where.endsWith("]") ? "a number" : "an array (nested lists, a typed array or {shape, data})";
  throw typeError(`Cannot ${action}: ${where} must be ${wanted}, got ${describe(node)}`);
}

function showNode(shape: readonly number[]): string {
  if (shape.length === 0) return "a number";
  return shape.length === 1 ? `a list of ${shape[0]}` : `an array of shape ${showShape(shape)}`;
}

function isTypedArray(x: unknown): x is TypedArray {
  return ArrayBuffer.isView(x) && Object.prototype.toString.call(x) !== "[object DataView]";
}

function isView(x: unknown): x is StridedArray {
  return typeof x === "object" && x !== null && "shape" in x && "data" in x && !Array.isArray(x) && !isTypedArray(x);
}

function floats(data: TypedArray): ArrayLike<number> {
  const isOfBigInts = Object.prototype.toString.call(data).startsWith("[object Big");
  return isOfBigInts ? Float64Array.from(data as BigInt64Array, Number) : (data as Float64Array);
}

function readView(view: StridedArray, action: string, name: string): NDArray {
  const { data, offset = 0 } = view;
  const given = view.strides ?? view.stride;
  if (!isTypedArray(data) && !Array.isArray(data)) {
    throw typeError(`Cannot ${action}: ${name}.data must be a typed array or a list of numbers, got ${describe(data)}`);
  }
  if (typeof offset !== "number") {
    throw typeError(`Cannot ${action}: ${name}.offset must be a number, got ${describe(offset)}`);
  }
  const shape = checkShape(view.shape, action, `${name}.shape`);
  const strides = given == null ? rowMajorStrides(shape) : checkIntegers(given, action, `${name}.strides`);
  if (strides.length !== shape.length) {
    throw new ValueError(
      `Cannot ${action}: ${name}.strides must have one number an axis, got strides ${showShape(strides)} for shape ${showShape(shape)}`,
    );
  }
  const size = sizeOf(shape);
  if (given == null && view.offset == null && data.length !== size) {
    throw new ValueError(
      `Cannot ${action}: ${name}.data must hold the ${size} numbers of shape ${showShape(shape)}, got ${data.length}`,
    );
  }
  const reach = strides.map((stride, axis) => stride * (shape[axis] - 1));
  const first = reach.reduce((sum, r) => sum + Math.min(r, 0), offset);
  const last = reach.reduce((sum, r) => sum + Math.max(r, 0), offset);
  if (!Number.isSafeInteger(offset) || (size > 0 && !(first >= 0 && last < data.length))) {
    throw new ValueError(
      `Cannot ${action}: ${name} must stay inside its data, got shape ${showShape(shape)}, strides ${showShape(strides)} and offset ${offset} for ${data.length} numbers`,
    );
  }
  const out = allocate(shape, action);
  if (size > 0) gather(numbersOf(data, first, last, action, name), shape, strides, offset, out);
  return adopt(shape, out);
}

/** The data as something that holds numbers only, from `first` to `last`. */
function numbersOf(
  data: TypedArray | readonly unknown[],
  first: number,
  last: number,
  action: string,
  name: string,
): ArrayLike<number> {
  if (isTypedArray(data)) return floats(data);
  for (let i = first; i <= last; i++) {
    if (typeof data[i] !== "number") {
      throw typeError(`Cannot ${action}: ${name}.data[${i}] must be a number, got ${describe(data[i])}`);
    }
  }
  return data as readonly number[];
}
