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
    const { size = 12, align = "left", valign = "middle", angle = 0, plate } = style;
    const color = style.color ?? (plate === undefined ? ink : inkOn(plate));
    return (
      this.annotations.push({
        text,
        x,
        y,
        xanchor: align,
        yanchor: valign,
        showarrow: false,
        borderpad: plate === undefined ? 0 : 2,
        font: { size, color },
        ...(angle === 0 ? {} : { textangle: angle }),
        ...(plate === undefined ? {} : { bgcolor: plate }),
      }) - 1
    );
  }

  /** Writes plain `text` in lines of at most `width` pixels; returns where the next line would stand. */
  paragraph(text: string, x: number, y: number, width: number, style: TextStyle = {}): number {
    const { size = 12 } = style;
    const lines = wrap(text, width, size);
    lines.forEach((line, at) => {
      this.write(line, x, y + at * size * 1.5, style);
    });
    return y + lines.length * size * 1.5;
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
      layer: look.over === true ? "above" : "below",
      line: { color: look.line ?? "rgba(0,0,0,0)", width: look.line === undefined ? 0 : (look.width ?? 1) },
      ...(look.fill === undefined ? {} : { fillcolor: look.fill }),
    });
  }

  /** A filled outline under the traces. */
  area(points: readonly (readonly [number, number])[], fill: string): void {
    const path = points.map(([x, y], at) => `${at === 0 ? "M" : "L"}${x},${y}`).join("");
    this.shapes.push({ type: "path", path: `${path}Z`, layer: "below", fillcolor: fill, line: { width: 0 } });
  }

  /** The finished figure. */
  toFigure(width: number, height: number, alt: string, more: { x?: Part; y?: Part } & Part = {}): Figure {
    const { x, y, ...rest } = more;
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
      ...rest,
    };
    return new Figure({ data: this.data, layout, alt });
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

/** What restyles the traces of one sheet into those of another that differs in numbers and words alone. */
export function restyleTo(data: readonly Part[]): Part {
  const changing = ["z", "text", "hovertext"];
  return Object.fromEntries(
    changing
      .filter((name) => data.some((trace) => trace[name] !== undefined))
      .map((name) => [name, data.map((trace) => trace[name] ?? null)]),
  );
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
