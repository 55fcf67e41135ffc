// attentionMap: attention weights as one panel a head, query 0 in the top row, dark for a weight of 1.
//
// All heads share one colour scale, so that panels can be compared; a head's own colour is on its name. A figure holds a
// bounded count of weights, so that a notebook stays small; what is left out is said under the panels and in the alt text.

import type { NDArrayLike } from "../array/array.js";
import type { NDArray } from "../array/ndarray.js";
import type { Figure } from "../display/figure.js";
import { batchMenu } from "./batch-menu.js";
import { table } from "./cells.js";
import { label, shorten, textWidth, visible } from "./labels.js";
import { exact, rounded, weightText } from "./numbers.js";
import { findOddities } from "./odd-weights.js";
import { cellLine, headColor, noNumber, softInk, weightScale, wrong } from "./palette.js";
import { arrangePanels } from "./panels.js";
import { Sheet, titleRoom } from "./sheet.js";
import { strongestOfHead } from "./strongest.js";
import { place, readWeights, type WeightFigureOptions, type Weights } from "./weights.js";
import { leftOutOf, many, span } from "./words.js";

const action = "draw attention weights";
/** The most weights of one batch: 64 heads of 16 tokens. */
const mostWeights = 16_384;
/** The most weights of all batches together, and those of them that Plotly's JSON has as well. */
const mostInMenu = 40_000;
const mostInJson = 1_024;
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
 * @throws ValueError if weights has another rank or is empty, if batch or heads is out of range or repeated, or if a token is
 *   missing
 * @throws TypeError if weights is not an array of numbers, a token is not a string, or an option has another name
 * @example
 * attentionMap([[0.9, 0.1], [0.5, 0.5]], { tokens: ["a", "b"] }); // the top row is dark on the left: a looks at a
 */
export function attentionMap(weights: NDArrayLike, options: WeightFigureOptions = {}): Figure {
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
    ...(kept.batches < batches.length ? [leftOutOf("batch", batches.slice(kept.batches), "batch")] : []),
    ...(kept.heads < heads.length ? [leftOutOf("head", heads.slice(kept.heads), "heads")] : []),
    ...(kept.rows < rows ? [`queries from ${kept.rows} on`] : []),
    ...(kept.columns < columns ? [`keys from ${kept.columns} on`] : []),
  ];
  return parts.length === 0 ? "" : `Left out: ${parts.join("; ")}.`;
}

/** One batch, as the figure shows it. */
interface State {
  readonly batch: number;
  /** Head by head, row by row: the colours, the printed numbers, and the numbers of the hover labels. */
  readonly z: (number | null)[][][];
  readonly text: string[][][];
  readonly hovertext: string[][][];
  readonly queries: readonly string[];
  readonly keys: readonly string[];
}

