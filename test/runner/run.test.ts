import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { formatNotebook } from "../../src/runner/notebook/format-notebook.js";
import { load, makeFolder, makeNotebook, streamText, tslabAttention, writeNotebook } from "./command.js";

describe("run", () => {
  test("executes a notebook in place: outputs joined, cells numbered, blank cells skipped", async () => {
    const folder = makeFolder();
    const path = writeNotebook(folder, "über uns.ipynb", [
      'console.log("one"); console.log("two"); console.error("three"); console.log("four");',
      "",
      'import * as tslab from "tslab"; tslab.display.html("<b>bold</b>\\n<i>italic</i>");',
      "const later = await Promise.resolve(6 * 7); later",
      'const display = tslab.newDisplay(); display.text("first"); console.log("between");',
      'display.text("second");',
      'setTimeout(() => console.log("late"), 100); undefined',
      "let forked = process.execArgv.length; [forked, typeof process.send]",
    ]);
    const { code, stdout, stderr } = await tslabAttention(["run", path]);
    expect(stderr).toMatch(/über uns\.ipynb: cell 7 of 7, \d+\.\d s\n.*über uns\.ipynb: done, /);
    expect(code).toBe(0);
    const notebook = load(path);
    expect(notebook.cells.map((cell) => cell.execution_count)).toEqual([1, null, 2, 3, 4, 5, 6, 7]);
    expect(notebook.cells[0].outputs).toEqual([
      { name: "stdout", output_type: "stream", text: ["one\n", "two\n"] },
      { name: "stderr", output_type: "stream", text: ["three\n"] },
      { name: "stdout", output_type: "stream", text: ["four\n"] },
    ]);
    expect(notebook.cells[2].outputs).toEqual([
      { data: { "text/html": ["<b>bold</b>\n", "<i>italic</i>"] }, metadata: {}, output_type: "display_data" },
    ]);
    expect(streamText(notebook, 3)).toBe("42\n");
    // The update of cell 5 shows where the display is, in cell 4.
    expect(notebook.cells[4].outputs).toEqual([
      { data: { "text/plain": ["second"] }, metadata: {}, output_type: "display_data" },
      { name: "stdout", output_type: "stream", text: ["between\n"] },
    ]);
    expect(notebook.cells[5].outputs).toEqual([]);
    expect(streamText(notebook, 6)).toBe("late\n");
    expect(streamText(notebook, 7)).toBe("[ 0, 'undefined' ]\n");
    expect(notebook.cells.map((cell) => cell.id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((number) => `cell-${number}`));
    expect(notebook.metadata.language_info?.name).toBe("typescript");
    expect(stdout).toContain(path);
    expect(readdirSync(folder)).toEqual(["über uns.ipynb"]);
  });

  test("a cell that fails ends the run: cell and error told, exit code 1, the file as it was", async () => {
    const folder = makeFolder();
    const throws = writeNotebook(folder, "throws.ipynb", ["1 + 1", 'throw new Error("not today");', "2 + 2"]);
    const types = writeNotebook(folder, "types.ipynb", ['const count: number = "\u001b[31mone";']);
    const before = readFileSync(throws, "utf8");
    const { code, stderr } = await tslabAttention(["run", throws, types]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${throws}: cell 2 failed: throw new Error("not today");\n  an error ended it\n`);
    expect(stderr).toContain("    Error: not today\n");
    expect(stderr).not.toContain("cell 3 of 3");
    expect(stderr).toContain(`${types}: cell 1 failed: const count: number = "one";\n`);
    expect(stderr).toContain("1:7 - Type 'string' is not assignable to type 'number'.");
    expect(stderr).not.toContain("\u001b");
    expect(readFileSync(throws, "utf8")).toBe(before);
  });

  test("a cell tagged raises-exception may end with an error, and is then an output like any other", async () => {
    const path = writeNotebook(makeFolder(), "lesson.ipynb", [
      { source: 'throw "on purpose"', tags: ["raises-exception"] },
      'console.log("after")',
    ]);
    expect(await tslabAttention(["run", path])).toMatchObject({ code: 0 });
    expect(streamText(load(path), 0)).toContain("on purpose");
    expect(streamText(load(path), 1)).toBe("after\n");
    expect(await tslabAttention(["run", "--check", path])).toMatchObject({ code: 0 });
  });

  test("a copy in --output-dir that someone has worked in is kept under another name", async () => {
    const folder = makeFolder();
    const path = writeNotebook(folder, "a.ipynb", ["1 + 1"]);
    const output = join(folder, "executed");
    await tslabAttention(["run", "--output-dir", output, path]);
    const again = await tslabAttention(["run", "--output-dir", output, path]);
    expect(again.stdout).not.toContain("kept");

    writeNotebook(output, "a.ipynb", ["1 + 1 // my work"]);
    const { code, stdout } = await tslabAttention(["run", "--output-dir", output, path]);
    expect(code).toBe(0);
    expect(stdout).toContain(`kept as:\n  ${join(output, "a (kept 1).ipynb")}`);
    expect(readFileSync(join(output, "a (kept 1).ipynb"), "utf8")).toContain("my work");
    expect(readFileSync(join(output, "a.ipynb"), "utf8")).not.toContain("my work");
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

  test("leaves a file alone that someone changed during the run, and gives the same bytes each time", async () => {
    const folder = makeFolder();
    const source = 'require("node:fs").appendFileSync(process.cwd() + "/edited.ipynb", " "); 1';
    const edited = writeNotebook(folder, "edited.ipynb", [source], "jslab");
    const before = readFileSync(edited, "utf8");
    const refused = await tslabAttention(["run", edited]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain(
      `Cannot write ${edited}: it was changed by someone else during the run; run it again`,
    );
    expect(readFileSync(edited, "utf8")).toBe(`${before} `);

    const notebook = makeNotebook(["[1, 2, 3]"]);
    delete notebook.cells[0].id;
    const path = join(folder, "same.ipynb");
    writeFileSync(path, formatNotebook(notebook));
    await tslabAttention(["run", path]);
    const first = readFileSync(path, "utf8");
    expect(load(path).cells[0].id).toMatch(/^[0-9a-f]{8}$/);
    await tslabAttention(["run", path]);
    expect(readFileSync(path, "utf8")).toBe(first);
  });
});
