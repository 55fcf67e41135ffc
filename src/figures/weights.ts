// What the makers of weight figures are given, checked once: the weights, which batches and heads to show, and the tokens.

import { asNDArray, type NDArrayLike } from "../array/array.js";
import { describe, typeError, ValueError } from "../array/errors.js";
import { NDArray } from "../array/ndarray.js";
import { showShape } from "../array/shape.js";
import { label, lines } from "./labels.js";
import { checkOptions, chosenIndices } from "./options.js";

/**
 * The words beside the rows and columns: one list for all batches, one list for each batch, or, where queries and keys are
 * different sentences, both.
 */
export type Tokens =
  | readonly string[]
  | readonly (readonly string[])[]
  | {
      readonly queries: readonly string[] | readonly (readonly string[])[];
      readonly keys: readonly string[] | readonly (readonly string[])[];
    };

/** What a figure of weights may be told. */
export interface WeightFigureOptions {
  /** The words beside queries and keys; their positions when not given. */
  readonly tokens?: Tokens;
  /** The batch to show, or several to choose from; all of them when not given. */
  readonly batch?: number | readonly number[];
  /** The head or heads to show; all of them when not given. */
  readonly heads?: number | readonly number[];
}

/** Weights of shape (B, H, T, T), the chosen batches and heads, and each batch's tokens. */
export interface Weights {
  readonly array: NDArray;
  readonly batches: readonly number[];
  readonly heads: readonly number[];
  readonly queries: readonly (readonly string[])[];
  readonly keys: readonly (readonly string[])[];
}

function positions(length: number): string[] {
  return Array.from({ length }, (_, at) => String(at));
}

function isList(tokens: Tokens): tokens is readonly string[] | readonly (readonly string[])[] {
  return Array.isArray(tokens);
}

function isListOfLists(
  list: readonly string[] | readonly (readonly string[])[],
): list is readonly (readonly string[])[] {
  return list.length > 0 && Array.isArray(list[0]);
}

function perBatch(
  action: string,
  name: string,
  given: readonly string[] | readonly (readonly string[])[],
  batches: number,
  length: number,
  axis: string,
): readonly (readonly string[])[] {
  const lists = isListOfLists(given) ? given : Array.from({ length: batches }, () => given as readonly string[]);
  if (lists.length !== batches) {
    throw new ValueError(
      `Cannot ${action}: ${name} must be one list or one for each batch, got ${lists.length} lists for B=${batches}`,
    );
  }
  for (const [batch, list] of lists.entries()) {
    if (!Array.isArray(list)) {
      throw typeError(`Cannot ${action}: ${name} must be a list of strings, got ${describe(list)}`);
    }
    if (list.length !== length) {
      const where = isListOfLists(given) && batches > 1 ? ` for batch ${batch}` : "";
      throw new ValueError(
        `Cannot ${action}: ${name} must name each of the ${length} ${axis}, got ${list.length}${where}`,
      );
    }
    for (const token of list) {
      if (typeof token !== "string") {
        throw typeError(`Cannot ${action}: ${name} must hold strings, got ${typeof token}`);
      }
    }
  }
  return lists;
}

/** The tokens of queries and keys, batch by batch; positions ("0", "1", ...) when none are given. */
export function readTokens(
  action: string,
  tokens: Tokens | undefined,
  [batches, queries, keys]: readonly [number, number, number],
): { queries: readonly (readonly string[])[]; keys: readonly (readonly string[])[] } {
  if (tokens === undefined) {
    return {
      queries: Array.from({ length: batches }, () => positions(queries)),
      keys: Array.from({ length: batches }, () => positions(keys)),
    };
  }
  if (typeof tokens !== "object" || tokens === null) {
    throw typeError(`Cannot ${action}: tokens must be a list of strings, got ${describe(tokens)}`);
  }
  const both = isList(tokens) ? { queries: tokens, keys: tokens } : tokens;
  if (both.queries === undefined || both.keys === undefined) {
    const names = Object.keys(tokens);
    const got = names.length === 0 ? "neither" : `only ${names.join(", ")}`;
    throw typeError(`Cannot ${action}: tokens must be a list of strings, or have both queries and keys, got ${got}`);
  }
  const names = isList(tokens) ? ["tokens", "tokens"] : ["tokens.queries", "tokens.keys"];
  return {
    queries: perBatch(action, names[0], both.queries, batches, queries, "queries"),
    keys: perBatch(action, names[1], both.keys, batches, keys, "keys"),
  };
}

/** Checks everything a figure of weights is given. */
export function readWeights(action: string, weights: NDArrayLike, options: WeightFigureOptions): Weights {
  const given = readArray(action, weights);
  checkOptions(action, options, ["tokens", "batch", "heads"]);
  const shape = [...Array.from({ length: 4 - given.ndim }, () => 1), ...given.shape];
  const [B, H, rows, columns] = shape;
  const batches = chosenIndices(action, "batch", options.batch, "B", B);
  const heads = chosenIndices(action, "heads", options.heads, "H", H);
  const tokens = readTokens(action, options.tokens, [B, rows, columns]);
  return { array: given.reshape(...(shape as [number, number, number, number])), batches, heads, ...tokens };
}

/** The weights, if they are an array of two to four axes; else what was given in their place, and what to give. */
function readArray(action: string, weights: NDArrayLike): NDArray {
  const remedy = "pass attentionSteps(...).weights or multiHeadAttention(...)[1]";
  if (isResult(weights)) {
    throw typeError(`Cannot ${action}: weights must be one array, got the pair [output, weights]; ${remedy}`);
  }
  if (typeof weights === "object" && weights !== null && "qHeads" in weights) {
    throw typeError(`Cannot ${action}: weights must be one array, got all steps; pass attentionSteps(...).weights`);
  }
  const given = asNDArray(weights, action, "weights");
  if (given.ndim < 2 || given.ndim > 4 || given.size === 0) {
    throw new ValueError(
      `Cannot ${action}: weights must have shape (B, H, T, T), (H, T, T) or (T, T), ` +
        `got shape ${showShape(given.shape)}`,
    );
  }
  return given;
}

/** Whether this is what multiHeadAttention returns: an array of three axes and one of four. */
export function isResult(value: unknown): boolean {
  const axes = (x: unknown): number => (x instanceof NDArray ? x.ndim : 0);
  return Array.isArray(value) && value.length === 2 && axes(value[0]) === 3 && axes(value[1]) === 4;
}

/** Position and token: "1: sat", or "1" alone where there are no tokens. Whole, in lines, unless a limit is given. */
export function place(position: number, token: string, limit?: number): string {
  if (token === String(position)) return token;
  return `${position}: ${limit === undefined ? lines(token) : label(token, limit)}`;
}
