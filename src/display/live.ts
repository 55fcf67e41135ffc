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
// What Plotly cannot be told in a figure is done here. A double click on a hidden entry of the legend shows that entry alone,
// where Plotly would show all. And a figure whose `layout.meta.hoverMenu` is the number of a menu (-1 for none) is followed by
// the pointer: for as long as a point is hovered, its `customdata` presses the button of that number; where there is none, it
// is the name of outlines, and they alone stay. An outline begins with a gap, an x of null, whose y is the outline's name.
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

/** A plot on the page, as far as the pointer needs it. */
type Plot = HTMLElement & {
  on(event: "plotly_hover" | "plotly_unhover", listener: (event: { points: { customdata?: unknown }[] }) => void): void;
  on(event: "plotly_legenddoubleclick", listener: (event: LegendClick) => boolean): void;
  data: { x?: readonly unknown[]; y?: readonly unknown[] }[];
  layout: {
    meta?: { hoverMenu?: number };
    updatemenus?: { active?: number; buttons: { args: readonly unknown[] }[] }[];
  };
};

interface LegendClick {
  curveNumber: number;
  fullData: { visible: boolean | "legendonly"; showlegend?: boolean; legendgroup?: string }[];
  fullLayout: { legend?: { itemdoubleclick: unknown } };
}

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

  const isolateHidden = (plotly: PlotlyLibrary, plot: Plot): void => {
    plot.on("plotly_legenddoubleclick", ({ curveNumber, fullData, fullLayout }) => {
      const { visible, legendgroup } = fullData[curveNumber];
      if (visible !== "legendonly" || fullLayout.legend?.itemdoubleclick !== "toggleothers") return true;
      const isolated = fullData.map((trace, at) => {
        if (at === curveNumber || (legendgroup && trace.legendgroup === legendgroup)) return true;
        return trace.visible && (trace.showlegend || trace.legendgroup) ? "legendonly" : undefined; // no entry: as it was
      });
      plotly.restyle(plot, { visible: isolated }).catch(() => undefined);
      return false;
    });
  };

  const followPointer = (plotly: PlotlyLibrary, plot: Plot): void => {
    const { hoverMenu } = plot.layout.meta ?? {};
    if (hoverMenu === undefined) return;
    const menu = (): { active?: number; buttons: { args: readonly unknown[] }[] } | undefined =>
      plot.layout.updatemenus?.[hoverMenu];
    const restyle = (...args: readonly unknown[]): void => {
      plotly.restyle(plot, ...args).catch(() => undefined);
    };
    const only = (name: unknown, { x, y }: Plot["data"][number]): readonly unknown[] | undefined => {
      let kept = true;
      return x?.map((value, at) => {
        if (value === null) kept = y?.[at] === name;
        return kept ? value : null;
      });
    };
    let whole: { x: (readonly unknown[] | undefined)[] } | undefined;
    plot.on("plotly_hover", ({ points: [{ customdata }] }) => {
      const button = menu()?.buttons[customdata as number];
      if (button) restyle(...button.args);
      else if (typeof customdata === "number") {
        whole = { x: plot.data.map(({ x }) => x) };
        restyle({ x: plot.data.map((trace) => only(customdata, trace)) });
      }
    });
    plot.on("plotly_unhover", () => {
      if (whole) restyle(whole);
      whole = undefined;
      const button = menu()?.buttons[menu()?.active ?? 0];
      if (button) restyle(...button.args);
    });
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
      isolateHidden(plotly, stage as unknown as Plot);
      followPointer(plotly, stage as unknown as Plot);
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
