import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { load, makeFolder, tslabAttention, writeNotebook } from "../runner/command.js";

const root = resolve(__dirname, "../..");

/** What a program prints that has the package as `t`, in a process of its own: it sees the modules Node has loaded. */
function run(program: string): string {
  const { stdout, stderr } = spawnSync(process.execPath, ["-e", `const t = require("./dist/index.js");\n${program}`], {
    cwd: root,
    encoding: "utf8",
  });
  expect(stderr).toBe("");
  return stdout;
}

// tslab as far as a figure sees it: modules that the process has loaded.
const fake = `
  const sent = [];
  const loaded = (file, exports) => { require.cache["/any/where/node_modules/tslab/dist/" + file] = { exports }; };
  const bars = new t.Figure({ data: [{ type: "bar", y: [1, 2] }], layout: { width: 200, height: 150 }, alt: "Two bars" });
`;
const kernel = `${fake} loaded("jupyter.js", { lastWriteDisplayData: (content, update) => sent.push({ content, update }) });`;

describe("in plain Node", () => {
  test("a figure prints its alt text, and nothing heavy is loaded", () => {
    const heavy = `Object.keys(require.cache).filter((file) => /linkedom|plotly|opentype|resvg|fflate/.test(file)).length`;
    expect(run(`${fake} console.log(bars); bars.show(); t.show("a", bars, [1, [2]]); console.log(${heavy});`)).toBe(
      "Two bars\nTwo bars\na\nTwo bars\n[ 1, [ 2 ] ]\n0\n",
    );
  });
});

describe("in a kernel", () => {
  test("the last expression of a cell sends one bundle and prints one line", () => {
    const [line, sent] = run(`${kernel} console.log(bars); console.log(JSON.stringify(sent));`).split("\n");
    expect(line).toBe("Two bars");
    const [{ content, update }, ...more] = JSON.parse(sent);
    expect(more).toEqual([]);
    expect(update).toBe(false);
    expect(content).toMatchObject({ metadata: {}, transient: {}, data: { "text/plain": "Two bars" } });
    expect(Object.keys(content.data)).toEqual([
      "text/html",
      "application/vnd.plotly.v1+json",
      "image/png",
      "text/plain",
    ]);
  });

  test("show() sends the bundle and prints nothing", () => {
    expect(run(`${kernel} bars.show(); t.show(bars, "text"); console.log(sent.length);`)).toBe("text\n2\n");
  });

  test("a figure inside another object is its line of text alone", () => {
    const nested = `console.log({ bars }); console.log([bars]); console.log(new Map([["a", bars]]));`;
    expect(run(`${kernel} ${nested} console.log(sent.length);`)).toBe(
      "{ bars: Two bars }\n[ Two bars ]\nMap(1) { 'a' => Two bars }\n0\n",
    );
  });

  test("the figures of all steps show themselves, each as one bundle, and inside another object as text", () => {
    const steps = `const w = t.eye(2); const x = t.arange(4).reshape(1, 2, 2);
      const figures = t.stepFigures({ ...t.attentionSteps(x, w, w, w, w, 1), x });`;
    const out = run(`${kernel} ${steps} console.log(figures); console.log({ figures }); console.log(sent.length);`);
    expect(out.match(/Step \d of 9/g)).toHaveLength(9 + 9);
    expect(out.trimEnd().split("\n").at(-1)).toBe("9");
  });

  test("other things show themselves by the same means", () => {
    const verdict = `class Verdict extends t.Showable { toBundle() { return { "text/html": "<b>yes</b>" }; } toString() { return "yes"; } }`;
    expect(
      run(`${kernel} ${verdict} console.log(new Verdict()); console.log(JSON.stringify(sent[0].content.data));`),
    ).toBe('yes\n{"text/html":"<b>yes</b>"}\n');
  });

  test("what has no form but text is printed, once", () => {
    const verdict = `class Verdict extends t.Showable { toBundle() { return { "text/plain": "yes" }; } toString() { return "yes"; } }`;
    expect(
      run(`${kernel} ${verdict} console.log(new Verdict()); new Verdict().show(); console.log(sent.length);`),
    ).toBe("yes\nyes\n0\n");
  });

  test("a figure that cannot be drawn here sends its live plot and its alt text", () => {
    const surface = `new t.Figure({ data: [{ type: "surface", z: [[1, 2], [3, 4]] }], alt: "A <slope>" })`;
    const out = run(`${kernel} console.log(${surface}); console.log(JSON.stringify(sent[0].content.data));`).split(
      "\n",
    );
    expect(out[0]).toBe("A <slope>");
    const data = JSON.parse(out[1]);
    expect(Object.keys(data)).toEqual(["text/html", "application/vnd.plotly.v1+json", "text/plain"]);
    expect(data["text/html"]).toContain("A &lt;slope&gt;</p>");
    const [, packed = ""] = /"packed":"([^"]*)"/.exec(data["text/html"]) ?? [];
    expect(inflateSync(Buffer.from(packed, "base64")).toString()).toContain('"type":"surface"');
  });

  test("without the rasteriser a figure sends its live plot and its alt text", () => {
    const missing = `const { Module } = require("node:module"); const load = Module._load;
      Module._load = (name, ...rest) => { if (/resvg/.test(name)) throw new Error("no build for this machine"); return load(name, ...rest); };`;
    const data = JSON.parse(
      run(`${missing} ${kernel} bars.show(); console.log(JSON.stringify(sent[0].content.data));`),
    );
    expect(Object.keys(data)).toEqual(["text/html", "application/vnd.plotly.v1+json", "text/plain"]);
    expect(data["text/html"]).toContain("Two bars</p>");
  });

  test("a tslab of another shape gets the HTML through its public display", () => {
    const old = `${fake} loaded("jupyter.js", {}); loaded("public.js", { display: { html: (html) => sent.push(html) } });`;
    expect(run(`${old} bars.show(); console.log(sent.length, /<img/.test(sent[0]));`)).toBe("1 true\n");
  });

  test("where tslab is loaded but no kernel runs, a figure prints its alt text", () => {
    const idle = `${fake} loaded("jupyter.js", { lastWriteDisplayData: null });
      loaded("public.js", { display: { html() { throw new Error("Not ready"); } } });`;
    expect(run(`${idle} bars.show(); console.log(bars);`)).toBe("Two bars\nTwo bars\n");
  });
});

test("the real kernel takes a figure as one output, by show() and as the last expression", async () => {
  const folder = makeFolder();
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(root, join(folder, "node_modules", "tslab-attention"), "junction");
  const path = writeNotebook(folder, "figures.ipynb", [
    `import { Figure, show } from "tslab-attention";
     const bars = new Figure({ data: [{ type: "bar", y: [1, 2] }], layout: { width: 200, height: 150 }, alt: "Two bars" });`,
    `show("before", bars, "after");`,
    "bars",
  ]);
  const { code } = await tslabAttention(["run", path]);
  expect(code).toBe(0);
  const forms = (output: object): string[] =>
    Object.keys("data" in output ? (output.data as object) : output).toSorted();
  const [, shown, last] = load(path).cells.map(({ outputs = [] }) => outputs.map(forms));
  const figure = ["application/vnd.plotly.v1+json", "image/png", "text/html", "text/plain"];
  const stream = ["name", "output_type", "text"];
  expect(shown).toEqual([stream, figure, stream]);
  expect(last).toEqual([figure, stream]);
});
