// What a figure does on a page: a live Plotly plot takes the place of the picture, where the library can be reached.
//
// The figure comes packed, its JSON deflated and in base64; a browser that cannot unpack it keeps the picture.
//
// `live` runs in the browser, as text inside the figure's HTML, so it uses nothing from outside itself. It looks for Plotly
//   1. on the page (`window.Plotly`);
//   2. in `window.tslabAttentionPlotly`, a promise of the library: an exported page sets it, in its head, to unpack its own
//      copy; where nobody has, the first figure sets it, so a page loads the library once however many figures it has;
//   3. on the Jupyter server's static path, `<base>/static/plotly.js`;
//   4. on a CDN, at the version that drew the picture, with its integrity hash.
// Where none answers the picture stays and nothing is said: whether an address answers is asked from a worker, since a
// browser reports what a page's own request does not find as an error.
//
// One thing Plotly cannot be told in a figure: `layout.meta.hoverMenu`, the number of a menu, makes a point press a button of
// that menu for as long as it is hovered, the one whose number is the point's `customdata`.
//
// The picture keeps its place in the layout, hidden under the plot, so nothing moves when the plot comes; on a screen
// narrower than the figure, the plot shrinks as the picture does. A figure's id comes from its content: two equal figures on
// a page share it, and whichever script runs first draws both. What was drawn is remembered on the element, not in an
// attribute, so a page saved from the browser comes alive again.

interface PlotlyLibrary {
  version: string;
  newPlot(stage: HTMLElement, data: unknown, layout: unknown, config: unknown): Promise<unknown>;
  restyle(stage: HTMLElement, ...args: readonly unknown[]): Promise<unknown>;
}

/** A plot on the page, as far as a hovered point needs it. */
type Plot = HTMLElement & {
  on(event: string, listener: (event: { points: { customdata?: unknown }[] }) => void): void;
  layout: {
    meta?: { hoverMenu?: number };
    updatemenus?: { active?: number; buttons: { args: readonly unknown[] }[] }[];
  };
};

type Page = Window & {
  Plotly?: PlotlyLibrary | undefined;
  tslabAttentionPlotly?: Promise<PlotlyLibrary | undefined> | undefined;
};

type Place = HTMLElement & { tslabAttentionDrawn?: boolean };

/** What the script of a figure is given. */
export interface LiveFigure {
  id: string;
  alt: string;
  width: number;
  height: number;
  /** The figure's JSON, `{data, layout, config}`, deflated (zlib), in base64. */
  packed: string;
  cdn: { url: string; integrity: string };
}

/** Draws the figure into every place on the page that waits for it. */
export function live(page: Page, { id, alt, width, height, packed, cdn }: LiveFigure): void {
  const { document } = page;

  const answers = (url: string): Promise<boolean> =>
    new Promise((resolve) => {
      const ask = `fetch(${JSON.stringify(url)}, { method: "HEAD" }).then(
        (reply) => postMessage(reply.ok && /javascript/.test(reply.headers.get("content-type"))),
        () => postMessage(false))`;
      const worker = new Worker(URL.createObjectURL(new Blob([ask], { type: "text/javascript" })));
      worker.onmessage = ({ data }) => {
        worker.terminate();
        resolve(data);
      };
      worker.onerror = () => resolve(true); // workers are forbidden here: find out by loading
    });

  const load = async (url: string, integrity?: string): Promise<PlotlyLibrary | undefined> => {
    if (!(await answers(url))) return undefined;
    return new Promise((resolve) => {
      const script = document.createElement("script");
      if (integrity) Object.assign(script, { integrity, crossOrigin: "anonymous" });
      script.onload = () => resolve(page.Plotly);
      script.onerror = () => resolve(undefined);
      script.src = url;
      document.head.append(script);
    });
  };

  const fromServer = async (): Promise<PlotlyLibrary | undefined> => {
    const lab = document.getElementById("jupyter-config-data")?.textContent;
    const base = lab ? JSON.parse(lab).baseUrl : document.body.dataset.baseUrl;
    return base
      ? load(new URL(`${base}/static/plotly.js`.replace(/\/+static/, "/static"), document.baseURI).href)
      : undefined;
  };

  const fromCdn = async (): Promise<PlotlyLibrary | undefined> =>
    page.navigator.onLine ? load(cdn.url, cdn.integrity) : undefined;

  const library = async (): Promise<PlotlyLibrary | undefined> => {
    if (page.Plotly?.newPlot) return page.Plotly;
    page.tslabAttentionPlotly ??= fromServer().then((found) => found ?? fromCdn());
    const found = await page.tslabAttentionPlotly.catch(() => undefined);
    if (!found) page.tslabAttentionPlotly = undefined; // a figure that comes later asks again
    return found;
  };

  const unpack = async (): Promise<{ data: unknown; layout: unknown; config: unknown }> => {
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    const json = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Response(json).json();
  };

  const pressOnHover = (plotly: PlotlyLibrary, plot: Plot): void => {
    const menu = (): { active?: number; buttons: { args: readonly unknown[] }[] } | undefined =>
      plot.layout.updatemenus?.[plot.layout.meta?.hoverMenu ?? -1];
    const press = (button: unknown): void => {
      const pressed = menu()?.buttons[button as number];
      if (pressed) plotly.restyle(plot, ...pressed.args).catch(() => undefined);
    };
    if (!menu()) return;
    plot.on("plotly_hover", ({ points }) => press(points[0].customdata));
    plot.on("plotly_unhover", () => press(menu()?.active ?? 0));
  };

  const draw = async (place: Place): Promise<void> => {
    const plotly = await library();
    if (!plotly) return;
    const { data, layout, config } = await unpack();
    const picture = place.firstElementChild as HTMLElement;
    place.replaceChildren(picture);
    const stage = document.createElement("div");
    stage.setAttribute("role", "img");
    stage.setAttribute("aria-label", alt);
    stage.style.cssText = `position:absolute;top:0;left:0;width:${width}px;height:${height}px;transform-origin:0 0;visibility:hidden`;
    place.append(stage);
    let drawn = false;
    const adjust = async (): Promise<void> => {
      if (place.clientWidth === 0) return; // not on the page yet, or folded away
      stage.style.transform = place.clientWidth < width ? `scale(${place.clientWidth / width})` : "";
      if (drawn) return;
      drawn = true;
      await plotly.newPlot(stage, data, layout, config);
      pressOnHover(plotly, stage as unknown as Plot);
      stage.style.visibility = "";
      picture.style.visibility = "hidden";
    };
    new ResizeObserver(() => {
      adjust().catch(() => stage.remove());
    }).observe(place);
  };

  for (const place of document.querySelectorAll<Place>(`[data-figure="${id}"]`)) {
    if (place.tslabAttentionDrawn) continue;
    place.tslabAttentionDrawn = true;
    draw(place).catch(() => undefined);
  }
}
