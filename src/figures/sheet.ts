// A sheet: one Plotly plot whose coordinates are pixels, x to the right and y downwards, with nothing of its own on it.
//
// Every figure of this room places its cells, lines and words on a sheet, so that where a thing stands is a sum of lengths
// and not a guess at margins, and the picture and the live plot agree. Left out: zoom and pan, which a table does not need.

import { Figure } from "../display/figure.js";
import { textWidth } from "./labels.js";
import { ink, inkOn, noNumber, paper } from "./palette.js";

/** A trace, an annotation or a shape in Plotly's own terms. */
export type Part = Record<string, unknown>;

/** Where a text stands on its point, and how it looks. */
export interface TextStyle {
  readonly size?: number;
  readonly color?: string;
  /** The side of the text that lies on x; "left" when not given. */
  readonly align?: "left" | "center" | "right";
  /** The side of the text that lies on y; "middle" when not given. */
  readonly valign?: "top" | "middle" | "bottom";
  /** Clockwise degrees. */
  readonly angle?: number;
  /** The colour of a plate behind the text; the text takes the colour that reads on it. */
  readonly plate?: string;
}

/** Left, top, width and height in pixels. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The width of Plotly's tool bar, in the upper right corner. */
export const toolBar = 40;

/** What a text and a shape are unless they say otherwise, so that each says in a notebook's file only what is its own. */
const defaults = {
  annotationdefaults: {
    showarrow: false,
    borderpad: 0,
    xanchor: "left",
    yanchor: "middle",
    font: { size: 12, color: ink },
  },
  shapedefaults: { layer: "below", line: { color: "rgba(0,0,0,0)", width: 0 } },
};

export class Sheet {
  readonly data: Part[] = [];
  readonly annotations: Part[] = [];
  readonly shapes: Part[] = [];
  readonly #changing: { at: number; texts: readonly string[] }[] = [];

  /** Adds a trace and returns its number. */
  draw(trace: Part): number {
    return this.data.push(trace) - 1;
  }

  /** Writes `text` (Plotly's markup: escape what comes from outside) and returns the number of the annotation. */
  write(text: string, x: number, y: number, style: TextStyle = {}): number {
    const { size, align, valign, angle, plate } = style;
    const color = style.color ?? (plate === undefined ? undefined : inkOn(plate));
    const font = { ...(size === undefined ? {} : { size }), ...(color === undefined ? {} : { color }) };
    return (
      this.annotations.push({
        text,
        x,
        y,
        ...(align === undefined ? {} : { xanchor: align }),
        ...(valign === undefined ? {} : { yanchor: valign }),
        ...(angle === undefined || angle === 0 ? {} : { textangle: angle }),
        ...(Object.keys(font).length === 0 ? {} : { font }),
        ...(plate === undefined ? {} : { bgcolor: plate, borderpad: 2 }),
      }) - 1
    );
  }

  /** Writes plain `text` in lines of at most `width` pixels; returns where the next line would stand. */
  paragraph(text: string, x: number, y: number, width: number, style: TextStyle = {}): number {
    return this.paragraphEach([text], x, y, width, style);
  }

  /** Writes a paragraph for each state of the figure; the longest tells where the next line would stand. */
  paragraphEach(texts: readonly string[], x: number, y: number, width: number, style: TextStyle = {}): number {
    const { size = 12 } = style;
    const wrapped = texts.map((text) => (text === "" ? [] : wrap(text, width, size)));
    const count = Math.max(...wrapped.map((lines) => lines.length));
    for (let at = 0; at < count; at++) {
      const each = wrapped.map((lines) => lines[at] ?? "");
      this.writeEach(each, x, y + at * size * 1.5, style);
    }
    return y + count * size * 1.5;
  }

  /** Writes a text that differs from one state of the figure to the next: the first now, the others by `changes`. */
  writeEach(texts: readonly string[], x: number, y: number, style: TextStyle = {}): void {
    const at = this.write(texts[0], x, y, style);
    if (texts.some((text) => text !== texts[0])) {
      this.#changing.push({ at, texts });
    }
  }

