// SVG to PNG, with the shipped fonts alone: the same bytes whatever fonts the machine has.

import { defaultFamily, fontFiles } from "./fonts.js";

/** Pixels of the PNG for each pixel of the figure, so that it stays sharp on dense screens. */
const zoom = 2;

/** @throws Error where the rasteriser has no build for this machine. */
export function rasterise(svg: string): Uint8Array {
  const { Resvg } = require("@resvg/resvg-js") as typeof import("@resvg/resvg-js");
  const font = { fontFiles: fontFiles(), loadSystemFonts: false, defaultFontFamily: defaultFamily };
  return new Resvg(svg, { fitTo: { mode: "zoom", value: zoom }, font }).render().asPng();
}
