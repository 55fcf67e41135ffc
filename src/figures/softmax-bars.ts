// softmaxBars: one query's scores, the scores as they go into the softmax, and the weights that come out, key by key.
//
// For reading temperature and saturation: both panels of scores share one scale, so that the scaling is seen as a shrinking of
// bars, and where there is a scaling the weights have a thin outline of what they would be without it. Without a scaling there
// is one panel of scores.

import { asNDArray, type NDArrayLike } from "../array/array.js";
import { describe as describeValue, ValueError } from "../array/errors.js";
import type { NDArray } from "../array/ndarray.js";
import { showShape } from "../array/shape.js";
import { softmax } from "../array/softmax.js";
import type { Figure } from "../display/figure.js";
import { label, shorten, textWidth, visible } from "./labels.js";
import { approximate, brief, exact, fixed } from "./numbers.js";
import { checkOptions, chosenIndex } from "./options.js";
import { cellLine, headColor, noNumber, softInk, tint, wrong } from "./palette.js";
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
 * @returns a figure of three panels, or two where nothing is scaled, with the largest weight and how many keys share the attention
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
    throw new ValueError(`Cannot ${action}: scale must be a finite number, got ${describeValue(scale)}`);
  }
  if (d !== undefined && !(Number.isInteger(d) && d >= 1)) {
    throw new ValueError(`Cannot ${action}: d must be a whole number from 1, got ${describeValue(d)}`);
  }
  // A row alone names its keys; it has no other queries.
  const size = [B, given.ndim === 1 ? columns : rows, columns] as const;
  const tokens = readTokens(action, options.tokens, size);
  const row = given.reshape(B, H, rows, columns).at(batch, head, query);
  return draw(bars(row, { scale, d }), {
    weighty: areWeights(given.reshape(-1, columns)),
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

/** What the panels show. */
interface Bars {
  readonly scores: NDArray;
  /** What goes into the softmax: the scores themselves, or the scores by the scaling. */
  readonly scaled: NDArray;
  readonly weights: NDArray;
  /** The weights without the scaling, where there is one. */
  readonly unscaled: NDArray | undefined;
  readonly scoresName: string;
  /** What the scaling is called, where there is one. */
  readonly scaledName: string | undefined;
}

/** Whether every row may have come from a softmax: no number below 0, and a sum of 1. Of a single number nobody can tell. */
function areWeights(rows: NDArray): boolean {
  const [count, length] = rows.shape;
  return (
    length > 1 &&
    Array.from({ length: count }, (_, row) => rows.at(row).data).every(
      (row) => row.every((value) => value >= 0) && Math.abs(row.reduce((sum, value) => sum + value, 0) - 1) < 1e-6,
    )
  );
}

function bars(row: NDArray, { scale = 1, d }: { scale: number | undefined; d: number | undefined }): Bars {
  if (d !== undefined) {
    const scores = row.map((value) => value * Math.sqrt(d));
    return {
      ...{ scores, scaled: row, weights: softmax(row), unscaled: d === 1 ? undefined : softmax(scores) },
      ...{ scoresName: "scores q · k", scaledName: d === 1 ? undefined : `divided by √${d}` },
    };
  }
  const scaled = row.map((value) => value * scale);
  return {
    ...{ scores: row, scaled, weights: softmax(scaled), unscaled: scale === 1 ? undefined : softmax(row) },
    ...{ scoresName: "scores", scaledName: scale === 1 ? undefined : `times ${approximate(scale)}` },
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
  return `The largest weight is ${weight}, ${whose}. The attention is spread as if over ${spread} of ${weights.size} keys with equal weights.`;
}

/** How many keys would share the attention equally with the same entropy: 1 when one key has it all. */
function sharedBy(weights: Float64Array): number {
  return Math.exp(weights.reduce((sum, weight) => (weight > 0 ? sum - weight * Math.log(weight) : sum), 0));
}

/** Said where the softmax is likely to be one too many. */
const alreadyWeights =
  "The scores given look like weights already: none is below 0, and each row sums to 1. If they are, pass the scores instead.";

interface Names {
  /** Whether what was given looks like weights and not like scores. */
  readonly weighty: boolean;
  readonly title: string;
  readonly said: string;
  readonly head: number;
  readonly keys: readonly string[];
}

/** One bar for each key. */
interface Panel {
  readonly name: string;
  readonly values: NDArray;
  readonly range: { readonly low: number; readonly high: number };
  readonly fill: string;
  /** A bar's number, as it is printed. */
  readonly write: (value: number) => string;
  /** What is outlined over the bars. */
  readonly outlined?: NDArray | undefined;
}

function draw(bars: Bars, names: Names): Figure {
  const { scores, scaled, weights, unscaled, scoresName, scaledName } = bars;
  const count = Math.min(weights.size, mostKeys);
  const keys = names.keys.slice(0, count);
  const step = count <= 16 ? 26 : 18;
  const left = 28 + Math.max(24, ...keys.map((key) => textWidth(shorten(visible(key), labelLimit), 12)));
  const panelWidth = Math.max(110, Math.min(190, Math.floor((pageWidth - 16 - left - 2 * between) / 3) - numberRoom));
  const all = [...scores.data.subarray(0, count), ...scaled.data.subarray(0, count)].filter(Number.isFinite);
  const scoreRange = { low: Math.min(0, ...all), high: Math.max(0, ...all) };
  const color = headColor(names.head);
  const panels: Panel[] = [
    { name: scoresName, values: scores, range: scoreRange, fill: tint(color, 0.4), write: brief },
    ...(scaledName === undefined
      ? []
      : [{ name: scaledName, values: scaled, range: scoreRange, fill: tint(color, 0.65), write: brief }]),
    {
      ...{ name: "weights", values: weights, range: { low: 0, high: 1 }, fill: color },
      write: (value) => fixed(value, 2),
      outlined: unscaled,
    },
  ];
  const width = Math.max(
    left + panels.length * (panelWidth + numberRoom + between) - between + 16,
    titleRoom(names.title),
  );

  const sheet = new Sheet();
  sheet.write(names.title, 16, 21, { size: 16 });
  const said = describe(bars, (key) => place(key, names.keys[key], labelLimit));
  let under = sheet.paragraph(said, 16, 48, width - 32, { color: softInk });
  if (names.weighty) under = sheet.paragraph(alreadyWeights, 16, under, width - 32, { color: wrong });
  const top = under + 46;
  keys.forEach((key, at) => {
    sheet.write(label(key, labelLimit), left - 10, top + (at + 0.5) * step, { align: "right" });
  });
  sheet.write("key", left - 10, top - 14, { color: softInk, align: "right" });

  panels.forEach(({ name, values, range, fill, write, outlined }, panel) => {
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
      const end = Number.isFinite(value) ? Math.max(zero, at(value)) : zero;
      // Beside an outline a number stands before its bar: after the bar it would seem to belong to the outline.
      const place =
        outlined === undefined ? { x: end + 6, align: "left" as const } : { x: zero - 6, align: "right" as const };
      // What is not finite has no length: its name stands on a plate in the place of a bar.
      const plate = Number.isFinite(value) ? {} : { plate: noNumber };
      sheet.write(write(value), place.x, top + (key + 0.5) * step, { size: 11, align: place.align, ...plate });
    });
    outlined?.data.slice(0, count).forEach((value, key) => {
      if (!Number.isFinite(value)) return;
      const box = { left: zero, top: top + key * step + 2, width: at(value) - zero, height: step - 4 };
      sheet.box(box, { line: softInk, over: true });
    });
  });
  const outlined = unscaled?.data.subarray(0, count).some(Number.isFinite) === true;
  const notes = [
    ...(outlined ? ["Thin outlines: the weights without the scaling. The numbers are those of the filled bars."] : []),
    ...(count < weights.size ? [`Left out: keys from ${count} on.`] : []),
  ];
  const bottom = top + count * step + 12;
  notes.forEach((note, at) => {
    sheet.write(note, 16, bottom + 10 + 18 * at, { color: softInk, size: 11 });
  });
  const alt = [
    `Bars for ${names.said} over ${many(weights.size, "key")}: ${panels.map(({ name }) => name).join(", ")}.`,
    describe(bars, (key) => tokenName(names.keys, key)),
    ...(names.weighty ? [alreadyWeights] : []),
    ...notes.slice(outlined ? 1 : 0),
  ].join(" ");
  return sheet.toFigure(width, bottom + 18 * notes.length + 14, alt, { bargap: 0, barmode: "overlay" });
}
