import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { load, makeFolder, makeNotebook, tslabAttention, writeNotebook } from "./command.js";

describe("a run that cannot be made exits 2 and says why", () => {
  let folder: string;
  const at = (name: string) => join(folder, name);

  beforeAll(() => {
    folder = makeFolder();
  });

  test("arguments that are wrong or missing", async () => {
    const cases: [string[], string][] = [
      [["walk"], 'Cannot run "walk": the command must be run or '],
      [["run"], "Cannot run notebooks: name at least one notebook or folder"],
      [
        ["run", "--chek", "a.ipynb"],
        "Cannot run notebooks: Unknown option '--chek' (tslab-attention run --help lists the options)",
      ],
      [["run", "--timeout", "0", "a.ipynb"], 'Cannot run notebooks: --timeout must be seconds above 0, got "0"'],
      [["run", "--timeout", "", "a.ipynb"], 'Cannot run notebooks: --timeout must be seconds above 0, got ""'],
      [["run", "--jobs", "1.5", "a.ipynb"], 'Cannot run notebooks: --jobs must be a count above 0, got "1.5"'],
      [
        ["run", "--report", "a.txt", "a.ipynb"],
        "Cannot write a report: --report must end in .xml (JUnit) or .json, got a.txt",
      ],
      [
        ["run", "--check", "--output-dir", "x", "a.ipynb"],
        "Cannot run notebooks: --check writes no notebooks, so leave out",
      ],
      [["run", "--output-dir", "x", "a.ipynb", "b/a.ipynb"], "names in --output-dir must differ, got a.ipynb twice"],
    ];
    for (const [args, message] of cases) {
      const { code, stderr } = await tslabAttention(args);
      expect(stderr).toContain(message);
      expect(code).toBe(2);
    }
  });

  test("files that are missing, broken, foreign or made for another kernel, each named", async () => {
    mkdirSync(at("empty"));
    const files: [string, string, string][] = [
      ["broken.ipynb", '{"cells": [', "the file must hold JSON"],
      ["list.ipynb", "[]", "the file must be a Jupyter notebook of format 4"],
      [
        "old.ipynb",
        '{"nbformat": 3, "worksheets": []}',
        "the file must be a Jupyter notebook of format 4 (its nbformat is 3)",
      ],
      ["new.ipynb", '{"nbformat": 5, "cells": []}', "the notebook must be of format 4, got 5"],
      [
        "cell.ipynb",
        '{"nbformat": 4, "metadata": {}, "cells": [{"cell_type": "code", "metadata": {}, "source": ""}]}',
        "outputs missing or malformed in cell at position 1",
      ],
      ["none.ipynb", '{"nbformat": 4, "metadata": {}, "cells": []}', "in metadata.kernelspec; it names none"],
    ];
    for (const [name, text] of files) {
      writeFileSync(at(name), text);
    }
    for (const kernel of ["python3", "deno", "javascript"]) {
      writeNotebook(folder, `${kernel}.ipynb`, ["1"], kernel);
      files.push([`${kernel}.ipynb`, "", `the notebook must be made for the kernel tslab or jslab, got "${kernel}"`]);
    }
    writeFileSync(at("latin.ipynb"), Buffer.from([0x22, 0xe9, 0x22]));
    files.push(["latin.ipynb", "", "the file must be text in UTF-8"]);
    files.push(["nowhere.ipynb", "", "there is no such file"]);
    const { code, stderr } = await tslabAttention(["run", ...files.map(([name]) => at(name))]);
    expect(code).toBe(2);
    for (const [name, , message] of files) {
      expect(stderr).toContain(`Cannot run ${at(name)}: `);
      expect(stderr).toContain(message);
    }
    expect((await tslabAttention(["run", at("empty")])).stderr).toContain(
      `Cannot run ${at("empty")}: the folder must hold a notebook (.ipynb), found none`,
    );
  });

  test("a notebook that names only its language is run if that is TypeScript", async () => {
    const notebook = makeNotebook(["1 + 1"]);
    notebook.metadata = { language_info: { name: "typescript" } };
    writeFileSync(at("language.ipynb"), JSON.stringify(notebook));
    expect((await tslabAttention(["run", at("language.ipynb")])).code).toBe(0);
    expect(load(at("language.ipynb")).cells[0].execution_count).toBe(1);
  });

  test("an output folder that cannot be made", async () => {
    writeFileSync(at("file"), "");
    const path = writeNotebook(folder, "fine.ipynb", ["1"], "jslab");
    const { code, stderr } = await tslabAttention(["run", "--output-dir", join(at("file"), "below"), path]);
    expect(code).toBe(2);
    expect(stderr).toContain(`Cannot write ${join(at("file"), "below", "fine.ipynb")}: ENOTDIR`);
  });

  test("what fits no memory is the problem of its notebook alone, and is in the report", async () => {
    const nested = JSON.stringify({ ...makeNotebook([]), nested: "HERE" }).replace(
      '"HERE"',
      "[".repeat(20_000) + "]".repeat(20_000),
    );
    writeFileSync(at("nested.ipynb"), nested);
    const fine = writeNotebook(folder, "beside.ipynb", ["1"]);
    const report = at("nested.json");
    const { code, stderr } = await tslabAttention(["run", "--report", report, at("nested.ipynb"), fine]);
    expect(code).toBe(2);
    expect(stderr).toContain(`Cannot run ${at("nested.ipynb")}: RangeError`);
    expect(stderr).toContain(`${fine}: done`);
    expect(readFileSync(report, "utf8")).toContain("RangeError");
  });

  test("a kernel that dies at its start, or never answers", async () => {
    for (const [name, script] of [
      ["dies", 'console.error("no such luck"); process.exit(7);'],
      ["waits", "setInterval(() => {}, 1000);"],
    ]) {
      const tslab = join(at(name), "node_modules", "tslab");
      mkdirSync(join(tslab, "bin"), { recursive: true });
      writeFileSync(join(tslab, "package.json"), '{"name": "tslab", "bin": {"tslab": "bin/tslab"}}');
      // Its own zeromq is what the guard loads first.
      mkdirSync(join(tslab, "node_modules", "zeromq"), { recursive: true });
      writeFileSync(join(tslab, "node_modules", "zeromq", "index.js"), "exports.Publisher = class {};");
      writeFileSync(join(tslab, "bin", "tslab"), script);
      writeNotebook(at(name), "a.ipynb", ["1"]);
    }
    const { code, stderr } = await tslabAttention([
      "run",
      "--timeout",
      "1",
      join(at("dies"), "a.ipynb"),
      join(at("waits"), "a.ipynb"),
    ]);
    expect(code).toBe(2);
    const named = (name: string) => `Cannot start the tslab kernel of ${join(at(name), "node_modules", "tslab")}`;
    expect(stderr).toContain(`${named("dies")}: it ended with exit code 7\nno such luck`);
    expect(stderr).toContain(`${named("waits")}: it did not answer within 10 s`);
  });
});
