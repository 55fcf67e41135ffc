// attentionMap: attention weights as one panel a head, query 0 in the top row, dark for a weight of 1.
//
// All heads share one colour scale, so that panels can be compared; a head's own colour is on its name. A figure holds a
// bounded count of weights, so that a notebook stays small; what is left out is said under the panels and in the alt text.

import type { NDArrayLike } from "../array/array.js";
import type { NDArray } from "../array/ndarray.js";
import type { Figure } from "../display/figure.js";
import { label, quoted, shorten, textWidth, visible } from "./labels.js";
import { exact, fixed, rounded } from "./numbers.js";
import { cellLine, headColor, ink, noNumber, softInk, weightScale } from "./palette.js";
import { type Part, Sheet } from "./sheet.js";
import { place, readWeights, type Tokens, type Weights } from "./weights.js";

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
const mostHeads = 64;
const mostTokens = 128;
/** The most cells that are printed with their values. */
const mostPrinted = 600;
const pageWidth = 960;
/** Space between panels. */
const gap = 16;
/** Space above each line of panels, for the heads' names. */
const headRoom = 30;
const labelLimit = 16;

/**
 * Attention weights as a picture: one panel a head, row i for query i, column j for key j, colours from 0 to 1.
 *
 * @param weights - Attention weights of shape (B, H, T, T); (H, T, T) and (T, T) are read as one batch, one head.
 * @param options - `tokens` for the rows and columns; `batch` and `heads` to show.
 * @returns A figure: values printed while they are legible; query, key and weight on hover; a menu of batches when B > 1.
 * @throws ValueError if weights has another rank or is empty, if batch or heads is out of range, or if a token is missing
 * @example
 * attentionMap([[0.9, 0.1], [0.5, 0.5]], { tokens: ["a", "b"] }); // the top row is dark on the left: a looks at a
 */
export function attentionMap(weights: NDArrayLike, options: AttentionMapOptions = {}): Figure {
  const shown = readWeights(action, weights, options);
  const rows = Math.min(shown.array.shape[2], mostTokens);
  const columns = Math.min(shown.array.shape[3], mostTokens);
  const heads = shown.heads.slice(0, Math.min(mostHeads, Math.max(1, Math.floor(mostWeights / (rows * columns)))));
  const batches = shown.batches.slice(0, Math.max(1, Math.floor(mostWeights / (rows * columns * heads.length))));
  const leftOut = describeLeftOut(shown, { batches: batches.length, heads: heads.length, rows, columns });
  return draw(shown, { batches, heads, rows, columns, leftOut });
}

/** The part of the weights that one figure shows. */
interface Part4 {
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
    ...(kept.batches < batches.length ? [`batches ${list(batches.slice(kept.batches))} (choose with batch)`] : []),
    ...(kept.heads < heads.length ? [`heads ${list(heads.slice(kept.heads))} (choose with heads)`] : []),
    ...(kept.rows < rows ? [`queries from ${kept.rows} on`] : []),
    ...(kept.columns < columns ? [`keys from ${kept.columns} on`] : []),
  ];
  return parts.length === 0 ? "" : `Left out: ${parts.join("; ")}`;
}

function list(indices: readonly number[]): string {
  return indices.length > 1 ? `${indices[0]} to ${indices[indices.length - 1]}` : String(indices[0]);
}

/** What changes from one batch to the next. */
interface State {
  readonly name: string;
  readonly z: (number | null)[][][];
  readonly text: string[][][];
  readonly hovertext: string[][][];
  readonly queries: readonly string[];
  readonly keys: readonly string[];
}

