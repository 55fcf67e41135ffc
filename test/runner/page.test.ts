import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Cell, Json, Notebook, Output } from "../../src/runner/notebook/format.js";
import { planPages } from "../../src/runner/page/plan.js";
import { writePage } from "../../src/runner/page/write-page.js";
import { makeFolder, makeNotebook, tslabAttention, writeNotebook } from "./command.js";

function markdown(source: string, attachments?: Cell["attachments"]): Cell {
  return { cell_type: "markdown", metadata: {}, source, ...(attachments && { attachments }) };
}

function code(source: string, ...outputs: Output[]): Cell {
  return { cell_type: "code", metadata: {}, source, outputs, execution_count: 1 };
}

function shown(data: Record<string, Json>): Output {
  return { output_type: "display_data", data, metadata: {} };
}

/** The page of a notebook of these cells. */
function page(cells: Cell[], name = "lesson.ipynb"): string {
  const folder = makeFolder();
  const path = join(folder, name);
  const notebook: Notebook = { ...makeNotebook([]), cells };
  return readFileSync(writePage(path, notebook, folder, planPages([path], folder)), "utf8");
}

/** The part of the page that is the notebook. */
function main(cells: Cell[]): string {
  return /<main>\n([\s\S]*)\n<\/main>/.exec(page(cells))?.[1] ?? "";
}

