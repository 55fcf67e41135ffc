import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { load, makeFolder, streamText, tslabAttention, writeNotebook } from "./command.js";

describe("run", () => {
  test("executes a notebook in place: outputs joined, cells numbered, blank cells skipped", async () => {
    const folder = makeFolder();
    const path = writeNotebook(folder, "über uns.ipynb", [
      'console.log("one"); console.log("two");',
      "",
      'import * as tslab from "tslab"; tslab.display.html("<b>bold</b>\\n<i>italic</i>");',
      "const later = await Promise.resolve(6 * 7); later",
    ]);
    const { code, stdout, stderr } = await tslabAttention(["run", path]);
    expect(stderr).toMatch(/cell 3 of 3/);
    expect(code).toBe(0);
    const notebook = load(path);
    expect(notebook.cells.map((cell) => cell.execution_count)).toEqual([1, null, 2, 3]);
    expect(notebook.cells[0].outputs).toEqual([{ name: "stdout", output_type: "stream", text: ["one\n", "two\n"] }]);
    expect(notebook.cells[2].outputs).toEqual([
      { data: { "text/html": ["<b>bold</b>\n", "<i>italic</i>"] }, metadata: {}, output_type: "display_data" },
    ]);
    expect(streamText(notebook, 3)).toBe("42\n");
    expect(notebook.cells.map((cell) => cell.id)).toEqual(["cell-1", "cell-2", "cell-3", "cell-4"]);
    expect(notebook.metadata.language_info?.name).toBe("typescript");
    expect(stdout).toContain(path);
    expect(readdirSync(folder)).toEqual(["über uns.ipynb"]);
  });

  test("a cell that fails ends the run: cell and error told, exit code 1, the file as it was", async () => {
    const path = writeNotebook(makeFolder(), "fails.ipynb", ["1 + 1", 'throw new Error("not today");', "2 + 2"]);
    const before = readFileSync(path, "utf8");
    const { code, stderr } = await tslabAttention(["run", path]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${path}: cell 2 failed\n  throw new Error("not today");\n`);
    expect(stderr).toContain("    Error: not today\n");
    expect(stderr).not.toContain("cell 3 of 3");
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  test("a folder stands for its notebooks, copies go to --output-dir, tagged text is printed", async () => {
    const folder = makeFolder();
    writeNotebook(folder, "b.ipynb", [{ source: 'console.log("of b")', tags: ["result"] }]);
    const first = writeNotebook(folder, "a.ipynb", [{ source: "[process.cwd()]", tags: ["result"] }], "jslab");
    const before = readFileSync(first, "utf8");
    const output = join(folder, "new", "copies");
    const { code, stdout } = await tslabAttention(["run", "--output-dir", output, "--print", "result", folder]);
    expect(code).toBe(0);
    expect(stdout.indexOf("of b")).toBeGreaterThan(stdout.indexOf(`[ '${folder}' ]`));
    expect(readFileSync(first, "utf8")).toBe(before);
    expect(readdirSync(output)).toEqual(["a.ipynb", "b.ipynb"]);
    expect(load(join(output, "a.ipynb")).metadata.language_info?.name).toBe("javascript");
  });
});
