/**
 * Plotly inside a page: packed once, however many figures, and unpacked by the browser when the page is read.
 *
 * A live figure looks for the library in `window.tslabAttentionPlotly`, a promise; a page whose outputs name it gets that
 * promise. A browser without DecompressionStream keeps the pictures, as one without scripts does: every figure has asked
 * by the time the answer is known, so none asks elsewhere. What is packed is the
 * file that drew the pictures: a minified copy would save a quarter of the page and cost every installation a second Plotly.
 * `deflate` and not `gzip`: its header does not name the system that packed it.
 */

import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";

/** @returns whether HTML of an output asks its page for Plotly */
export function asksForPlotly(html: string): boolean {
  return html.includes("tslabAttentionPlotly");
}

/** For the page's head: the promise. */
export const unpackingScript = `<script>
window.tslabAttentionPlotly = (async () => {
  await new Promise((ready) => document.addEventListener("DOMContentLoaded", ready, { once: true }));
  if (!("DecompressionStream" in window)) return undefined;
  const bytes = Uint8Array.from(atob(document.getElementById("packed-plotly").textContent), (c) => c.charCodeAt(0));
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const script = document.createElement("script");
  script.textContent = await new Response(unpacked).text();
  document.head.append(script);
  script.remove();
  return window.Plotly;
})();
</script>`;

let packed: string | undefined;

/** For the page's end: the library. */
export function packedLibrary(): string {
  packed ??= deflateSync(readFileSync(require.resolve("plotly.js-dist")), { level: 9 }).toString("base64");
  return `<script type="text/plain" id="packed-plotly">${packed}</script>`;
}
