// attentionMap: attention weights as one panel a head, query 0 in the top row, dark for a weight of 1.
//
// All heads share one colour scale, so that panels can be compared; a head's own colour is on its name. A figure holds a
// bounded count of weights, so that a notebook stays small; what is left out is said under the panels and in the alt text.

import type { NDArrayLike } from "../array/array.js";
import type { Figure } from "../display/figure.js";
import { altText, describeOdd, describeReading } from "./attention-map-words.js";
import { batchMenu } from "./batch-menu.js";
import { table } from "./cells.js";
import { label, shorten, textWidth, visible } from "./labels.js";
import { exact, told, weightText } from "./numbers.js";
import { cellLine, headColor, noNumber, softInk, weightScale, wrong } from "./palette.js";
import { arrangePanels } from "./panels.js";
import { type Part, Sheet, titleRoom } from "./sheet.js";
import { describeLeftOut, type Shown } from "./shown.js";
import { place, readWeights, type WeightFigureOptions, type Weights } from "./weights.js";

const action = "draw attention weights";
/** The most weights of one batch: 64 heads of 16 tokens. */
const mostWeights = 16_384;
/** The most weights of all batches together, and those of them that Plotly's JSON has as well. */
const mostInMenu = 40_000;
const mostInJson = 1_024;
/** The most that Plotly's JSON has as numbers, each on a line of the notebook's file; beyond, it has their bytes. */
const mostOnLines = 4_096;
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
  return draw(shown, { batches, heads, rows, columns });
}

/** What a heatmap leaves empty, and a hover label does not write, where it would write null as 0. */
const hole = "";

/** One batch, as the figure shows it. */
interface State {
  readonly batch: number;
  /** Head by head, row by row: the colours, which are the numbers of the hover labels, and the printed numbers. A hole is "". */
  readonly z: (number | "")[][][];
  readonly text: string[][][];
  /** The names of what is not finite, in the heads that have it. */
  readonly hovertext: (string[][] | null)[];
  readonly note: string;
  readonly queries: readonly string[];
  readonly keys: readonly string[];
}

function draw(given: Weights, part: Shown): Figure {
  const { batches, heads, rows, columns } = part;
  const cells = rows * columns * heads.length;
  const digits = cells * batches.length <= 2048 ? 8 : cells * batches.length <= mostWeights && cells <= 4096 ? 4 : 3;
  const panelsOf = (batch: number) => heads.map((head) => given.array.at(batch, head));
  const finite = batches.flatMap(panelsOf).every(({ data }) => data.every(Number.isFinite));
  const states = batches.map((batch): State => {
    const each = <V>(show: (value: number) => V): V[][][] =>
      heads.map((head) => table(rows, columns, (i, j) => show(given.array.get(batch, head, i, j))));
    return {
      batch,
      z: each((value) => told(value, digits) ?? hole),
      text: each(weightText),
      hovertext: each((value) => (Number.isFinite(value) ? "" : exact(value))).map((panel) =>
        panel.flat().some((name) => name !== "") ? panel : null,
      ),
      queries: given.queries[batch].slice(0, rows),
      keys: given.keys[batch].slice(0, columns),
      note: describeOdd(panelsOf(batch)),
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
  const behind = !finite ? noNumber : cell >= 9 ? cellLine : undefined;

  const title = `Attention weights${states.length === 1 && given.array.shape[0] > 1 ? `, batch ${first.batch}` : ""}`;
  const width = Math.max(440, panels.right + 26, titleRoom(title));
  const sheet = new Sheet();
  sheet.write(title, 16, 21, { size: 16 });
  const readings = batches.map((batch) => describeReading(panelsOf(batch), labelEvery, cells <= mostPrinted));
  const noteTop = sheet.paragraphEach(readings, 16, 50, width - 32, { color: softInk });
  const notes = states.map(({ note }) => note);
  const under = sheet.paragraphEach(notes, 16, noteTop, width - 32, { color: wrong });
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
        `weight ${finite ? "" : "%{hovertext}"}%{z:.${digits}~g}<extra></extra>`,
      ...(finite ? {} : { hovertemplatefallback: "" }), // for a head that has no names in a batch
      ...(printed ? { text: first.text[at], texttemplate: "%{text}", textfont: { size: 12 } } : {}),
      ...(first.hovertext[at] === null ? {} : { hovertext: first.hovertext[at] }),
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
  const leftOut = describeLeftOut(given, part);
  const leftOutTop = scaleTop + 52;
  const end =
    leftOut === "" ? leftOutTop - 8 : sheet.paragraph(leftOut, 16, leftOutTop, width - 32, { color: softInk });
  const height = Math.round(end);

  // A hover label takes a cell's names from its position, so that they are stored once for all heads.
  const xNames = ({ keys }: State): Record<string, string> =>
    names(keys, heads.slice(0, panels.across), (at, j) => panels.left(at) + (j + 0.5) * cell);
  const yNames = ({ queries }: State): Record<string, string> =>
    names(queries, Array.from({ length: panels.lines }), (line, i) => top(line * panels.across) + (i + 0.5) * cell);
  const choices = states.map((state, at) => ({
    batch: state.batch,
    args: [
      { z: state.z, ...(printed ? { text: state.text } : {}), ...(finite ? {} : { hovertext: state.hovertext }) },
      { ...sheet.changes(at), "xaxis.labelalias": xNames(state), "yaxis.labelalias": yNames(state) },
      heads.map((_, trace) => trace),
    ],
  }));
  const heavy = cells * states.length > mostInJson;
  const menu = batchMenu(choices, { left: 28 + textWidth(title, 16), top: 4, width, height }, heavy);
  return sheet.toFigure(width, height, altText(given, part, first.note), {
    x: { labelalias: xNames(first) },
    y: { labelalias: yNames(first) },
    coloraxis: { cmin: 0, cmax: 1, colorscale: weightScale, showscale: false },
    ...(states.length > 1 ? { updatemenus: [menu.menu], menusInJson: [menu.inJson] } : {}),
    ...(cells > mostOnLines ? { dataInJson: sheet.data.map(packed) } : {}),
  });
}

/** The number of this name. */
function named(name = "nan"): number {
  return Number(name.replace("nan", "NaN").replace("inf", "Infinity"));
}

/** A trace whose numbers are bytes, as Plotly reads them since 2.28; they hold nan and the infinities as well. */
function packed({ hovertext, hovertemplate, ...trace }: Part): Part {
  const z = trace.z as State["z"][number];
  const names = hovertext as string[][] | undefined;
  const numbers = z.flatMap((row, i) => row.map((number, j) => (number === hole ? named(names?.[i][j]) : number)));
  const bdata = Buffer.from(Float32Array.from(numbers).buffer).toString("base64");
  return {
    ...trace,
    ...(hovertemplate === undefined ? {} : { hovertemplate: String(hovertemplate).replace("%{hovertext}", "") }),
    z: { dtype: "f4", bdata, shape: `${z.length}, ${z[0].length}` },
  };
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
