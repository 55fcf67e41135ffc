// attentionMap: attention weights as one panel a head, query 0 in the top row, dark for a weight of 1.
//
// All heads share one colour scale, so that panels can be compared; a head's own colour is on its name. A figure holds a
// bounded count of weights, so that a notebook stays small; what is left out is said under the panels and in the alt text.

import type { NDArrayLike } from "../array/array.js";
import type { NDArray } from "../array/ndarray.js";
import type { Figure } from "../display/figure.js";
import { table } from "./cells.js";
import { label, quoted, shorten, textWidth, visible } from "./labels.js";
import { exact, fixed, rounded } from "./numbers.js";
import { cellLine, headColor, noNumber, softInk, weightScale } from "./palette.js";
import { arrangePanels } from "./panels.js";
import { menu, Sheet } from "./sheet.js";
import { place, readWeights, span, type Tokens, type Weights } from "./weights.js";

/** What `attentionMap` may be told. */
export interface AttentionMapOptions {
  /** The words beside the rows and columns; their positions when not given. */
  readonly tokens?: Tokens;
  /** The batch to show, or several to choose from; all of them when not given. */
  readonly batch?: number | readonly number[];
  /** The head or heads to show; all of them when not given. */
  readonly heads?: number | readonly number[];
}

const action = "draw attention weights";
/** The most weights one figure holds: one batch of 64 heads of 16 tokens. */
const mostWeights = 16_384;
/** The most weights of all batches together, where there are several. */
const mostInMenu = 8_192;
const mostHeads = 64;
const mostTokens = 128;
/** The most cells that are printed with their values. */
const mostPrinted = 600;
const labelLimit = 16;

/**
 * Attention weights as a picture: one panel a head, row i for query i, column j for key j, colours from 0 to 1.
 *
 * @param weights shape (B, H, T, T); (H, T, T) and (T, T) are read as one batch, one head
 * @param options `tokens` for the rows and columns; `batch` and `heads` to show
 * @returns a figure: values printed while they are legible; query, key and weight on hover; a menu of batches when B > 1
 * @throws ValueError if weights has another rank or is empty, if batch or heads is out of range, or if a token is missing
 * @throws TypeError if weights is not an array of numbers, or a token is not a string
 * @example
 * attentionMap([[0.9, 0.1], [0.5, 0.5]], { tokens: ["a", "b"] }); // the top row is dark on the left: a looks at a
 */
export function attentionMap(weights: NDArrayLike, options: AttentionMapOptions = {}): Figure {
  const shown = readWeights(action, weights, options);
  const rows = Math.min(shown.array.shape[2], mostTokens);
  const columns = Math.min(shown.array.shape[3], mostTokens);
  const heads = shown.heads.slice(0, Math.min(mostHeads, Math.max(1, Math.floor(mostWeights / (rows * columns)))));
  const batches = shown.batches.slice(0, Math.max(1, Math.floor(mostInMenu / (rows * columns * heads.length))));
  const leftOut = describeLeftOut(shown, { batches: batches.length, heads: heads.length, rows, columns });
  return draw(shown, { batches, heads, rows, columns, leftOut });
}

/** The part of the weights that one figure shows. */
interface Shown {
  readonly batches: readonly number[];
  readonly heads: readonly number[];
  readonly rows: number;
  readonly columns: number;
  readonly leftOut: string;
}

function describeLeftOut(
  { array, batches, heads }: Weights,
  kept: { batches: number; heads: number; rows: number; columns: number },
): string {
  const [, , rows, columns] = array.shape;
  const parts = [
    ...(kept.batches < batches.length ? [`batches ${span(batches.slice(kept.batches))} (choose with batch)`] : []),
    ...(kept.heads < heads.length ? [`heads ${span(heads.slice(kept.heads))} (choose with heads)`] : []),
    ...(kept.rows < rows ? [`queries from ${kept.rows} on`] : []),
    ...(kept.columns < columns ? [`keys from ${kept.columns} on`] : []),
  ];
  return parts.length === 0 ? "" : `Left out: ${parts.join("; ")}`;
}

/** One batch, as the figure shows it. */
interface State {
  readonly name: string;
  /** Head by head, row by row: the colours, the printed numbers, and the numbers of the hover labels. */
  readonly z: (number | null)[][][];
  readonly text: string[][][];
  readonly hovertext: string[][][];
  readonly queries: readonly string[];
  readonly keys: readonly string[];
}