function draw(shown: Weights, { batches, heads, rows, columns, leftOut }: Part4): Figure {
  const cells = rows * columns * heads.length;
  const decimals = cells * batches.length <= 2048 ? 8 : cells * batches.length <= 8192 ? 4 : 3;
  const finite = shown.array.data.every(Number.isFinite);
  const states = batches.map((batch): State => {
    const panels = heads.map((head) => grid(rows, columns, (i, j) => shown.array.get(batch, head, i, j)));
    return {
      name: `batch ${batch}`,
      z: panels.map((panel) => panel.map((row) => row.map((value) => rounded(value, decimals)))),
      text: panels.map((panel) => panel.map((row) => row.map((value) => fixed(value, 2)))),
      hovertext: panels.map((panel) => panel.map((row) => row.map(exact))),
      queries: shown.queries[batch].slice(0, rows),
      keys: shown.keys[batch].slice(0, columns),
    };
  });

  const tokenWidth = (tokens: readonly string[], size: number): number =>
    Math.max(...tokens.map((token) => textWidth(shorten(visible(token), labelLimit), size)));
  const queryWidth = Math.max(...states.map(({ queries }) => tokenWidth(queries, 12)));
  const keyWidth = Math.max(...states.map(({ keys }) => tokenWidth(keys, 12)));
  const left = Math.round(36 + Math.max(queryWidth, keyWidth * 0.6));
  const fit = fitPanels(heads.length, rows, columns, left, keyWidth);
  const { cell, across } = fit;
  const labelled = cell >= 9;
  const size = cell >= 16 ? 12 : cell >= 12 ? 11 : 9;
  const angle = keyWidth <= cell - 4 ? 0 : cell >= 17 ? -45 : -90;
  const edge = labelled ? left : 36;
  const keyRoom = labelled ? (angle === 0 ? 20 : angle === -45 ? keyWidth * 0.75 + 14 : keyWidth + 10) : 4;
  const top = 90;
  const stepDown = rows * cell + (heads.length > across ? headRoom + 4 : 0);
  const lines = Math.ceil(heads.length / across);
  const printed = cell >= 26 && cells <= mostPrinted;

  const sheet = new Sheet();
  const several = states.length > 1 || shown.array.shape[0] > 1;
  const title = ({ name }: State): string => `Attention weights${several && states.length === 1 ? `, ${name}` : ""}`;
  const changing: { at: number; text: (state: State) => string }[] = [];
  const write = (text: (state: State) => string, ...rest: [number, number, object]): void => {
    const at = sheet.write(text(states[0]), ...rest);
    if (states.some((state) => text(state) !== text(states[0]))) {
      changing.push({ at, text });
    }
  };
  write(title, 16, 21, { size: 16 });
  const sums = batches.every((batch) => heads.every((head) => rowsSumToOne(shown.array.at(batch, head))));
  sheet.write(`Each row is a query, each column a key${sums ? "; each row sums to 1" : ""}.`, 16, 50, {
    color: softInk,
  });

  heads.forEach((head, at) => {
    const x = edge + (at % across) * (columns * cell + gap);
    const y = top + Math.floor(at / across) * stepDown;
    if (!finite || cell >= 9) {
      // What shows through: the lines between the cells, and the cells without a number.
      sheet.box(
        { left: x, top: y, width: columns * cell, height: rows * cell },
        { fill: finite ? cellLine : noNumber },
      );
    }
    sheet.draw({
      type: "heatmap",
      name: `head ${head}`,
      z: states[0].z[at],
      x0: x + cell / 2,
      dx: cell,
      y0: y + cell / 2,
      dy: cell,
      ...(cell >= 9 ? { xgap: 1, ygap: 1 } : {}),
      coloraxis: "coloraxis",
      hovertemplate: `query %{y}<br>key %{x}<br>weight ${finite ? `%{z:.${decimals}~f}` : "%{text}"}<extra>head ${head}</extra>`,
      ...(printed ? { text: states[0].text[at], texttemplate: "%{text}", textfont: { size: 12 } } : {}),
      ...(finite ? {} : { hovertext: states[0].hovertext[at] }),
    });
    sheet.write(`head ${head}`, x, y - 4, { size: 12, valign: "bottom", plate: headColor(head) });
    const lowest = at + across >= heads.length;
    if (labelled && at % across === 0) {
      for (let i = 0; i < rows; i++) {
        write(({ queries }) => label(queries[i], labelLimit), x - 6, y + (i + 0.5) * cell, { size, align: "right" });
      }
      sheet.write("query", 12, y + (rows * cell) / 2, { color: softInk, angle: -90, align: "center" });
    }
    if (labelled && lowest) {
      for (let j = 0; j < columns; j++) {
        const middle = x + (j + 0.5) * cell;
        const style =
          angle === 0 ? { align: "center" } : angle === -90 ? { align: "center", angle } : { align: "right", angle };
        write(({ keys }) => label(keys[j], labelLimit), middle + (angle === -45 ? 5 : 0), y + rows * cell + 5, {
          size,
          valign: "top",
          ...style,
        });
      }
      sheet.write("key", x + (columns * cell) / 2, y + rows * cell + keyRoom, {
        color: softInk,
        align: "center",
        valign: "top",
      });
    }
  });

  const bottom = top + (lines - 1) * stepDown + rows * cell + keyRoom + 26;
  const width = Math.max(440, edge + Math.min(across, heads.length) * (columns * cell + gap) + 10);
  const height = Math.round(bottom + 44 + (leftOut === "" ? 0 : 22));
  if (leftOut !== "") {
    sheet.write(leftOut, 16, height - 14, { color: softInk });
  }
  drawScale(sheet, edge, bottom);
  const positionsOf = (at: number, count: number, axis: "x" | "y"): number =>
    axis === "x"
      ? edge + Math.floor(at / count) * (columns * cell + gap) + ((at % count) + 0.5) * cell
      : top + Math.floor(at / count) * stepDown + ((at % count) + 0.5) * cell;
  const aliases = (tokens: readonly string[], count: number, axis: "x" | "y", panels: number): Record<string, string> =>
    Object.fromEntries(
      Array.from({ length: count * panels }, (_, at) => [
        String(positionsOf(at, count, axis)),
        place(at % count, tokens[at % count]),
      ]),
    );
  const xAlias = ({ keys }: State) => aliases(keys, columns, "x", Math.min(across, heads.length));
  const yAlias = ({ queries }: State) => aliases(queries, rows, "y", lines);
  const traces = heads.map((_, at) => at);
  const menu: Part = {
    buttons: states.map((state) => ({
      label: state.name,
      method: "update",
      args: [
        { z: state.z, ...(printed ? { text: state.text } : {}), ...(finite ? {} : { hovertext: state.hovertext }) },
        {
          ...Object.fromEntries(changing.map(({ at, text }) => [`annotations[${at}].text`, text(state)])),
          "xaxis.labelalias": xAlias(state),
          "yaxis.labelalias": yAlias(state),
        },
        traces,
      ],
    })),
    x: 160 / width,
    xanchor: "left",
    y: 1 - 4 / height,
    yanchor: "top",
    bgcolor: "#FFFFFF",
    bordercolor: noNumber,
    font: { size: 12, color: ink },
  };
  return sheet.toFigure(width, height, altText(shown, { batches, heads, rows, columns, leftOut }), {
    x: { labelalias: xAlias(states[0]) },
    y: { labelalias: yAlias(states[0]) },
    coloraxis: { cmin: 0, cmax: 1, colorscale: weightScale, showscale: false },
    ...(states.length > 1 ? { updatemenus: [menu] } : {}),
  });
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

function grid<T>(rows: number, columns: number, value: (i: number, j: number) => T): T[][] {
  return Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => value(i, j)));
}

