// softmaxBars: one query's scores, the scores as they go into the softmax, and the weights that come out, key by key.
//
// For reading temperature and saturation: both panels of scores share one scale, so that the scaling is seen as a shrinking of
// bars, and where there is a scaling the weights have a thin outline of what they would be without it.

import { asNDArray, type NDArrayLike } from "../array/array.js";
import { ValueError } from "../array/errors.js";
import type { NDArray } from "../array/ndarray.js";
import { showShape } from "../array/shape.js";
import { softmax } from "../array/softmax.js";
import type { Figure } from "../display/figure.js";
import { label, quoted, shorten, textWidth, visible } from "./labels.js";
import { approximate, brief, exact, fixed } from "./numbers.js";
import { cellLine, headColor, ink, softInk, tint } from "./palette.js";
import { Sheet } from "./sheet.js";
import { chosenIndices, place, readTokens, type Tokens } from "./weights.js";

/** What `softmaxBars` may be told. */
export interface SoftmaxBarsOptions {
  /** The query to show; 0 when not given. */
  readonly query?: number;
  /** The head to show; 0 when not given. */
  readonly head?: number;
  /** The batch to show; 0 when not given. */
  readonly batch?: number;
  /** The words beside the bars. */
  readonly tokens?: Tokens;
  /** What the given scores are still to be multiplied by before the softmax, as 1/√d or 1/temperature; 1 when not given. */
  readonly scale?: number;
  /** The head width, where the given scores are already divided by √d, as those of `attentionSteps`: shows them undivided too. */
  readonly d?: number;
}

const action = "draw softmax bars";
const mostKeys = 48;
const labelLimit = 18;
const panelWidth = 190;
const numberRoom = 58;
const between = 34;

/**
 * One query's scores, scaled scores and weights as bars, key by key.
 *
 * The weights are `softmax(scores * scale)`. For the scores of `attentionSteps`, which are divided by √d already, pass `d`:
 * the first panel then shows them before the division. For raw products, pass `scale: 1 / Math.sqrt(d)`.
 *
 * @param scores shape (B, H, T, T), (H, T, T), (T, T), or (T,) for the row of one query
 * @param options `query`, `head` and `batch` to show, `tokens` beside the bars, `scale` or `d`
 * @returns a figure of three panels, with the largest weight and how many keys share the attention
 * @throws ValueError if scores has another rank or is empty, an index is out of range, scale is not finite, d is not a whole
 *   number from 1, or both are given
 * @throws TypeError if scores is not an array of numbers
 * @example
 * softmaxBars([2, 0], { scale: 0.5 }); // scores 2 and 0, scaled 1 and 0, weights 0.73 and 0.27
 */
export function softmaxBars(scores: NDArrayLike, options: SoftmaxBarsOptions = {}): Figure {
  const given = asNDArray(scores, action, "scores");
  if (given.ndim < 1 || given.ndim > 4 || given.size === 0) {
    throw new ValueError(
      `Cannot ${action}: scores must have shape (B, H, T, T), (H, T, T), (T, T) or (T,), got shape ${showShape(given.shape)}`,
    );
  }
  const [B, H, rows, columns] = [...Array.from({ length: 4 - given.ndim }, () => 1), ...given.shape];
  const [batch] = chosenIndices(action, "batch", options.batch ?? 0, "B", B);
  const [head] = chosenIndices(action, "head", options.head ?? 0, "H", H);
  const [query] = chosenIndices(action, "query", options.query ?? 0, "T", rows);
  const { scale, d } = options;
  if (scale !== undefined && d !== undefined) {
    throw new ValueError(`Cannot ${action}: scale and d must not both be given, got scale=${scale} and d=${d}`);
  }
  if (scale !== undefined && !Number.isFinite(scale)) {
    throw new ValueError(`Cannot ${action}: scale must be a finite number, got ${scale}`);
  }
  if (d !== undefined && !(Number.isInteger(d) && d >= 1)) {
    throw new ValueError(`Cannot ${action}: d must be a whole number from 1, got ${d}`);
  }
  // A row alone names its keys; it has no other queries.
  const size = [B, given.ndim === 1 ? columns : rows, columns] as const;
  const tokens = readTokens(action, options.tokens, size);
  const row = given.reshape(B, H, rows, columns).at(batch, head, query);
  return draw(bars(row, { scale, d }), {
    title: [
      ...(given.ndim === 1 ? ["One query"] : [`Query ${place(query, tokens.queries[batch][query], labelLimit)}`]),
      ...(H > 1 ? [`head ${head}`] : []),
      ...(B > 1 ? [`batch ${batch}`] : []),
    ].join(", "),
    said: given.ndim === 1 ? "one query" : `query ${named(tokens.queries[batch], query)}`,
    head,
    keys: tokens.keys[batch],
  });
}

/** What the three panels show. */
interface Bars {
  readonly scores: NDArray;
  readonly scaled: NDArray;
  readonly weights: NDArray;
  /** The weights without the scaling, where there is one. */
  readonly unscaled: NDArray | undefined;
  readonly scoresName: string;
  readonly scaledName: string;
}

function bars(row: NDArray, { scale = 1, d }: { scale: number | undefined; d: number | undefined }): Bars {
  if (d !== undefined) {
    const scores = row.map((value) => value * Math.sqrt(d));
    return {
      ...{ scores, scaled: row, weights: softmax(row), unscaled: d === 1 ? undefined : softmax(scores) },
      ...{ scoresName: "scores q · k", scaledName: `divided by √${d}` },
    };
  }
  const scaled = row.map((value) => value * scale);
  return {
    ...{ scores: row, scaled, weights: softmax(scaled), unscaled: scale === 1 ? undefined : softmax(row) },
    ...{ scoresName: "scores", scaledName: scale === 1 ? "scaled scores (scale 1)" : `times ${approximate(scale)}` },
  };
}