function draw(given: Weights, { batches, heads, rows, columns, leftOut }: Shown): Figure {
  const cells = rows * columns * heads.length;
  const decimals = cells * batches.length <= 2048 ? 8 : cells * batches.length <= 8192 ? 4 : 3;
  const finite = given.array.data.every(Number.isFinite);
  const states = batches.map((batch): State => {
    const each = <V>(show: (value: number) => V): V[][][] =>
      heads.map((head) => table(rows, columns, (i, j) => show(given.array.get(batch, head, i, j))));
    return {
      name: `batch ${batch}`,
      z: each((value) => rounded(value, decimals)),
      text: each((value) => fixed(value, 2)),
      hovertext: each(exact),
      queries: given.queries[batch].slice(0, rows),
      keys: given.keys[batch].slice(0, columns),
    };
  });
  const [first] = states;
  const widest = (tokens: readonly string[]): number =>
    Math.max(...tokens.map((token) => textWidth(shorten(visible(token), labelLimit), 12)));
  const panels = arrangePanels({
    count: heads.length,
    rows,
    columns,
    rowLabel: Math.max(...states.map(({ queries }) => widest(queries))),
    columnLabel: Math.max(...states.map(({ keys }) => widest(keys))),
  });
  const { cell, labelled, labelSize: size } = panels;
  const printed = cell >= 29 && cells <= mostPrinted;
  // The lines between the cells, and the cells without a number, are the box behind: it shows through.
  const behind = !finite ? noNumber : cell >= 9 ? cellLine : undefined;

  const sheet = new Sheet();
  const onlyBatch = states.length === 1 && given.array.shape[0] > 1 ? `, ${first.name}` : "";
  sheet.write(`Attention weights${onlyBatch}`, 16, 21, { size: 16 });
  const sums = batches.every((batch) => heads.every((head) => rowsSumToOne(given.array.at(batch, head))));
  const reading = `Each row is a query, each column a key${sums ? "; each row sums to 1" : ""}.`;
  sheet.write(reading, 16, 50, { color: softInk });
  heads.forEach((head, at) => {
    const [left, top] = [panels.left(at), panels.top(at)];
    const [width, height] = [columns * cell, rows * cell];
    if (behind !== undefined) sheet.box({ left, top, width, height }, { fill: behind });
    sheet.draw({
      type: "heatmap",
      name: `head ${head}`,
      z: first.z[at],
      x0: left + cell / 2,
      dx: cell,
      y0: top + cell / 2,
      dy: cell,
      ...(cell >= 9 ? { xgap: 1, ygap: 1 } : {}),
      coloraxis: "coloraxis",
      hovertemplate:
        `head ${head}<br>query %{y}<br>key %{x}<br>` +
        `weight ${finite ? `%{z:.${decimals}~f}` : "%{hovertext}"}<extra></extra>`,
      ...(printed ? { text: first.text[at], texttemplate: "%{text}", textfont: { size: 12 } } : {}),
      ...(finite ? {} : { hovertext: first.hovertext[at] }),
    });
    sheet.write(`head ${head}`, left, top - 4, { valign: "bottom", plate: headColor(head) });
    if (labelled && at % panels.across === 0) {
      for (let i = 0; i < rows; i++) {
        const texts = states.map(({ queries }) => label(queries[i], labelLimit));
        sheet.writeEach(texts, left - 6, top + (i + 0.5) * cell, { size, align: "right" });
      }
      sheet.write("query", 12, top + height / 2, { color: softInk, angle: -90, align: "center" });
    }
    if (labelled && at + panels.across >= heads.length) {
      const angle = panels.columnAngle;
      for (let j = 0; j < columns; j++) {
        const texts = states.map(({ keys }) => label(keys[j], labelLimit));
        const x = left + (j + 0.5) * cell + (angle === -45 ? 5 : 0);
        sheet.writeEach(texts, x, top + height + 5, {
          size,
          angle,
          align: angle === -45 ? "right" : "center",
          valign: "top",
        });
      }
      const under = { color: softInk, align: "center", valign: "top" } as const;
      sheet.write("key", left + width / 2, top + height + panels.labelRoom, under);
    }
  });

  const scaleTop = panels.bottom + 26;
  drawScale(sheet, panels.left(0), scaleTop);
  const width = Math.max(440, panels.right + 26);
  const height = Math.round(scaleTop + (leftOut === "" ? 44 : 66));
  if (leftOut !== "") sheet.write(leftOut, 16, height - 14, { color: softInk });

  // A hover label takes a cell's names from its position, so that they are stored once for all heads.
  const xNames = ({ keys }: State): Record<string, string> =>
    names(keys, heads.slice(0, panels.across), (at, j) => panels.left(at) + (j + 0.5) * cell);
  const yNames = ({ queries }: State): Record<string, string> =>
    names(
      queries,
      Array.from({ length: panels.lines }),
      (line, i) => panels.top(line * panels.across) + (i + 0.5) * cell,
    );
  const buttons = states.map((state, at) => ({
    label: state.name,
    method: "update",
    args: [
      { z: state.z, ...(printed ? { text: state.text } : {}), ...(finite ? {} : { hovertext: state.hovertext }) },
      { ...sheet.changes(at), "xaxis.labelalias": xNames(state), "yaxis.labelalias": yNames(state) },
      heads.map((_, trace) => trace),
    ],
  }));
  return sheet.toFigure(width, height, altText(given, { batches, heads, rows, columns, leftOut }), {
    x: { labelalias: xNames(first) },
    y: { labelalias: yNames(first) },
    coloraxis: { cmin: 0, cmax: 1, colorscale: weightScale, showscale: false },
    ...(states.length > 1 ? { updatemenus: [menu(buttons, { left: 160, top: 4, width, height })] } : {}),
  });
}