/** How many panels stand side by side, and the size of a cell, so that the cells are as large as the page allows. */
function fitPanels(
  panels: number,
  rows: number,
  columns: number,
  left: number,
  keyWidth: number,
): { cell: number; across: number } {
  const attempts = [
    { tallest: 560, least: 9, edge: left },
    { tallest: 1080, least: 5, edge: 36 },
    { tallest: Number.POSITIVE_INFINITY, least: 1, edge: 36 },
  ];
  for (const { tallest, least, edge } of attempts) {
    let best = { cell: 0, across: 1, empty: 0 };
    for (let across = panels; across >= 1; across--) {
      const lines = Math.ceil(panels / across);
      const wide = (pageWidth - edge - gap * across) / (across * columns);
      const high = (tallest - (headRoom + 4) * lines - (least === 9 ? keyWidth * 0.75 : 0)) / (lines * rows);
      const cell = Math.min(52, Math.floor(Math.min(wide, high)));
      const empty = lines * across - panels;
      if (cell > best.cell || (cell === best.cell && empty < best.empty)) {
        best = { cell, across, empty };
      }
    }
    if (best.cell >= least) {
      return best;
    }
  }
  return { cell: 4, across: 1 };
}

function rowsSumToOne(panel: NDArray): boolean {
  const [rows, columns] = panel.shape;
  return Array.from({ length: rows }, (_, i) => panel.data.subarray(i * columns, (i + 1) * columns)).every(
    (row) => Math.abs(row.reduce((sum, value) => sum + value, 0) - 1) < 1e-6,
  );
}

function altText({ array, queries, keys }: Weights, { batches, heads, rows, columns, leftOut }: Part4): string {
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
    ...(batches.length > 1 ? [`A menu shows batches ${list(batches)}.`] : []),
    ...(leftOut === "" ? [] : [`${leftOut}.`]),
  ].join(" ");
}
