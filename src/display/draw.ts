// A figure drawn to SVG by the real Plotly, at once.
//
// A cell's last expression is printed synchronously, so the picture must be ready when console.log returns. Plotly's
// `newPlot` draws cartesian figures before it returns its promise, and `Snapshot.toSVG` answers directly; both are called
// here in one page, made at the first figure and kept. (A worker thread waited for with Atomics.wait would take any
// trace, but costs a second copy of Plotly in every notebook, and a figure that needs the wait, one on WebGL or
// a map, could not be drawn there either.) What draws later than that is refused with an error: the figure then goes out
// without its PNG. Random numbers are made the same for every figure, so the same figure gives the same SVG.

import { drawable } from "./fonts.js";
import { type GraphDiv, openPage, type Page } from "./page.js";

/** A drawn figure. */
export interface Drawing {
  svg: string;
  width: number;
  height: number;
}

/** The traces that need WebGL, a map's tiles or an image's pixels; some of them would never return here. */
const beyond = new Set(
  (
    "scatter3d surface mesh3d cone streamtube isosurface volume scattergl scatterpolargl splom parcoords image " +
    "scattermap choroplethmap densitymap scattermapbox choroplethmapbox densitymapbox scattergeo choropleth"
  ).split(" "),
);

let page: Page | undefined;

/**
 * Draws a figure.
 *
 * @param figure - The figure as JSON: `{data, layout, config}`, with `width` and `height` in the layout.
 * @returns Its SVG, and the size Plotly gave it.
 * @throws Error where the figure needs WebGL, a map or a network, or where Plotly cannot draw it.
 */
export function draw(figure: string): Drawing {
  const parts = JSON.parse(figure) as { data: { type?: unknown }[] };
  const trace = parts.data.find(({ type }) => beyond.has(String(type)));
  if (trace) throw new Error(`Cannot draw the figure: a ${trace.type} trace needs a browser`);
  page ??= openPage();
  const { document, Plotly } = page;
  const div = document.createElement("div") as unknown as GraphDiv;
  document.body.append(div);
  let seed = 1;
  page.Math.random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  try {
    const { data, layout, config } = page.JSON.parse(figure);
    Plotly.newPlot(div, data, layout, { ...config, staticPlot: true, _exportedPlot: true }).catch(() => undefined);
    if (div._promises?.length || div._fullLayout._replotting)
      throw new Error("Cannot draw the figure: a part of it would come later");
    for (const text of div.querySelectorAll("text")) replaceUndrawable(text);
    const { width, height } = div._fullLayout;
    const svg = Plotly.Snapshot.toSVG(div, "svg")
      .replace(/url\('(#[^']*)'\)/g, "url($1)") // the rasteriser knows no quoted ids
      .replace(/font-family:[^;"]*/g, (family) => family.replaceAll("TOBESTRIPPED", "'")); // what Plotly puts for a quote
    return { svg, width, height };
  } finally {
    // Plotly's promises still look at the div when this turn ends: it is cleared after them.
    setImmediate(() => {
      Plotly.purge(div);
      div.remove();
    });
  }
}

function replaceUndrawable(node: Node): void {
  for (const child of node.childNodes) {
    if (child.nodeType !== child.TEXT_NODE) replaceUndrawable(child);
    else if (child.nodeValue) child.nodeValue = drawable(child.nodeValue);
  }
}
