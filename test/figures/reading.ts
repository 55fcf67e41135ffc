// Reading a figure in tests: its traces, the texts on it, and whether everything stands inside its frame.

import { expect } from "vitest";
import type { Figure } from "../../src/display/figure.js";

interface Layout {
  readonly width: number;
  readonly height: number;
  readonly annotations: readonly {
    readonly text: string;
    readonly x: number;
    readonly y: number;
    readonly bgcolor?: string;
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
  for (const { x, y, text } of annotations) {
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
