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
import { label, shorten, textWidth, visible } from "./labels.js";
import { approximate, brief, exact, fixed } from "./numbers.js";
import { checkOptions, chosenIndex } from "./options.js";
import { cellLine, headColor, noNumber, softInk, tint } from "./palette.js";
import { Sheet, titleRoom } from "./sheet.js";
import { largestAt, tokenName } from "./strongest.js";
import { place, readTokens, type Tokens } from "./weights.js";
import { many } from "./words.js";

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
const inf = Number.POSITIVE_INFINITY;
const mostKeys = 48;
const labelLimit = 18;
const pageWidth = 960;
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
  checkOptions(action, options, ["query", "head", "batch", "tokens", "scale", "d"]);
  const [B, H, rows, columns] = [...Array.from({ length: 4 - given.ndim }, () => 1), ...given.shape];
  const batch = chosenIndex(action, "batch", options.batch ?? 0, "B", B);
  const head = chosenIndex(action, "head", options.head ?? 0, "H", H);
  const query = chosenIndex(action, "query", options.query ?? 0, "T", rows);
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
    said: given.ndim === 1 ? "one query" : `query ${tokenName(tokens.queries[batch], query)}`,
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

/** In words: the largest weight, whose it is, and how far the attention is spread; or why there is none. */
function describe({ scaled, weights }: Bars, nameOf: (key: number) => string): string {
  if (!weights.data.every(Number.isFinite)) {
    const { data } = scaled;
    const score = data.some(Number.isNaN)
      ? "A score is nan"
      : data.includes(inf)
        ? "A score is inf"
        : "Every score is -inf";
    return `${score}, so no weight is a number.`;
  }
  if (weights.size === 1) return "The one key there is has a weight of 1.";
  const largest = largestAt(weights.data);
  const weight = fixed(weights.data[largest[0]], 2);
  if (largest.length === weights.size) return `All ${weights.size} keys have the same weight, ${weight}.`;
  const whose =
    largest.length > 3
      ? `for ${largest.length} keys`
      : `for ${largest.length === 1 ? "key" : "keys"} ${largest.map(nameOf).join(" and ")}`;
  const spread = sharedBy(weights.data).toFixed(1);
  return `The largest weight is ${weight}, ${whose}. The attention is as wide as over ${spread} of ${weights.size} keys of equal weight.`;
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

function draw(bars: Bars, names: Names): Figure {
  const { scores, scaled, weights, unscaled, scoresName, scaledName } = bars;
  const count = Math.min(weights.size, mostKeys);
  const keys = names.keys.slice(0, count);
  const step = count <= 16 ? 26 : 18;
  const left = 28 + Math.max(24, ...keys.map((key) => textWidth(shorten(visible(key), labelLimit), 12)));
  const top = 112;
  const panelWidth = Math.max(110, Math.min(190, Math.floor((pageWidth - 16 - left - 2 * between) / 3) - numberRoom));
  const sheet = new Sheet();
  sheet.write(names.title, 16, 21, { size: 16 });
  sheet.write(
    describe(bars, (key) => place(key, names.keys[key], labelLimit)),
    16,
    48,
    { color: softInk },
  );
  keys.forEach((key, at) => {
    sheet.write(label(key, labelLimit), left - 10, top + (at + 0.5) * step, { align: "right" });
  });
  sheet.write("key", left - 10, top - 14, { color: softInk, align: "right" });

  const all = [...scores.data.subarray(0, count), ...scaled.data.subarray(0, count)].filter(Number.isFinite);
  const scoreRange = { low: Math.min(0, ...all), high: Math.max(0, ...all) };
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
    // Halves, because the whole length of a range may be beyond float64.
    const length = range.high / 2 - range.low / 2 || 1;
    const at = (value: number): number =>
      Math.round(10 * (start + ((value / 2 - range.low / 2) / length) * panelWidth)) / 10;
    const zero = at(0);
    sheet.write(name, start, top - 14);
    sheet.box({ left: zero, top: top - 2, width: 1, height: count * step + 4 }, { fill: cellLine });
    const shown = values.data.slice(0, count);
    sheet.draw({
      type: "bar",
      orientation: "h",
      y: keys.map((_, key) => top + (key + 0.5) * step),
      base: zero,
      x: Array.from(shown, (value) => (Number.isFinite(value) ? Math.round(10 * (at(value) - zero)) / 10 : 0)),
      width: step - 8,
      marker: { color: fill, line: { width: 0 } },
      hovertext: Array.from(shown, (value, key) => `key ${place(key, keys[key])}<br>${name}: ${exact(value)}`),
      hovertemplate: "%{hovertext}<extra></extra>",
    });
    shown.forEach((value, key) => {
      const outlined = panel === 2 ? (unscaled?.data[key] ?? 0) : 0;
      const end = Math.max(zero, ...[value, outlined].filter(Number.isFinite).map(at));
      // What is not finite has no length: its name stands on a plate in the place of a bar.
      const plate = Number.isFinite(value) ? {} : { plate: noNumber };
      sheet.write(write(value), end + 6, top + (key + 0.5) * step, { size: 11, ...plate });
    });
    if (panel === 2 && unscaled !== undefined) {
      unscaled.data.slice(0, count).forEach((value, key) => {
        if (!Number.isFinite(value)) return;
        const box = { left: zero, top: top + key * step + 2, width: at(value) - zero, height: step - 4 };
        sheet.box(box, { line: softInk, over: true });
      });
    }
  });
  const outlined = unscaled?.data.subarray(0, count).some(Number.isFinite) === true;
  const notes = [
    ...(outlined ? ["Thin outlines: the weights without the scaling."] : []),
    ...(count < weights.size ? [`Left out: keys from ${count} on.`] : []),
  ];
  const bottom = top + count * step + 12;
  notes.forEach((note, at) => {
    sheet.write(note, 16, bottom + 10 + 18 * at, { color: softInk, size: 11 });
  });
  const width = Math.max(left + 3 * (panelWidth + numberRoom) + 2 * between + 16, titleRoom(names.title));
  const alt = [
    `Bars for ${names.said} over ${many(weights.size, "key")}: ${scoresName}, ${scaledName}, weights.`,
    describe(bars, (key) => tokenName(names.keys, key)),
    ...notes.slice(outlined ? 1 : 0),
  ].join(" ");
  return sheet.toFigure(width, bottom + 18 * notes.length + 14, alt, { bargap: 0, barmode: "overlay" });
}
