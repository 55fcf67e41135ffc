// The nine steps of multi-head attention as equations of blocks, from x to the output.

import type { NDArray } from "../array/ndarray.js";
import { showShape } from "../array/shape.js";
import type { AttentionSteps } from "../attention/steps.js";
import type { Block, Equation } from "./equation.js";
import { escapeText, shorten, visible } from "./labels.js";
import type { Given, Inputs } from "./step-arrays.js";
import { place } from "./weights.js";

/** Of a longer axis only the beginning is shown. */
export const most: Readonly<Record<"T" | "D", number>> = { T: 16, D: 64 };
/** The columns that each of so many blocks may have, side by side. */
export function columnsBeside(blocks: number): number {
  return Math.floor(128 / blocks);
}

/** What is told: the arrays, the heads to show, the tokens of each batch. */
export interface Story {
  readonly given: Given;
  readonly heads: readonly number[];
  /** Whether one head is followed, and the others are not coloured. */
  readonly only: boolean;
  readonly tokens: readonly (readonly string[])[] | undefined;
}

/** One step: what is computed, why, and the equations that show it. */
export interface Picture {
  readonly title: string;
  readonly reason: string;
  readonly equations: readonly Equation[];
  readonly numbers: readonly NDArray[];
  /** Whether the heads stand apart from each other, so that some may have no room. */
  readonly byHead?: boolean;
}