  /** The changes of layout that bring the texts of one state. */
  changes(state: number): Part {
    return Object.fromEntries(this.#changing.map(({ at, texts }) => [`annotations[${at}].text`, texts[state]]));
  }

  /** A rectangle under the traces, or with `over` on them. */
  box(box: Box, look: { fill?: string; line?: string; width?: number; over?: boolean }): void {
    this.shapes.push({
      type: "rect",
      x0: box.left,
      y0: box.top,
      x1: box.left + box.width,
      y1: box.top + box.height,
      ...(look.over === true ? { layer: "above" } : {}),
      ...(look.line === undefined ? {} : { line: { color: look.line, width: look.width ?? 1 } }),
      ...(look.fill === undefined ? {} : { fillcolor: look.fill }),
    });
  }

  /** A filled outline under the traces. */
  area(points: readonly (readonly [number, number])[], fill: string): void {
    const path = points.map(([x, y], at) => `${at === 0 ? "M" : "L"}${x},${y}`).join("");
    this.shapes.push({ type: "path", path: `${path}Z`, fillcolor: fill });
  }

  /** The finished figure. */
  toFigure(width: number, height: number, alt: string, more: More = {}): Figure {
    const { x, y, traces, menusInJson, dataInJson, ...rest } = more;
    const axis = { fixedrange: true, showgrid: false, zeroline: false, showticklabels: false, ticks: "" };
    const layout = {
      width,
      height,
      margin: { l: 0, r: 0, t: 0, b: 0, pad: 0, autoexpand: false },
      paper_bgcolor: paper,
      plot_bgcolor: paper,
      showlegend: false,
      hovermode: "closest",
      dragmode: false,
      modebar: { remove: ["select2d", "lasso2d"] },
      hoverlabel: { align: "left", bgcolor: ink, bordercolor: paper, font: { color: paper } },
      xaxis: { ...axis, range: [0, width], ...x },
      yaxis: { ...axis, range: [height, 0], ...y },
      annotations: this.annotations,
      shapes: this.shapes,
      template: { layout: defaults, ...(traces === undefined ? {} : { data: traces }) },
      ...rest,
    };
    const inJson = {
      ...(dataInJson === undefined ? {} : { data: dataInJson }),
      ...(menusInJson === undefined ? {} : { layout: { updatemenus: menusInJson } }),
    };
    return new Figure({ data: this.data, layout, alt, inJson });
  }
}

/** Plain `text` in lines of at most `width` pixels. */
export function wrap(text: string, width: number, size: number): string[] {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines[lines.length - 1]} ${word}`.trim();
    if (textWidth(longer, size) <= width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** What a figure has beside its sheet, and anything of Plotly's layout. */
type More = {
  readonly x?: Part;
  readonly y?: Part;
  /** Defaults of its traces, by type. */
  readonly traces?: Part;
  /** The menus and the traces in Plotly's JSON, where they are others. */
  readonly menusInJson?: readonly Part[];
  readonly dataInJson?: readonly Part[] | undefined;
} & Part;

/** A trace for Plotly's JSON where hover labels are too heavy for it. */
export function withoutHover({ hovertext, hovertemplate, ...trace }: Part): Part {
  return hovertext === undefined && hovertemplate === undefined ? trace : { ...trace, hoverinfo: "skip" };
}

/** For each of some sheets that differ in numbers and words alone, what Plotly's "update" takes to show it in the first's place. */
export function updatesTo(sheets: readonly Sheet[]): (readonly unknown[])[] {
  const [{ data, annotations }] = sheets;
  const differing = (parts: readonly Part[], of: (sheet: Sheet) => readonly Part[]): number[] =>
    Array.from(parts.keys()).filter((at) =>
      sheets.some((sheet) => JSON.stringify(of(sheet)[at]) !== JSON.stringify(parts[at])),
    );
  const traces = differing(data, (sheet) => sheet.data);
  const texts = differing(annotations, (sheet) => sheet.annotations);
  const names = ["z", "text", "hovertext"].filter((name) => traces.some((at) => data[at][name] !== undefined));
  return sheets.map((sheet) => [
    Object.fromEntries(names.map((name) => [name, traces.map((at) => sheet.data[at][name] ?? null)])),
    Object.fromEntries(texts.map((at) => [`annotations[${at}].text`, sheet.annotations[at].text])),
    traces,
  ]);
}

/** The width of a sheet with this title: beside it stand, in the live plot, the buttons of Plotly's tool bar. */
export function titleRoom(title: string): number {
  return 16 + textWidth(title, 16) + toolBar;
}

/** The width of a sheet with this title and these sentences, each on a line. */
export function wordsRoom(title: string, sentences: readonly string[]): number {
  return Math.max(titleRoom(title), ...sentences.map((sentence) => 32 + textWidth(sentence, 12)));
}

/** A menu whose upper left corner stands at (left, top) of a sheet of that width and height. */
export function menu(
  buttons: readonly Part[],
  place: { readonly left: number; readonly top: number; readonly width: number; readonly height: number },
): Part {
  return {
    buttons,
    x: place.left / place.width,
    xanchor: "left",
    y: 1 - place.top / place.height,
    yanchor: "top",
    bgcolor: paper,
    bordercolor: noNumber,
    font: { size: 12, color: ink },
  };
}
