// A Plotly figure that can show itself anywhere.
//
// What Plotly gets, here and in a browser, is the figure as JSON, taken when the figure is made: typed arrays and whatever
// has a toJSON become plain arrays, NaN and the infinities become null (a gap), functions are left out. Nothing heavy is
// loaded before the first picture.

import { draw } from "./draw.js";
import { oneLine } from "./errors.js";
import { figureHtml } from "./html.js";
import type { Bundle } from "./kernel.js";
import { toPng } from "./png.js";
import { Showable } from "./showable.js";

/** What a figure is made of. */
export interface FigureParts {
  /** Plotly's traces, for example `[{type: "heatmap", z: [[1, 2], [3, 4]]}]`. */
  readonly data: readonly object[];
  /** Plotly's layout; 700 x 450 pixels on white unless it says otherwise. */
  readonly layout?: object;
  /**
   * What the figure has instead where a viewer gets Plotly's JSON: other traces, other parts of the layout. In a notebook's
   * file that has a line for every number, while the live plot of the HTML comes packed, so heavy figures leave some out.
   */
  readonly inJson?: { readonly data?: readonly object[]; readonly layout?: object };
  /** What is seen, in a sentence: for who cannot see the picture, and for where no picture shows. */
  readonly alt: string;
}

const config = { displaylogo: false, showSendToCloud: false, typesetMath: false };

const white = "#ffffff";
const base = { width: 700, height: 450, paper_bgcolor: white, plot_bgcolor: white };
const font = { family: '"Open Sans", verdana, arial, sans-serif', size: 12, color: "#222222" };

/**
 * Any Plotly figure, with a sentence that says what is seen.
 *
 * As the last expression of a cell it shows itself: a picture, with a live plot on top wherever the page can reach Plotly.
 *
 * @example
 * new Figure({ data: [{ type: "bar", y: [1, 3, 2] }], alt: "Three bars, the second the tallest" })
 */
export class Figure extends Showable {
  /** The traces, as Plotly gets them. */
  readonly data: readonly object[];
  /** The layout, as Plotly gets it. */
  readonly layout: object;
  /** What is seen, in a sentence. */
  readonly alt: string;

  readonly #json: string;
  readonly #inJson: { data?: object[]; layout?: object };
  readonly #width: number;
  readonly #height: number;
  #png: Uint8Array | undefined;

  /**
   * @param parts - `data`, an array of Plotly traces; `layout` and `inJson`, optional; `alt`, a sentence that says what is seen.
   * @throws TypeError if `data` is no array of objects, `layout` or `inJson` no object, `alt` no text, or if they hold themselves.
   * @throws RangeError if `alt` is empty, or if the layout's `width` or `height` is no number of pixels from 1 to 10,000.
   */
  constructor(parts: FigureParts) {
    super();
    const { data, layout = {}, inJson = {}, alt } = check(parts);
    this.alt = alt;
    this.#json = toJson({
      data,
      layout: { ...base, ...layout, font: { ...font, ...(layout as { font?: object }).font } },
      config,
    });
    this.#inJson = JSON.parse(toJson(inJson));
    const plain = JSON.parse(this.#json);
    this.data = plain.data;
    this.layout = plain.layout;
    this.#width = pixels("width", plain.layout.width);
    this.#height = pixels("height", plain.layout.height);
  }

  /**
   * The picture, drawn by Plotly at two pixels for each pixel of the layout.
   *
   * @returns A PNG; the same bytes for the same figure.
   * @throws Error if the figure needs WebGL or a map, or the rasteriser has no build for this machine.
   */
  toPng(): Uint8Array {
    this.#png ??= toPng(draw(this.#json).svg);
    return new Uint8Array(this.#png); // a copy: what the caller does to it stays with the caller
  }

  /** The picture with its live plot, as a piece of an HTML page that needs no other file. */
  toHtml(): string {
    return figureHtml({
      json: this.#json,
      alt: this.alt,
      width: this.#width,
      height: this.#height,
      png: this.#picture(),
    });
  }

  /** The figure in every form a viewer may want: HTML, Plotly's JSON, PNG (where it can be drawn) and text. */
  override toBundle(): Bundle {
    const png = this.#picture();
    const plain = JSON.parse(this.#json);
    return {
      "text/html": this.toHtml(),
      "application/vnd.plotly.v1+json": {
        ...plain,
        data: this.#inJson.data ?? plain.data,
        layout: { ...plain.layout, ...this.#inJson.layout },
      },
      ...(png && { "image/png": Buffer.from(png).toString("base64") }),
      "text/plain": this.alt,
    };
  }

  /** The sentence that says what is seen. */
  override toString(): string {
    return this.alt;
  }

  #picture(): Uint8Array | undefined {
    try {
      return this.toPng();
    } catch {
      return undefined; // the live plot and the alt text are what is left
    }
  }
}

function check(parts: FigureParts): FigureParts {
  if (!isObject(parts)) throw refuse("the figure", "be an object {data, layout, alt}", parts);
  const { data, layout, inJson, alt } = parts;
  if (!Array.isArray(data)) throw refuse("data", "be an array of Plotly traces", data);
  const odd = data.findIndex((trace) => !isObject(trace));
  if (odd >= 0) throw refuse(`data[${odd}]`, "be a Plotly trace, an object", data[odd]);
  if (layout !== undefined && !isObject(layout)) throw refuse("layout", "be an object", layout);
  if (inJson !== undefined && !isObject(inJson)) throw refuse("inJson", "be an object", inJson);
  if (typeof alt !== "string") throw refuse("alt", "be a sentence that says what is seen", alt);
  if (alt.trim() === "") throw oneLine(new RangeError('Cannot make a figure: alt must say what is seen, got ""'));
  return parts;
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuse(name: string, condition: string, got: unknown): TypeError {
  const value =
    got === null ? "null" : Array.isArray(got) ? "an array" : typeof got === "object" ? "an object" : typeof got;
  return oneLine(new TypeError(`Cannot make a figure: ${name} must ${condition}, got ${value}`));
}

function pixels(name: string, value: unknown): number {
  if (typeof value === "number" && value >= 1 && value <= 10_000) return Math.round(value);
  throw oneLine(
    new RangeError(`Cannot make a figure: layout.${name} must be from 1 to 10000 pixels, got ${JSON.stringify(value)}`),
  );
}

function toJson(figure: object): string {
  try {
    return JSON.stringify(figure, (_key, value) => {
      if (typeof value === "bigint") return Number(value);
      return ArrayBuffer.isView(value) && !(value instanceof DataView) ? Array.from(value as Float64Array) : value;
    });
  } catch (cause) {
    const what = `Cannot make a figure: data and layout must be plain values (${(cause as Error).message})`;
    throw oneLine(new TypeError(what, { cause }));
  }
}
