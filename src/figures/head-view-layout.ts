// Where things stand in a head view, in pixels: a row for each token, and within it a port for each head.

import { shorten, textWidth, visible } from "./labels.js";
import { toolBar } from "./sheet.js";
import { place } from "./weights.js";

/** The most characters of a token. */
export const labelLimit = 18;

const rowsFrom = 104;
const between = 320;

/** What decides where things stand: the texts, and how many heads share a row. */
export interface Labelled {
  readonly title: string;
  readonly severalBatches: boolean;
  /** The tokens of each batch. */
  readonly queries: readonly (readonly string[])[];
  readonly keys: readonly (readonly string[])[];
  readonly heads: number;
}

export interface HeadViewLayout {
  readonly width: number;
  /** The first row's upper edge, a row's height, and the last row's lower edge. */
  readonly top: number;
  readonly step: number;
  readonly bottom: number;
  /** Where ribbons begin and end. */
  readonly left: number;
  readonly right: number;
  /** How far the ports of two heads are apart. */
  readonly apart: number;
  readonly batchMenu: number;
  readonly queryMenu: number;
  readonly queryLabels: readonly string[];
  /** How far down the port of a token is, for the head at a position among those shown. */
  height(token: number, at: number): number;
}

export function layOutHeadView({ title, severalBatches, queries, keys, heads }: Labelled): HeadViewLayout {
  const longest = Math.max(queries[0].length, keys[0].length);
  const step = longest <= 8 ? 36 : longest <= 16 ? 27 : 18;
  const left = 28 + room(queries);
  const right = left + (heads > 8 ? Math.max(between, Math.min(2 * between, 932 - left - room(keys))) : between);
  const apart = heads > 1 ? Math.min(6, (step * 0.25) / (heads - 1)) : 0;
  const queryLabels = queries[0].map((_, i) => `query ${placeShort(i, queries)}`);
  const batchMenu = 28 + textWidth(title, 16);
  const queryMenu = batchMenu + (severalBatches ? 104 : 0);
  const menusEnd = queryMenu + 48 + Math.max(...queryLabels.map((text) => textWidth(text, 12)));
  return {
    width: Math.max(480, right + 28 + room(keys), menusEnd + toolBar),
    top: rowsFrom,
    step,
    bottom: rowsFrom + longest * step,
    left,
    right,
    apart,
    batchMenu,
    queryMenu,
    queryLabels,
    height: (token, at) => tenth(rowsFrom + (token + 0.5) * step + (at - (heads - 1) / 2) * apart),
  };
}

/** A tenth of a pixel is as fine as a figure's file tells a place. */
export function tenth(place: number): number {
  return Math.round(10 * place) / 10;
}

/** The width of the widest token. */
function room(lists: readonly (readonly string[])[]): number {
  return Math.max(34, ...lists.flat().map((token) => textWidth(shorten(visible(token), labelLimit), 12)));
}

/** A position, with its token where that is the same in every batch. */
function placeShort(at: number, lists: readonly (readonly string[])[]): string {
  const [token] = lists.map((tokens) => tokens[at]);
  return lists.every((tokens) => tokens[at] === token) ? place(at, token, labelLimit) : String(at);
}