function draw(given: Weights, { batches, heads, rows, columns, leftOut }: Shown): Figure {
  const cells = rows * columns * heads.length;
  const decimals = cells * batches.length <= 2048 ? 8 : cells * batches.length <= mostInMenu && cells <= 4096 ? 4 : 3;
  const shown = batches.flatMap((batch) => heads.map((head) => given.array.at(batch, head)));
  const oddities = findOddities(shown);
  // Far from 0 and 1, or without a number, a weight is told by name; else its colour's number does.
  const byName = !given.array.data.every((weight) => Math.abs(weight) < 1000);
  const states = batches.map((batch): State => {
    const each = <V>(show: (value: number) => V): V[][][] =>
      heads.map((head) => table(rows, columns, (i, j) => show(given.array.get(batch, head, i, j))));
    return {
      batch,
      z: each((value) => rounded(value, decimals)),
      text: each(weightText),
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
  const { cell, labelEvery, labelSize: size } = panels;
  const printed = cell >= 29 && cells <= mostPrinted;
  // The lines between the cells, and the cells without a number, are the box behind: it shows through.
  const finite = given.array.data.every(Number.isFinite);
  const behind = !finite ? noNumber : cell >= 9 ? cellLine : undefined;

  const title = `Attention weights${states.length === 1 && given.array.shape[0] > 1 ? `, batch ${first.batch}` : ""}`;
  const width = Math.max(440, panels.right + 26, titleRoom(title));
  const sheet = new Sheet();
  sheet.write(title, 16, 21, { size: 16 });
  const readings = [
    `Each row is a query, each column a key${oddities.sumToOne ? "; each row sums to 1" : ""}.`,
    ...(labelEvery === 1 ? [] : [`Every ${labelEvery === 2 ? "2nd" : `${labelEvery}th`} is labelled.`]),
    ...(cells > mostPrinted ? paleness(shown) : []),
  ];
  let under = sheet.paragraph(readings.join(" "), 16, 50, width - 32, { color: softInk });
  const note = oddities.note === "" ? "" : `${oddities.note}${oddities.beyond ? " The colours end at 0 and 1." : ""}`;
  if (note !== "") under = sheet.paragraph(note, 16, under, width - 32, { color: wrong });
  // The panels move down by what is written beyond one line.
  const top = (at: number): number => panels.top(at) + under - 68;
  heads.forEach((head, at) => {
    const left = panels.left(at);
    const box = { left, top: top(at), width: columns * cell, height: rows * cell };
    const bottom = box.top + box.height;
    if (behind !== undefined) sheet.box(box, { fill: behind });
    sheet.draw({
      type: "heatmap",
      name: `head ${head}`,
      z: first.z[at],
      x0: left + cell / 2,
      dx: cell,
      y0: box.top + cell / 2,
      dy: cell,
      ...(cell >= 9 ? { xgap: 1, ygap: 1 } : {}),
      coloraxis: "coloraxis",
      hovertemplate:
        `head ${head}<br>query %{y}<br>key %{x}<br>` +
        `weight ${byName ? "%{hovertext}" : `%{z:.${decimals}~f}`}<extra></extra>`,
      ...(printed ? { text: first.text[at], texttemplate: "%{text}", textfont: { size: 12 } } : {}),
      ...(byName ? { hovertext: first.hovertext[at] } : {}),
    });
    sheet.write(`head ${head}`, left, box.top - 4, { valign: "bottom", plate: headColor(head) });
    if (at % panels.across === 0) {
      for (let i = 0; i < rows; i += labelEvery) {
        const texts = states.map(({ queries }) => label(queries[i], labelLimit));
        sheet.writeEach(texts, left - 6, box.top + (i + 0.5) * cell, { size, align: "right" });
      }
      sheet.write("query", 12, box.top + box.height / 2, { color: softInk, angle: -90, align: "center" });
    }
    if (at + panels.across >= heads.length) {
      const angle = panels.columnAngle;
      for (let j = 0; j < columns; j += labelEvery) {
        const texts = states.map(({ keys }) => label(keys[j], labelLimit));
        const x = left + (j + 0.5) * cell + (angle === -45 ? 5 : 0);
        const align = angle === -45 ? "right" : "center";
        sheet.writeEach(texts, x, bottom + 5, { size, angle, align, valign: "top" });
      }
      const style = { color: softInk, align: "center", valign: "top" } as const;
      sheet.write("key", left + box.width / 2, bottom + panels.labelRoom, style);
    }
  });

  const scaleTop = panels.bottom + under - 68 + 26;
  drawScale(sheet, panels.left(0), scaleTop);
  const noteTop = scaleTop + 52;
  const end = leftOut === "" ? noteTop - 8 : sheet.paragraph(leftOut, 16, noteTop, width - 32, { color: softInk });
  const height = Math.round(end);

  // A hover label takes a cell's names from its position, so that they are stored once for all heads.
  const xNames = ({ keys }: State): Record<string, string> =>
    names(keys, heads.slice(0, panels.across), (at, j) => panels.left(at) + (j + 0.5) * cell);
  const yNames = ({ queries }: State): Record<string, string> =>
    names(queries, Array.from({ length: panels.lines }), (line, i) => top(line * panels.across) + (i + 0.5) * cell);
  const choices = states.map((state, at) => ({
    batch: state.batch,
    args: [
      { z: state.z, ...(printed ? { text: state.text } : {}), ...(byName ? { hovertext: state.hovertext } : {}) },
      { ...sheet.changes(at), "xaxis.labelalias": xNames(state), "yaxis.labelalias": yNames(state) },
      heads.map((_, trace) => trace),
    ],
  }));
  const heavy = cells * states.length > mostInJson;
  const menu = batchMenu(choices, { left: 28 + textWidth(title, 16), top: 4, width, height }, heavy);
  const alt = altText(given, { batches, heads, rows, columns, leftOut }, note);
  return sheet.toFigure(width, height, alt, {
    x: { labelalias: xNames(first) },
    y: { labelalias: yNames(first) },
    coloraxis: { cmin: 0, cmax: 1, colorscale: weightScale, showscale: false },
    ...(states.length > 1 ? { updatemenus: [menu.menu], menusInJson: [menu.inJson] } : {}),
  });
}

/** What explains a pale figure: many keys share a weight of 1. */
function paleness(shown: readonly NDArray[]): string[] {
  const largest = shown.reduce((most, { data }) => data.reduce((best, weight) => Math.max(best, weight), most), 0);
  return largest < 0.35 ? [`The largest weight is ${weightText(largest)}, so every cell is pale.`] : [];
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

function altText(
  { array, queries, keys }: Weights,
  { batches, heads, rows, columns, leftOut }: Shown,
  note: string,
): string {
  const [batch] = batches;
  const strongest = heads.slice(0, 4).map((head) => {
    const panel = Array.from({ length: rows }, (_, i) =>
      Float64Array.from({ length: columns }, (_, j) => array.get(batch, head, i, j)),
    );
    return strongestOfHead(head, panel, queries[batch], keys[batch].slice(0, columns));
  });
  const bad = array.data.reduce((count, value) => count + (Number.isFinite(value) ? 0 : 1), 0);
  return [
    `Attention weights${array.shape[0] > 1 ? ` of batch ${batch}` : ""}: ${many(heads.length, "head")}, ` +
      `${many(rows, "query", "queries")} by ${many(columns, "key")}.`,
    `Strongest: ${strongest.join("; ")}.`,
    ...(bad === 0 ? [] : [`${many(bad, "weight is", "weights are")} not finite.`]),
    ...(note === "" ? [] : [note]),
    ...(batches.length > 1 ? [`A menu shows batches ${span(batches)}.`] : []),
    ...(leftOut === "" ? [] : [leftOut]),
  ].join(" ");
}
