// Reading a figure in tests: its traces, the texts on it, and whether everything stands inside its frame.

import { expect } from "vitest";
import type { Figure } from "../../src/display/figure.js";
import { textWidth } from "../../src/display/fonts.js";

interface Layout {
  readonly width: number;
  readonly height: number;
  readonly annotations: readonly {
    readonly text: string;
    readonly x: number;
    readonly y: number;
    readonly bgcolor?: string;
    readonly xanchor?: "left" | "center" | "right";
    readonly font?: { readonly size?: number };
    readonly textangle?: number;
  }[];
  readonly updatemenus?: readonly {
    readonly buttons: readonly { readonly label: string; readonly args: readonly unknown[] }[];
  }[];
  readonly xaxis: { readonly labelalias?: Readonly<Record<string, string>> };
  readonly yaxis: { readonly labelalias?: Readonly<Record<string, string>> };
}

export interface Trace {
  readonly type: string;
  readonly name?: string;
  readonly z: readonly (readonly (number | null)[])[];
  readonly text?: readonly (readonly string[])[];
  readonly hovertext?: readonly (readonly string[])[];
  readonly x0: number;
  readonly dx: number;
  readonly y0: number;
  readonly dy: number;
  readonly hovertemplate?: string;
}

export function layoutOf(figure: Figure): Layout {
  return figure.layout as Layout;
}

export function tracesOf(figure: Figure): Trace[] {
  return figure.data as Trace[];
}

export function textsOf(figure: Figure): string[] {
  return layoutOf(figure).annotations.map(({ text }) => text);
}

export function jsonSize(figure: Figure): number {
  return JSON.stringify([figure.data, figure.layout]).length;
}

/** Expects every text, and every cell, to stand inside the figure, and the figure to fit a page. */
export function expectInside(figure: Figure): void {
  const { width, height, annotations } = layoutOf(figure);
  expect(width).toBeLessThanOrEqual(1000);
  for (const { x, y, text, xanchor = "left", font, textangle = 0 } of annotations) {
    const plain = text.replace(/&\w+;|&#\d+;/g, "x");
    const reach = textangle === 0 ? textWidth(plain, font?.size ?? 12, { bold: false, italic: false }) : 0;
    const start = x - reach * { left: 0, center: 0.5, right: 1 }[xanchor];
    expect(start, text).toBeGreaterThanOrEqual(0);
    const toolBar = y < 26 ? 34 : 0; // Plotly's, in the upper right corner of the live plot
    expect(start + reach, text).toBeLessThanOrEqual(width - toolBar);
    expect(x, text).toBeGreaterThanOrEqual(0);
    expect(x, text).toBeLessThanOrEqual(width);
    expect(y, text).toBeGreaterThanOrEqual(0);
    expect(y, text).toBeLessThanOrEqual(height);
  }
  for (const { type, z, x0, dx, y0, dy } of tracesOf(figure)) {
    if (type !== "heatmap") continue;
    expect(x0 + (z[0].length - 0.5) * dx).toBeLessThanOrEqual(width);
    expect(y0 + (z.length - 0.5) * dy).toBeLessThanOrEqual(height);
  }
}