/** Position and token of every cell along an axis, by where it stands. */
function names(
  tokens: readonly string[],
  panels: readonly unknown[],
  position: (panel: number, at: number) => number,
): Record<string, string> {
  return Object.fromEntries(
    panels.flatMap((_, panel) => tokens.map((token, at) => [String(position(panel, at)), place(at, token)])),
  );
}

/** The colours from 0 to 1, with their numbers. */
function drawScale(sheet: Sheet, left: number, top: number): void {
  const steps = 41;
  const length = 205;
  sheet.draw({
    type: "heatmap",
    z: [Array.from({ length: steps }, (_, at) => at / (steps - 1))],
    x0: left + length / steps / 2,
    dx: length / steps,
    y0: top + 5,
    dy: 10,
    coloraxis: "coloraxis",
    hoverinfo: "skip",
  });
  for (const weight of [0, 0.5, 1]) {
    sheet.write(String(weight), left + weight * length, top + 14, {
      size: 11,
      color: softInk,
      align: "center",
      valign: "top",
    });
  }
  sheet.write("weight", left + length + 14, top + 5, { size: 11, color: softInk });
}

function rowsSumToOne(panel: NDArray): boolean {
  const [rows, columns] = panel.shape;
  return Array.from({ length: rows }, (_, i) => panel.data.subarray(i * columns, (i + 1) * columns)).every(
    (row) => Math.abs(row.reduce((sum, value) => sum + value, 0) - 1) < 1e-6,
  );
}

function altText({ array, queries, keys }: Weights, { batches, heads, rows, columns, leftOut }: Shown): string {
  const batch = batches[0];
  const named = (tokens: readonly string[], at: number): string =>
    tokens[at] === String(at) ? String(at) : quoted(tokens[at]);
  const strongest = heads.slice(0, 4).map((head) => {
    let best = { i: -1, j: -1, weight: Number.NEGATIVE_INFINITY };
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) {
        const weight = array.get(batch, head, i, j);
        if (weight > best.weight) {
          best = { i, j, weight };
        }
      }
    }
    return best.i < 0
      ? `head ${head} has no number`
      : `in head ${head} query ${named(queries[batch], best.i)} to key ${named(keys[batch], best.j)} (${fixed(best.weight, 2)})`;
  });
  const bad = array.data.reduce((count, value) => count + (Number.isFinite(value) ? 0 : 1), 0);
  const many = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;
  return [
    `Attention weights${array.shape[0] > 1 ? ` of batch ${batch}` : ""}: ${many(heads.length, "head", "heads")}, ` +
      `${many(rows, "query", "queries")} by ${many(columns, "key", "keys")}.`,
    `Strongest: ${strongest.join("; ")}.`,
    ...(bad === 0 ? [] : [`${many(bad, "weight is", "weights are")} not finite.`]),
    ...(batches.length > 1 ? [`A menu shows batches ${span(batches)}.`] : []),
    ...(leftOut === "" ? [] : [`${leftOut}.`]),
  ].join(" ");
}
