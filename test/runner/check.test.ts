import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { Notebook } from "../../src/runner/notebook/format.js";
import { formatNotebook } from "../../src/runner/notebook/format-notebook.js";
import { load, makeFolder, tslabAttention, writeNotebook } from "./command.js";

const bundle = `import { createRequire } from "node:module";
const module = Object.keys(require.cache).find((path) => /tslab[\\\\/]dist[\\\\/]jupyter\\.js$/.test(path));
require.cache[module].exports.lastWriteDisplayData({
  data: { "application/vnd.plotly.v1+json": { data: [{ z: [[0, 1], [2, 0.4]] }], layout: {} }, "text/plain": "a figure" },
  metadata: {}, transient: {},
}, false);`;

/** A notebook whose outputs are what its code gives. */
function makeCurrent(folder: string): Promise<string> {
  const path = writeNotebook(
    folder,
    "current.ipynb",
    [
      'console.log("one"); console.log("two");',
      bundle,
      { source: "console.log(process.hrtime.bigint())", tags: ["volatile"] },
      'const fixed = "last"; fixed',
    ],
    "jslab",
  );
  return tslabAttention(["run", path]).then(() => path);
}

describe("run --check", () => {
  let folder: string;
  let current: string;

  const changed = (name: string, change: (notebook: Notebook) => void): string => {
    const notebook = load(current);
    change(notebook);
    const path = join(folder, name);
    writeFileSync(path, formatNotebook(notebook));
    return path;
  };

  beforeAll(async () => {
    folder = makeFolder();
    current = await makeCurrent(folder);
  });

  test("tells every kind of difference, in the order of the notebooks, and writes nothing", async () => {
    const paths = [
      current,
      changed("stale.ipynb", ({ cells }) => {
        cells[0].outputs = [{ output_type: "stream", name: "stdout", text: "one\ntoo\n" }];
      }),
      changed("figure.ipynb", ({ cells }) => {
        const figure = {
          data: [
            {
              z: [
                [0, 1],
                [2, 0.41],
              ],
            },
          ],
          layout: {},
        };
        const data = { "application/vnd.plotly.v1+json": figure, "text/plain": "a figure" };
        cells[1].outputs = [{ output_type: "display_data", data, metadata: {} }];
      }),
      changed("order.ipynb", ({ cells }) => {
        cells[3].execution_count = 2;
      }),
      changed("error.ipynb", ({ cells }) => {
        cells[2].outputs = [{ output_type: "error", ename: "Error", evalue: "old", traceback: [] }];
        cells[3].outputs = [];
      }),
      join(folder, "missing.ipynb"),
      changed("fails.ipynb", ({ cells }) => {
        cells[0].outputs = [];
        cells[2].source = "null.length";
      }),
    ];
    const before = readdirSync(folder).map((name) => readFileSync(join(folder, name), "utf8"));
    const report = join(folder, "reports", "check.json");
    const { code, stdout } = await tslabAttention(["run", "--check", "--report", report, ...paths]);
    expect(code).toBe(2);
    const places = paths.map((path) => stdout.indexOf(path));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(stdout).toMatch(/current\.ipynb: every output is what its code gives, \d/);
    expect(stdout).toContain(
      'stale.ipynb: cell 1 differs: console.log("one"); console.log("two");\n  output 1, stdout\n      one\n    - too\n    + two\n',
    );
    expect(stdout).toContain("  output 1, application/vnd.plotly.v1+json\n    trace 0, z[1][1]: 0.41 became 0.40\n");
    expect(stdout).toContain(
      'order.ipynb: cell 4 differs: const fixed = "last"; fixed\n  it was executed out of order: its execution count is 2, after 3\n',
    );
    expect(stdout).toContain(
      "error.ipynb: cell 3 differs: console.log(process.hrtime.bigint())\n  an error was left in the file\n",
    );
    expect(stdout).toContain(
      'error.ipynb: cell 4 differs: const fixed = "last"; fixed\n  output 1, stdout, is missing in the file\n    + last\n',
    );
    expect(stdout).toContain(`Cannot run ${paths[5]}: there is no such file\n`);
    expect(stdout).toContain("fails.ipynb: cell 1 differs");
    expect(stdout).toContain("fails.ipynb: cell 3 failed: null.length\n  an error ended it\n");

    const { notebooks } = JSON.parse(readFileSync(report, "utf8"));
    expect(notebooks.map((notebook: { path: string }) => notebook.path)).toEqual(paths);
    expect(notebooks[0].cells.map((cell: { status: string }) => cell.status)).toEqual([
      "fine",
      "fine",
      "volatile",
      "fine",
    ]);
    expect(notebooks[6]).toMatchObject({ skipped: 1, cells: [{ status: "different" }, {}, { status: "failed" }] });
    expect(
      readdirSync(folder)
        .filter((name) => name !== "reports")
        .map((name) => readFileSync(join(folder, name), "utf8")),
    ).toEqual(before);
  });

  test("exits 0 where nothing differs, 1 where something does, and reports to CI as JUnit", async () => {
    const stale = changed("stale again <&>.ipynb", ({ cells }) => {
      cells[0].outputs = [{ output_type: "stream", name: "stdout", text: 'one\u0007 < & > " \n' }];
    });
    const report = join(folder, "junit.xml");
    const env = { ...process.env, FORCE_COLOR: "1" };
    expect((await tslabAttention(["run", "--check", current], { env })).code).toBe(0);
    expect((await tslabAttention(["run", "--check", "--report", report, current, stale])).code).toBe(1);
    const xml = readFileSync(report, "utf8")
      .replace(/time="[\d.]+"/g, 'time="0"')
      .replaceAll(folder, "");
    expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="/current.ipynb" tests="4" failures="0" errors="0" skipped="0" time="0">
    <testcase classname="/current.ipynb" name="cell 1: console.log(&quot;one&quot;); console.log(&quot;two&quot;);" time="0"/>
    <testcase classname="/current.ipynb" name="cell 2: import { createRequire } from &quot;node:module&quot;;" time="0"/>
    <testcase classname="/current.ipynb" name="cell 3: console.log(process.hrtime.bigint())" time="0"/>
    <testcase classname="/current.ipynb" name="cell 4: const fixed = &quot;last&quot;; fixed" time="0"/>
  </testsuite>
  <testsuite name="/stale again &lt;&amp;&gt;.ipynb" tests="4" failures="1" errors="0" skipped="0" time="0">
    <testcase classname="/stale again &lt;&amp;&gt;.ipynb" name="cell 1: console.log(&quot;one&quot;); console.log(&quot;two&quot;);" time="0"><failure message="output 1, stdout">output 1, stdout
- one\\x07 &lt; &amp; &gt; &quot; 
+ one
+ two</failure></testcase>
    <testcase classname="/stale again &lt;&amp;&gt;.ipynb" name="cell 2: import { createRequire } from &quot;node:module&quot;;" time="0"/>
    <testcase classname="/stale again &lt;&amp;&gt;.ipynb" name="cell 3: console.log(process.hrtime.bigint())" time="0"/>
    <testcase classname="/stale again &lt;&amp;&gt;.ipynb" name="cell 4: const fixed = &quot;last&quot;; fixed" time="0"/>
  </testsuite>
</testsuites>
`);
  });
});
