import { inspect } from "node:util";
import { Resvg } from "@resvg/resvg-js";
import { describe, expect, test } from "vitest";
import { draw } from "../../src/display/draw.js";
import { Figure, type FigureParts } from "../../src/index.js";

const small = { width: 300, height: 200 };
const bars = (alt = "Three bars, the second the tallest"): Figure =>
  new Figure({ data: [{ type: "bar", y: [1, 3, 2] }], layout: small, alt });

interface Picture {
  width: number;
  height: number;
  /** Red, green, blue and alpha of a pixel. */
  at(x: number, y: number): number[];
  /** How many pixels have exactly this colour. */
  count(colour: number[]): number;
}

function picture(png: Uint8Array): Picture {
  const href = `data:image/png;base64,${Buffer.from(png).toString("base64")}`;
  const width = Buffer.from(png).readUInt32BE(16);
  const height = Buffer.from(png).readUInt32BE(20);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><image href="${href}" width="${width}" height="${height}"/></svg>`;
  const { pixels } = new Resvg(svg).render();
  const at = (x: number, y: number): number[] => [...pixels.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)];
  const count = (colour: number[]): number => {
    let found = 0;
    for (let k = 0; k < pixels.length; k += 4) if (colour.every((value, c) => pixels[k + c] === value)) found++;
    return found;
  };
  return { width, height, at, count };
}

/** A figure of one trace that fills the whole picture. */
const filling = (trace: object, layout: object = {}): Figure =>
  new Figure({
    data: [{ showscale: false, ...trace }],
    layout: {
      width: 90,
      height: 60,
      margin: { l: 0, r: 0, t: 0, b: 0 },
      xaxis: { visible: false },
      yaxis: { visible: false },
      ...layout,
    },
    alt: "x",
  });

test("Plotly's JSON has other traces and parts of the layout where they are given, the live plot and the PNG have not", () => {
  const parts = {
    data: [{ type: "bar", y: [1, 3, 2] }],
    layout: { ...small, title: { text: "all" } },
    alt: "Three bars",
  };
  const figure = new Figure({
    ...parts,
    inJson: { data: [{ type: "bar", y: [1] }], layout: { title: { text: "one" } } },
  });
  const json = figure.toBundle()["application/vnd.plotly.v1+json"] as FigureParts;
  expect(json.data).toEqual([{ type: "bar", y: [1] }]);
  expect(json.layout).toMatchObject({ ...small, title: { text: "one" } });
  const whole = new Figure(parts);
  expect(figure.data).toEqual(whole.data);
  expect(figure.toHtml()).toBe(whole.toHtml());
  expect(() => new Figure({ ...parts, inJson: [] as never })).toThrow(
    "Cannot make a figure: inJson must be an object, got an array",
  );
});

describe("the PNG", () => {
  test("is twice as large as the layout says", () => {
    const { width, height } = picture(bars().toPng());
    expect([width, height]).toEqual([600, 400]);
  });

  test("is 700 x 450 pixels, twice, where the layout says nothing", () => {
    const { width, height } = picture(new Figure({ data: [], alt: "Nothing" }).toPng());
    expect([width, height]).toEqual([1400, 900]);
  });

  test("has the same bytes each time", () => {
    const first = bars().toPng();
    filling({ type: "heatmap", z: [[1, 2]] }).toPng();
    expect(Buffer.compare(bars().toPng(), first)).toBe(0);
  });

  test("is the caller's own copy", () => {
    const figure = bars();
    figure.toPng().fill(0);
    expect(figure.toPng()[1]).toBe(0x50);
  });

  test.each([
    ["with gaps", { xgap: 2, ygap: 2 }],
    ["without gaps", {}],
  ])("of a heatmap %s has each cell in its colour, row 0 at the bottom", (_, gaps) => {
    const colorscale = [
      [0, "#ff0000"],
      [0.5, "#00ff00"],
      [1, "#0000ff"],
    ];
    const { at } = picture(
      filling({
        type: "heatmap",
        z: [
          [0, 1, 2],
          [2, null, 0],
        ],
        colorscale,
        ...gaps,
      }).toPng(),
    );
    const [red, green, blue] = [
      [255, 0, 0, 255],
      [0, 255, 0, 255],
      [0, 0, 255, 255],
    ];
    expect([at(30, 90), at(90, 90), at(150, 90)]).toEqual([red, green, blue]);
    expect([at(30, 30), at(90, 30), at(150, 30)]).toEqual([blue, [255, 255, 255, 255], red]);
  });

  test("of a colour bar has the colours of its scale", () => {
    const colorscale = [
      [0, "#ff0000"],
      [1, "#0000ff"],
    ];
    const scale = new Figure({
      data: [{ type: "heatmap", z: [[0, 1]], colorscale }],
      layout: { width: 300, height: 300 },
      alt: "x",
    });
    const { svg } = draw(JSON.stringify({ data: scale.data, layout: scale.layout, config: {} }));
    expect(svg).toMatch(/fill: ?url\(#[^')]+\)/);
    expect(picture(scale.toPng()).count([0, 0, 0, 255])).toBe(0);
  });

  test("stands on white even where the layout's paper is transparent", () => {
    const clear = "rgba(0,0,0,0)";
    expect(
      picture(filling({ type: "bar", y: [] }, { paper_bgcolor: clear, plot_bgcolor: clear }).toPng()).at(5, 5),
    ).toEqual([255, 255, 255, 255]);
  });

  test.each(["surface", "mesh3d", "scattergl", "parcoords", "scattermap", "choropleth", "image"])(
    "of a %s trace is refused at once",
    (type) => {
      const beyond = new Figure({
        data: [
          {
            type,
            z: [
              [1, 2],
              [3, 4],
            ],
          },
        ],
        alt: "x",
      });
      expect(() => beyond.toPng()).toThrow(`Cannot draw the figure: a ${type} trace needs a browser`);
    },
  );

  const x = [1, 2, 3, 4];
  const y = [3, 1, 4, 2];
  const z = [
    [1, 2, 3],
    [3, 1, 4],
    [2, 5, 1],
  ];
  test.each<[string, object, object?]>([
    [
      "lines with text and fill",
      { x, y, mode: "lines+markers+text", text: ["a", "<b>b</b>", "c", "d"], fill: "tozeroy" },
    ],
    ["bars with a pattern", { type: "bar", y, marker: { pattern: { shape: "/" } } }],
    ["violins", { type: "violin", y }],
    ["labelled contours", { type: "contour", z, contours: { showlabels: true } }],
    ["a smoothed heatmap", { type: "heatmap", z, zsmooth: "best" }],
    ["pies", { type: "pie", values: y }],
    ["flows", { type: "sankey", node: { label: ["A", "B"] }, link: { source: [0], target: [1], value: [3] } }],
    ["tables", { type: "table", header: { values: ["h"] }, cells: { values: [[1, 2]] } }],
    ["polar lines", { type: "scatterpolar", r: y, theta: [0, 90, 180, 270] }],
    [
      "arrows and shapes",
      { y },
      { annotations: [{ x: 1, y: 1, text: "two<br>lines" }], shapes: [{ type: "path", path: "M 0 1 Q 2 5 3 1 Z" }] },
    ],
    [
      "menus and sliders",
      { y },
      {
        updatemenus: [{ buttons: [{ label: "batch 0", method: "skip" }] }],
        sliders: [{ steps: [{ label: "0", method: "skip" }] }],
      },
    ],
    [
      "long labels that push the margin",
      { type: "bar", x: ["a long name", "another one"], y: [1, 2] },
      { xaxis: { automargin: true, tickangle: 90 } },
    ],
  ])("shows %s", (_, trace, layout = {}) => {
    const figure = new Figure({ data: [trace], layout: { ...small, ...layout }, alt: "x" });
    const { width, height, count } = picture(figure.toPng());
    expect(count([255, 255, 255, 255])).toBeLessThan(width * height * 0.998);
  });
});

describe("text in the PNG", () => {
  const drawn = (text: string): string =>
    draw(JSON.stringify({ data: [], layout: { ...small, title: { text } }, config: { typesetMath: false } })).svg;

  test("keeps what the shipped fonts have, in every script", () => {
    expect(drawn("a Ω Ж ▁ ש → é")).toContain("a Ω Ж ▁ ש → é");
  });

  test("shows what they lack as its code point", () => {
    expect(drawn("你 🙂")).toContain("U+4F60 U+1F642");
    expect(drawn("&#x4F60;")).toContain("U+4F60");
  });

  test("survives control characters and half characters", () => {
    expect(drawn("a\u0000\u001b\ud800")).toContain("a U+0000 U+001B U+D800");
    expect(() =>
      new Figure({ data: [], layout: { title: { text: "\u0000\ud800\ufffe" } }, alt: "x" }).toPng(),
    ).not.toThrow();
  });

  test("is no formula", () => {
    expect(drawn("$x^2$")).toContain("$x^2$");
  });
});

describe("the HTML", () => {
  test("is the same each time, and its id tells figures apart", () => {
    expect(bars().toHtml()).toBe(bars().toHtml());
    const id = (figure: Figure): string | undefined => /data-figure="(\w+)"/.exec(figure.toHtml())?.[1];
    expect(id(bars("a"))).not.toBe(id(bars("b")));
  });

  test("holds the picture in its size with the alt text, one script, and no copy of Plotly", () => {
    const html = bars(`"a" <b> & 'c'`).toHtml();
    expect(html).toContain(`alt="&quot;a&quot; &lt;b&gt; &amp; 'c'" width="300" height="200"`);
    expect(html.match(/<script>/g)).toHaveLength(1);
    expect(html.length).toBeLessThan(30_000);
  });

  test("names the installed Plotly on the CDN, with its integrity", () => {
    const { version } = require("plotly.js-dist/package.json") as { version: string };
    expect(bars().toHtml()).toContain(`"url":"https://cdn.jsdelivr.net/npm/plotly.js-dist@${version}/plotly.js"`);
    expect(bars().toHtml()).toMatch(/"integrity":"sha384-[\w+/]{64}"/);
  });

  test("lets nothing in the data end the script", () => {
    const html = new Figure({ data: [{ name: "</script><!--<script>" }], layout: small, alt: "x" }).toHtml();
    expect(html.match(/<\/script>/g)).toHaveLength(1);
    expect(html).not.toContain("<!--");
  });
});

describe("what Plotly gets", () => {
  test("is plain: typed arrays are arrays, toJSON is asked, NaN and infinities are gaps", () => {
    const { data } = new Figure({
      data: [
        { y: Float64Array.of(1, Number.NaN), x: BigInt64Array.of(3n), z: { toJSON: () => [[Infinity]] }, f: () => 1 },
      ],
      alt: "x",
    });
    expect(data).toEqual([{ y: [1, null], x: [3], z: [[null]] }]);
  });

  test("is taken when the figure is made, and the caller's objects stay as they were", () => {
    const trace = Object.freeze({ type: "bar", y: Object.freeze([1, 2]) });
    const y = [1, 2];
    const figure = new Figure({
      data: [trace, { type: "bar", y }],
      layout: Object.freeze({ font: Object.freeze({ size: 20 }) }),
      alt: "x",
    });
    y.push(3);
    figure.toPng();
    expect(figure.data[1]).toEqual({ type: "bar", y: [1, 2] });
    expect(figure.layout).toMatchObject({ width: 700, font: { size: 20, color: "#222222" } });
  });
});

test.each<[unknown, string]>([
  [undefined, "Cannot make a figure: the figure must be an object {data, layout, alt}, got undefined"],
  [{ alt: "x" }, "Cannot make a figure: data must be an array of Plotly traces, got undefined"],
  [{ data: {}, alt: "x" }, "Cannot make a figure: data must be an array of Plotly traces, got an object"],
  [{ data: [{}, [1]], alt: "x" }, "Cannot make a figure: data[1] must be a Plotly trace, an object, got an array"],
  [{ data: [], layout: "wide", alt: "x" }, "Cannot make a figure: layout must be an object, got string"],
  [{ data: [] }, "Cannot make a figure: alt must be a sentence that says what is seen, got undefined"],
  [{ data: [], alt: "  " }, 'Cannot make a figure: alt must say what is seen, got ""'],
  [
    { data: [], layout: { width: -1 }, alt: "x" },
    "Cannot make a figure: layout.width must be from 1 to 10000 pixels, got -1",
  ],
])("a figure made of %j is refused", (parts, message) => {
  expect(() => new Figure(parts as FigureParts)).toThrow(message);
  try {
    new Figure(parts as FigureParts);
  } catch (error) {
    expect(inspect(error)).toBe(`${(error as Error).name}: ${(error as Error).message}`);
  }
});

test("a figure that holds itself is refused", () => {
  const trace: { self?: object } = {};
  trace.self = trace;
  expect(() => new Figure({ data: [trace], alt: "x" })).toThrow(
    "Cannot make a figure: data and layout must be plain values",
  );
});
