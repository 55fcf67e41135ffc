import { PNG } from "pngjs";
import { describe, expect, test } from "vitest";
import { compareCell, leftErrors } from "../../src/runner/compare/cell.js";
import { blankCellProblems, executionOrderProblems } from "../../src/runner/compare/execution-order.js";
import type { Bundle, CodeCell, Output } from "../../src/runner/notebook/format.js";
import { makeNotebook } from "./command.js";

function cell(...outputs: Output[]): CodeCell {
  return makeNotebook([{ source: "x", outputs }]).cells[0] as CodeCell;
}

const text = (text: string | string[], name = "stdout"): Output => ({ output_type: "stream", name, text });
const rich = (data: Bundle): Output => ({ output_type: "display_data", data, metadata: {} });

function picture(change = 0, compression = 9): string {
  const png = new PNG({ width: 4, height: 3 });
  png.data.fill(255);
  png.data[4 * 6 + 1] -= change;
  return PNG.sync.write(png, { deflateLevel: compression, filterType: compression === 9 ? 0 : 4 }).toString("base64");
}

const figure = (value: number): Bundle => ({
  "application/vnd.plotly.v1+json": {
    data: [
      {
        type: "heatmap",
        z: [
          [0, 0],
          [0, 0],
          [0, value],
        ],
      },
    ],
    layout: {},
  },
});