function named(tokens: readonly string[], at: number): string {
  return tokens[at] === String(at) ? String(at) : quoted(tokens[at]);
}

/** How many keys would share the attention equally with the same entropy: 1 when one key has it all. */
function sharedBy(weights: Float64Array): number {
  return Math.exp(weights.reduce((sum, weight) => (weight > 0 ? sum - weight * Math.log(weight) : sum), 0));
}

interface Names {
  readonly title: string;
  readonly said: string;
  readonly head: number;
  readonly keys: readonly string[];
}

function draw({ scores, scaled, weights, unscaled, scoresName, scaledName }: Bars, names: Names): Figure {
  const count = Math.min(weights.size, mostKeys);
  const keys = names.keys.slice(0, count);
  const step = count <= 16 ? 26 : 18;
  const left = 28 + Math.max(24, ...keys.map((key) => textWidth(shorten(visible(key), labelLimit), 12)));
  const top = 112;
  const spread = `The attention is as wide as over ${sharedBy(weights.data).toFixed(1)} of ${weights.size} keys of equal weight.`;
  const best = weights.data.reduce((most, weight, at) => (weight > weights.data[most] ? at : most), 0);
  const finite = weights.data.every(Number.isFinite);
  const sentence = finite
    ? `The largest weight is ${fixed(weights.data[best], 2)}, for key ${place(best, names.keys[best], labelLimit)}. ${spread}`
    : "Some weights are not finite.";

  const sheet = new Sheet();
  sheet.write(names.title, 16, 21, { size: 16 });
  sheet.write(sentence, 16, 48, { color: softInk });
  keys.forEach((key, at) => {
    sheet.write(label(key, labelLimit), left - 10, top + (at + 0.5) * step, { align: "right" });
  });
  sheet.write("key", left - 10, top - 14, { color: softInk, align: "right" });

  const all = [...scores.data.subarray(0, count), ...scaled.data.subarray(0, count)].filter(Number.isFinite);
  // An infinite bar reaches the edge of its panel, beyond every finite one.
  const beyond = (infinity: number): number => (scores.data.includes(infinity) ? 1.15 : 1);
  const scoreRange = {
    low: Math.min(0, ...all) * beyond(Number.NEGATIVE_INFINITY),
    high: Math.max(0, ...all) * beyond(Number.POSITIVE_INFINITY),
  };
  const color = headColor(names.head);
  const panels = [
    { name: scoresName, values: scores, range: scoreRange, fill: tint(color, 0.4), write: brief },
    { name: scaledName, values: scaled, range: scoreRange, fill: tint(color, 0.65), write: brief },
    {
      name: "weights",
      values: weights,
      range: { low: 0, high: 1 },
      fill: color,
      write: (value: number) => fixed(value, 2),
    },
  ];
  panels.forEach(({ name, values, range, fill, write }, panel) => {
    const start = left + panel * (panelWidth + numberRoom + between);
    const length = range.high - range.low || 1;
    const at = (value: number): number =>
      Math.round(
        10 * (start + ((Math.min(Math.max(value, range.low), range.high) - range.low) / length) * panelWidth),
      ) / 10;
    const zero = at(0);
    sheet.write(name, start, top - 14);
    sheet.box({ left: zero, top: top - 2, width: 1, height: count * step + 4 }, { fill: cellLine });
    const shown = values.data.slice(0, count);
    sheet.draw({
      type: "bar",
      orientation: "h",
      y: keys.map((_, key) => top + (key + 0.5) * step),
      base: zero,
      x: Array.from(shown, (value) => (Number.isNaN(value) ? 0 : Math.round(10 * (at(value) - zero)) / 10)),
      width: step - 8,
      marker: { color: fill, line: { width: 0 } },
      hovertext: Array.from(shown, (value, key) => `key ${place(key, keys[key])}<br>${name}: ${exact(value)}`),
      hovertemplate: "%{hovertext}<extra></extra>",
    });
    shown.forEach((value, key) => {
      const outlined = panel === 2 ? (unscaled?.data[key] ?? 0) : 0;
      const end = Math.max(zero, ...[value, outlined].filter((one) => !Number.isNaN(one)).map(at));
      sheet.write(write(value), end + 6, top + (key + 0.5) * step, { size: 11, color: ink });
    });
    if (panel === 2 && unscaled !== undefined) {
      unscaled.data.slice(0, count).forEach((value, key) => {
        if (!Number.isFinite(value)) return;
        const box = { left: zero, top: top + key * step + 2, width: at(value) - zero, height: step - 4 };
        sheet.box(box, { line: softInk, over: true });
      });
    }
  });
  const notes = [
    ...(unscaled === undefined ? [] : ["Thin outlines: the weights without the scaling."]),
    ...(count < weights.size ? [`Left out: keys from ${count} on.`] : []),
  ];
  const bottom = top + count * step + 12;
  notes.forEach((note, at) => {
    sheet.write(note, 16, bottom + 10 + 18 * at, { color: softInk, size: 11 });
  });
  const width = left + 3 * (panelWidth + numberRoom) + 2 * between + 16;
  const alt = [
    `Bars for ${names.said} over ${weights.size} keys: ${scoresName}, ${scaledName}, weights.`,
    finite
      ? `The largest weight is ${fixed(weights.data[best], 2)}, for key ${named(names.keys, best)}. ${spread}`
      : "Some weights are not finite.",
    ...notes.slice(unscaled === undefined ? 0 : 1),
  ].join(" ");
  return sheet.toFigure(width, bottom + 18 * notes.length + 14, alt, { bargap: 0, barmode: "overlay" });
}