/** The nine steps, for one batch. */
export function tellSteps({ given, heads, only, tokens }: Story, batch: number): Picture[] {
  const { arrays } = given;
  const { T, D, d, B, H } = given.sizes;
  const rows = Math.min(T, most.T);
  const wide = Math.min(D, most.D);
  const names = tokens?.[batch].slice(0, rows);
  const rowNames = names?.map((token) => escapeText(shorten(visible(token), 12)));
  const owner = (column: number): number | undefined => {
    const head = Math.floor(column / d);
    return !only || heads.includes(head) ? head : undefined;
  };

  const known = (array: NDArray | undefined, ...lead: number[]): Block["value"] =>
    array && ((row, column) => array.get(...lead, row, column));
  const inRows = (name: string, array: NDArray | undefined, colored: boolean, named = false): Block => ({
    name,
    shape: `(T, D) = ${showShape([T, D])}`,
    rows,
    columns: wide,
    value: known(array, batch),
    head: (_, column) => (colored ? owner(column) : undefined),
    ...(colored ? { heads: "columns" } : {}),
    rowNames: named ? rowNames : undefined,
    place: (row, column) => `${name}[${batch}, ${row}, ${column}]`,
  });
  const matrix = (name: Inputs, axis: "columns" | "rows"): Block => ({
    name,
    shape: `(D, D) = ${showShape([D, D])}`,
    rows: wide,
    columns: wide,
    value: known(arrays[name]),
    head: (row, column) => owner(axis === "rows" ? row : column),
    heads: axis,
    shared: true,
    place: (row, column) => `${name}[${row}, ${column}]`,
  });
  // Many heads share the page: their blocks have narrower captions.
  const caption = (axes: string, shape: readonly number[]): string =>
    heads.length > 4 ? showShape(shape) : `${axes} = ${showShape(shape)}`;
  const ofHead = (name: keyof AttentionSteps, head: number, axes: "(T, d)" | "(T, T)", named = false): Block => {
    const pairs = axes === "(T, T)";
    const columns = pairs ? T : d;
    const tokenAt = (at: number): string => place(at, names?.[at] ?? String(at), 12);
    return {
      name,
      shape: caption(axes, [T, columns]),
      rows,
      columns: Math.min(columns, pairs ? rows : wide),
      value: known(arrays[name], batch, head),
      weights: name === "weights",
      frame: head,
      rowNames: named ? rowNames : undefined,
      ...(pairs ? { columnNames: rowNames } : {}),
      place: (row, column) =>
        pairs && names !== undefined
          ? `${name}<br>query ${tokenAt(row)}<br>key ${tokenAt(column)}`
          : `${name}[${batch}, ${head}, ${row}, ${column}]`,
    };
  };
  const besideOthers = (name: keyof AttentionSteps, head: number, named = false): Block => {
    const block = ofHead(name, head, "(T, d)", named);
    const columns = Math.min(block.columns, columnsBeside(heads.length));
    return { ...block, name: `head ${head}`, columns };
  };
  const turned = (head: number): Block => {
    const keys = ofHead("kHeads", head, "(T, d)");
    return {
      ...keys,
      name: "kHeads transposed",
      shape: caption("(d, T)", [d, T]),
      rows: keys.columns,
      columns: keys.rows,
      value: keys.value && ((row, column) => arrays.kHeads.get(batch, head, column, row)),
      place: (row, column) => `kHeads transposed[${row}, ${column}]`,
    };
  };
  const eachHead = (terms: (head: number) => Equation["terms"]): Equation[] =>
    heads.map((head) => ({ head, terms: terms(head) }));

  const project = (name: "q" | "k" | "v", weight: Inputs, what: string): Picture => ({
    title: `${name} = x @ ${weight}`,
    reason: `Each token's row of x, times ${weight}, is its ${what}. A head owns some columns of ${weight}, and so of ${name}.`,
    equations: [
      {
        terms: [
          inRows("x", arrays.x, false, true),
          "@",
          matrix(weight, "columns"),
          "=",
          inRows(name, arrays[name], true),
        ],
      },
    ],
    numbers: [arrays.x, arrays[weight], arrays[name]].filter((array) => array !== undefined),
  });
  return [
    project("q", "wQ", "query"),
    project("k", "wK", "key"),
    project("v", "wV", "value"),
    {
      title: "Split q, k and v into heads",
      reason: `Each head takes its own ${d === 1 ? "column" : `${d} columns`}: ${showShape([B, T, D])} becomes (B, H, T, d) = ${showShape([B, H, T, d])}.`,
      equations: (["q", "k", "v"] as const).map((name) => ({
        terms: [
          inRows(name, arrays[name], true, true),
          "→",
          ...heads.map((head) => besideOthers(`${name}Heads`, head)),
        ],
      })),
      numbers: [arrays.q, arrays.k, arrays.v],
      byHead: true,
    },
    {
      title: `scores = qHeads @ kHeads transposed / √${d}`,
      reason: "How well each query (row) matches each key (column), head by head, divided by the root of d.",
      equations: eachHead((head) => [
        ofHead("qHeads", head, "(T, d)", true),
        "@",
        turned(head),
        `/ √${d} =`,
        ofHead("scores", head, "(T, T)"),
      ]),
      numbers: [arrays.qHeads, arrays.kHeads, arrays.scores],
      byHead: true,
    },
    {
      title: "weights = softmax(scores)",
      reason: "Each row of scores becomes weights from 0 to 1 that sum to 1: how a query shares its attention.",
      equations: eachHead((head) => [
        ofHead("scores", head, "(T, T)", true),
        "softmax →",
        ofHead("weights", head, "(T, T)"),
      ]),
      numbers: [arrays.scores, arrays.weights],
      byHead: true,
    },
    {
      title: "headOutputs = weights @ vHeads",
      reason: "Each query's weights mix the values of all tokens into one row.",
      equations: eachHead((head) => [
        ofHead("weights", head, "(T, T)", true),
        "@",
        ofHead("vHeads", head, "(T, d)"),
        "=",
        ofHead("headOutputs", head, "(T, d)"),
      ]),
      numbers: [arrays.weights, arrays.vHeads, arrays.headOutputs],
      byHead: true,
    },
    {
      title: "Merge the heads",
      reason: "The outputs of the heads stand side by side again, each in its own columns.",
      equations: [
        {
          terms: [
            ...heads.map((head, at) => besideOthers("headOutputs", head, at === 0)),
            "→",
            inRows("merged", arrays.merged, true),
          ],
        },
      ],
      numbers: [arrays.headOutputs, arrays.merged],
      byHead: true,
    },
    {
      title: "output = merged @ wO",
      reason: "wO mixes what the heads found: a head's columns of merged meet its rows of wO.",
      equations: [
        {
          terms: [
            inRows("merged", arrays.merged, true, true),
            "@",
            matrix("wO", "rows"),
            "=",
            inRows("output", arrays.output, false),
          ],
        },
      ],
      numbers: [arrays.merged, arrays.wO, arrays.output].filter((array) => array !== undefined),
    },
  ];
}