describe("compareCell()", () => {
  test("finds nothing where all is the same, however the text is split", () => {
    const before = cell(text("a\nb\n"), text(["c\n"]), rich({ "text/html": ["<b>\n", "</b>"], ...figure(0.4) }));
    const now = cell(text(["a\n", "b\n", "c\n"]), rich({ "text/html": "<b>\n</b>", ...figure(0.4) }));
    expect(compareCell(before, now)).toEqual([]);
  });

  test("text differs by one digit", () => {
    expect(compareCell(cell(text("a\nb 0.25\nc\n")), cell(text("a\nb 0.26\nc\n")))).toEqual([
      "output 1, stdout\n  a\n- b 0.25\n+ b 0.26\n  c",
    ]);
  });

  test("text differs by what cannot be seen", () => {
    expect(compareCell(cell(text("a \n")), cell(text("a\n")))).toEqual(['output 1, stdout\n- "a \\n"\n+ "a\\n"']);
    expect(compareCell(cell(text("\u001b[33mtrue\u001b[39m")), cell(text("true")))).toEqual([]);
    expect(compareCell(cell(text("true")), cell(text("\u001b[33mtrue\u001b[39m")))).toHaveLength(1);
    expect(compareCell(cell(text("\u001b[31ma\r")), cell(text("\u001b[32ma\r")))).toEqual([
      "output 1, stdout\n- \\x1b[31ma\\x0d\n+ \\x1b[32ma\\x0d",
    ]);
  });

  test("a long line is cut to where it changes, a long diff to its beginning", () => {
    const line = "x".repeat(500);
    const [long] = compareCell(cell(text(`${line}1${line}`)), cell(text(`${line}2${line}`)));
    expect(long).toContain(`- ...${"x".repeat(30)}1${"x".repeat(89)}...`);
    const lines = (word: string) => Array.from({ length: 5000 }, (_, index) => `${word} ${index}\n`).join("");
    const [many] = compareCell(cell(text(lines("a"))), cell(text(lines("b"))));
    expect(many).toBe(
      [
        "output 1, stdout",
        ...[0, 1, 2, 3, 4, 5, 6, 7].map((number) => `- a ${number}`),
        "... 4992 more lines",
        ...[0, 1, 2, 3, 4, 5, 6, 7].map((number) => `+ b ${number}`),
        "... 4992 more lines",
      ].join("\n"),
    );
  });

  test("a figure differs by one number, told by trace and place", () => {
    expect(compareCell(cell(rich(figure(0.4))), cell(rich(figure(0.41))))).toEqual([
      "output 1, application/vnd.plotly.v1+json\ntrace 0, z[2][1]: 0.40 became 0.41",
    ]);
  });

  test("JSON differs by what is new, gone, longer or of another type", () => {
    const before = { a: 1, b: [1, 2], c: "x", "d e": null };
    const now = { a: "1", b: [1], c: "x", f: true };
    expect(compareCell(cell(rich({ "application/json": before })), cell(rich({ "application/json": now })))).toEqual([
      'output 1, application/json\na: 1 became "1"\nb: 2 elements became 1\n["d e"]: null is gone\nf: true is new',
    ]);
  });

  test("a picture differs by one pixel, and not by how it is packed", () => {
    expect(picture(0, 9)).not.toBe(picture(0, 1));
    expect(compareCell(cell(rich({ "image/png": picture(0, 9) })), cell(rich({ "image/png": picture(0, 1) })))).toEqual(
      [],
    );
    expect(compareCell(cell(rich({ "image/png": picture() })), cell(rich({ "image/png": picture(1) })))).toEqual([
      "output 1, image/png\n1 of 12 pixels differ, the first at x 2, y 1: #ffffffff became #fffeffff",
    ]);
    expect(compareCell(cell(rich({ "image/png": picture() })), cell(rich({ "image/png": "broken" })))).toEqual([
      "output 1, image/png\na picture that could be read became one that cannot",
    ]);
  });

  test("a picture inside a page counts by its pixels too", () => {
    const page = (png: string) => rich({ "text/html": `<img src="data:image/png;base64,${png}">` });
    expect(compareCell(cell(page(picture(0, 9))), cell(page(picture(0, 1))))).toEqual([]);
    expect(compareCell(cell(page(picture())), cell(page(picture(1))))[0]).toMatch(
      /^output 1, text\/html\n- <img src="\[PNG 4x3, pixels [0-9a-f]{16}\]">\n\+ <img src="\[PNG 4x3, /,
    );
  });

  test("what follows a picture in a page counts, without quotes around the picture too", () => {
    const page = (words: string) => rich({ "text/html": `<img src=data:image/png;base64,${picture()} alt=${words}>` });
    expect(compareCell(cell(page("before")), cell(page("after")))).toHaveLength(1);
  });

  test("a type is missing or surplus, in the bundle or as the whole output", () => {
    const both = rich({ "text/html": "a", "text/plain": "a" });
    expect(compareCell(cell(rich({ "text/plain": "a" })), cell(both))).toEqual([
      "output 1, text/html is missing in the file",
    ]);
    expect(compareCell(cell(both), cell(rich({ "text/plain": "a" })))).toEqual([
      "output 1, text/html is surplus in the file",
    ]);
    expect(compareCell(cell(text("a")), cell(text("a", "stderr")))).toEqual([
      "output 1, stdout became stderr\n- a\n+ a",
    ]);
    const result: Output = {
      output_type: "execute_result",
      data: { "text/plain": "a" },
      metadata: {},
      execution_count: 1,
    };
    expect(compareCell(cell(result), cell(rich({ "text/plain": "a" })))).toEqual([
      "output 1, execute_result became display_data\n- text/plain\n+ text/plain",
    ]);
  });

  test("metadata of an output counts", () => {
    const sized: Output = { output_type: "display_data", data: { "text/plain": "a" }, metadata: { width: 1 } };
    expect(compareCell(cell(sized), cell(rich({ "text/plain": "a" })))).toEqual([
      "output 1, metadata\nwidth: 1 is gone",
    ]);
  });

  test("an output is missing or surplus, and those around it are not blamed", () => {
    const [a, b, c] = ["a", "b", "c"].map((word) => rich({ "text/plain": word }));
    expect(compareCell(cell(a, c), cell(a, b, c))).toEqual([
      "output 2, display_data, is missing in the file\n+ text/plain",
    ]);
    expect(compareCell(cell(a, b, c), cell(b, c))).toEqual([
      "output 1, display_data, is surplus in the file\n- text/plain",
    ]);
    expect(compareCell(cell(), cell(text("new\n")))).toEqual(["output 1, stdout, is missing in the file\n+ new"]);
  });

  test("an error left in the file is found", () => {
    const error: Output = { output_type: "error", ename: "Error", evalue: "old", traceback: [] };
    expect(compareCell(cell(error, text("a")), cell(text("a")))).toEqual([]);
    expect(leftErrors(cell(error, text("a")))).toEqual(["an error was left in the file\n- Error: old"]);
  });
});

describe("executionOrderProblems()", () => {
  const problems = (...counts: (number | null)[]) => [
    ...executionOrderProblems(makeNotebook(counts.map((count) => ({ source: "x", count })))),
  ];

  test("counts that rise are fine, with gaps too, and so is a file that has none", () => {
    expect(problems(1, 2, 5)).toEqual([]);
    expect(problems(null, null)).toEqual([]);
  });

  test("a count that does not rise, or is not there, is found", () => {
    expect(problems(1, 4, 3, 5)).toEqual([[3, "it was executed out of order: its execution count is 3, after 4"]]);
    expect(problems(1, null, 2)).toEqual([[2, "it was never executed: its execution count is empty"]]);
  });
});

describe("blankCellProblems()", () => {
  const blank = { source: " \n", outputs: [text("stale\n")] };

  test("a blank cell that holds outputs is told at the cell before it, or at the first", () => {
    expect([...blankCellProblems(makeNotebook(["1", "2", blank]))]).toEqual([
      [2, "the blank cell after it was left with outputs"],
    ]);
    expect([...blankCellProblems(makeNotebook([blank, "1"]))]).toEqual([
      [1, "the blank cell before it was left with outputs"],
    ]);
    expect([...blankCellProblems(makeNotebook(["1", ""]))]).toEqual([]);
  });
});
