// A figure as HTML: its picture, and the script that puts a live plot in the picture's place.

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type LiveFigure, live } from "./live.js";

/** What a figure's HTML is made of. */
export interface Parts {
  /** The figure as JSON: `{data, layout, config}`. */
  json: string;
  alt: string;
  width: number;
  height: number;
  /** The picture, or undefined where it could not be drawn. */
  png: Uint8Array | undefined;
}

/** How far a figure shrinks on a narrow screen: further, and its words could not be read. It is scrolled to the side then. */
const least = 2 / 3;

let cdn: LiveFigure["cdn"] | undefined;

function plotlyOnCdn(): LiveFigure["cdn"] {
  if (!cdn) {
    const { name, version, main } = require("plotly.js-dist/package.json") as Record<
      "name" | "version" | "main",
      string
    >;
    const hash = createHash("sha384")
      .update(readFileSync(require.resolve("plotly.js-dist")))
      .digest("base64");
    cdn = { url: `https://cdn.jsdelivr.net/npm/${name}@${version}/${main}`, integrity: `sha384-${hash}` };
  }
  return cdn;
}

/**
 * A figure as HTML that shows everywhere: the picture alone where scripts do not run.
 *
 * The class names keep MathJax away from labels such as `$x$`.
 */
export function figureHtml({ json, alt, width, height, png }: Parts): string {
  const id = createHash("sha256").update(json).update(alt).digest("hex").slice(0, 16);
  const picture = png
    ? `<img src="data:image/png;base64,${Buffer.from(png).toString("base64")}" alt="${escaped(alt)}" ` +
      `width="${width}" height="${height}" style="display:block;max-width:100%;height:auto">`
    : `<p style="margin:0;padding:1em;color:#222">${escaped(alt)}</p>`;
  const figure: LiveFigure = { id, alt, width, height, packed: packed(json), cdn: plotlyOnCdn() };
  return (
    `<div style="overflow-x:auto"><div class="tslab-attention-figure tex2jax_ignore mathjax_ignore" data-figure="${id}" ` +
    `style="position:relative;width:${width}px;min-width:${Math.round(least * width)}px;max-width:100%;` +
    `aspect-ratio:${width}/${height};background:#fff">${picture}</div></div>\n` +
    `<script>(${source()})(window, ${JSON.stringify(figure).replaceAll("<", "\\u003c")})</script>`
  );
}

/** Deflated in JavaScript, as the picture is: the same bytes with every version of Node. */
function packed(json: string): string {
  const { strToU8, zlibSync } = require("fflate") as typeof import("fflate");
  return Buffer.from(zlibSync(strToU8(json), { level: 9 })).toString("base64");
}

/** The text of `live`, without its indentation: every figure carries it. */
function source(): string {
  return live.toString().replace(/\n\s+/g, "\n");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