describe("a notebook's page", () => {
  test("holds prose, formulas, code in colour and outputs, in the notebook's order", () => {
    const html = main([
      markdown("# Heads\n\nA *head* sees $d$ columns.\n\n| a | b |\n|---|---|\n| 1 | 2 |"),
      code("const d = 2; // width", { output_type: "stream", name: "stdout", text: ["[[1. 2.]\n", " [3. 4.]]\n"] }),
      markdown("Done."),
    ]);
    const order = [
      '<h1 id="Heads">Heads</h1>',
      "<em>head</em>",
      'class="katex"',
      "<td>2</td>",
      '<span class="hljs-keyword">const</span>',
      '<span class="hljs-comment">// width</span>',
      "[[1. 2.]\n [3. 4.]]",
      "<p>Done.</p>",
    ].map((piece) => html.indexOf(piece));
    expect(order).not.toContain(-1);
    expect(order).toEqual([...order].sort((a, b) => a - b));
  });

  test("is named by its first heading, else by its file, and says what language it is in", () => {
    expect(page([markdown("text"), markdown("## Tokens & <b>heads</b>")])).toContain(
      "<title>Tokens &amp; &lt;b&gt;heads&lt;/b&gt;</title>",
    );
    expect(page([markdown("text")], "a & b.ipynb")).toContain("<title>a &amp; b</title>");
    expect(page([])).toMatch(/^<!doctype html>\n<html lang="en">/);
  });

  test("shows text as text: code, what is printed, errors, alternative texts, JSON", () => {
    const tag = '<img src=x onerror="alert(1)">';
    const html = main([
      code(
        `"${tag}"`,
        { output_type: "stream", name: "stdout", text: tag },
        { output_type: "error", ename: "Error", evalue: tag, traceback: [] },
        shown({ "image/png": "iVBORw0K\nGgo=", "text/plain": `A picture of ${tag}` }),
        shown({ "application/json": { tag } }),
        shown({ "text/plain": tag }),
      ),
    ]);
    expect(html).not.toContain("<img src=x");
    expect(html.match(/&lt;img src=x/g)).toHaveLength(6);
    expect(html).toContain('<img src="data:image/png;base64,iVBORw0KGgo=" alt="A picture of &lt;img');
  });

  test("keeps the HTML that code shows and that markdown holds, scripts included; JavaScript links it does not", () => {
    const html = main([
      markdown("a <kbd>b</kbd>\n\n<details><summary>c</summary>\n\n*d*\n\n</details>\n\n[e](javascript:alert(1))"),
      code("show()", shown({ "text/html": ["<b>f</b>\n", "<script>g()</script>"], "text/plain": "h" })),
    ]);
    expect(html).toContain("a <kbd>b</kbd>");
    expect(html).toContain("<details><summary>c</summary>\n<p><em>d</em></p>\n</details>");
    expect(html).toContain('<div class="html"><b>f</b>\n<script>g()</script></div>');
    expect(html).not.toContain("href=");
  });

  test("shows the richest form, SVG as a picture, and nothing where it can show none", () => {
    const html = main([
      code(
        "show()",
        shown({ "text/plain": "no", "text/markdown": "**yes**" }),
        shown({ "text/plain": "A circle", "image/svg+xml": "<svg><script>no()</script></svg>" }),
        shown({ "text/latex": "$$x^2$$", "text/plain": "no" }),
        shown({ "application/vnd.someone+json": {} }),
      ),
    ]);
    expect(html).toContain("<strong>yes</strong>");
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>no()</script></svg>';
    expect(html).toContain(
      `<img src="data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}" alt="A circle">`,
    );
    expect(html).toContain("katex-display");
    expect(html).not.toContain("no()");
    expect(html).toContain('<div class="output"></div>');
  });

  test("printed text loses its terminal colours and what was written over", () => {
    const html = main([
      code("go()", { output_type: "stream", name: "stderr", text: "\u001b[31mred\u001b[0m\n1%\r100%\r\nend\n" }),
    ]);
    expect(html).toContain(">red\n100%\nend</pre>");
    expect(html).toContain('class="stderr"');
  });

  test("reads formulas before markdown does, and leaves prices, escapes and code alone", () => {
    const tex = (source: string) =>
      [...main([markdown(source)]).matchAll(/<annotation encoding="application\/x-tex">(.*?)<\/annotation>/gs)].map(
        ([, formula]) => formula,
      );
    expect(tex("$a_b$ and $c_d$, $x<y$")).toEqual(["a_b", "c_d", "x&lt;y"]);
    expect(tex("$$\na\n= b\n- c\n$$\nand on")).toEqual(["\na\n= b\n- c\n"]);
    expect(tex("so $$a$$ inside")).toEqual(["a"]);
    expect(tex("\\begin{align}\na &= b\n\\end{align}")).toEqual(["\\begin{align}\na &amp;= b\n\\end{align}"]);
    expect(tex("- item\n\n  $$a$$\n\n> $$b$$")).toEqual(["a", "b"]);
    expect(tex("costs $5 or $6")).toEqual([]);
    expect(tex("\\$x\\$ and `$y$`\n\n    $z$")).toEqual([]);
    expect(main([markdown("\\$5")])).toContain("<p>$5</p>");
    expect(main([markdown("$\\frac{1$ goes on")])).toContain("katex-error");
  });

  test("carries Plotly once where figures ask for it, and not where none does", () => {
    const figure = shown({ "text/html": "<script>window.tslabAttentionPlotly</script>" });
    const html = page([code("figure", figure), code("figure", figure)]);
    const packed = [...html.matchAll(/id="packed-plotly">([^<]*)</g)];
    expect(packed).toHaveLength(1);
    const unpacked = inflateSync(Buffer.from(packed[0][1], "base64"));
    expect(unpacked.equals(readFileSync(require.resolve("plotly.js-dist")))).toBe(true);
    expect(html.length).toBeLessThan(3_000_000);
    expect(page([code("1 + 1")]).length).toBeLessThan(10_000);
  });

  test("asks for nothing outside itself", () => {
    const html = page([markdown("# a\n\n$x^2$"), code("1")]);
    expect(html).not.toMatch(/(?:src|href)\s*=|url\((?!data:)|@import/);
  });

  test("has the same bytes each time", () => {
    const cells = [markdown("# a\n\n$x$"), code("let a = 1", shown({ "text/html": "tslabAttentionPlotly" }))];
    expect(page(cells)).toBe(page(cells));
  });

  test("carries its pictures, and its links lead where they led", () => {
    const folder = makeFolder();
    const lessons = join(folder, "lessons");
    mkdirSync(lessons);
    writeFileSync(join(lessons, "a b.png"), "picture");
    const paths = [join(lessons, "one.ipynb"), join(lessons, "two.ipynb")];
    const pages = join(folder, "pages");
    const notebook: Notebook = {
      ...makeNotebook([]),
      cells: [
        markdown("![a](attachment:c%20d.png) ![b](<a b.png>) <img alt='c' src='a%20b.png'>", {
          "c d.png": { "image/png": "QUJD" },
        }),
        markdown("[1](two.ipynb#Next) [2](data/x.csv?y) [3](three.ipynb) [4](#a) [5](https://example.org/a.png)"),
        markdown('![gone](gone.png) <a href="two.ipynb">6</a>'),
      ],
    };
    const html = readFileSync(writePage(paths[0], notebook, pages, planPages(paths, pages)), "utf8");
    const addresses = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
    const picture = `data:image/png;base64,${Buffer.from("picture").toString("base64")}`;
    expect(addresses).toEqual([
      "data:image/png;base64,QUJD",
      picture,
      picture,
      "two.html#Next",
      "../lessons/data/x.csv?y",
      "../lessons/three.ipynb",
      "#a",
      "https://example.org/a.png",
      "../lessons/gone.png",
      "two.html",
    ]);
  });
});

describe("run --html", () => {
  test("writes the page of each notebook and says where it is", async () => {
    const folder = makeFolder();
    const path = writeNotebook(folder, "über.ipynb", ['console.log("six times seven:", 6 * 7)']);
    const output = join(folder, "new", "pages");
    const { code, stdout } = await tslabAttention(["run", "--html", output, path]);
    expect(code).toBe(0);
    const target = join(output, "über.html");
    expect(readFileSync(target, "utf8")).toContain(">six times seven: 42</pre>");
    expect(stdout).toContain(`  ${pathToFileURL(target)}\n`);
  });

  test("refuses two notebooks that would become one page", async () => {
    const folder = makeFolder();
    mkdirSync(join(folder, "b"));
    const paths = [writeNotebook(folder, "a.ipynb", ["1"]), writeNotebook(join(folder, "b"), "a.ipynb", ["1"])];
    const { code, stderr } = await tslabAttention(["run", "--html", folder, ...paths]);
    expect(stderr).toContain("Cannot write pages: names in --html must differ, got a.html twice");
    expect(code).toBe(2);
  });
});
