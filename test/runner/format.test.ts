import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Notebook } from "../../src/runner/notebook/format.js";
import { formatNotebook } from "../../src/runner/notebook/format-notebook.js";
import { replaceFile } from "../../src/runner/notebook/replace-file.js";
import { makeFolder } from "./command.js";

const fixture = (name: string) => readFileSync(join(__dirname, "fixtures", name), "utf8");

describe("formatNotebook()", () => {
  test("writes what nbformat's own writer writes, to the letter", () => {
    const notebook = JSON.parse(fixture("nbformat-notebook.json")) as Notebook;
    expect(formatNotebook(notebook)).toBe(fixture("nbformat-written.json"));
  });

  test("changes nothing in a file that nbformat wrote", () => {
    const written = fixture("nbformat-written.json");
    expect(formatNotebook(JSON.parse(written) as Notebook)).toBe(written);
  });
});

describe("replaceFile()", () => {
  test("keeps the file's mode, follows a link, leaves nothing beside it", () => {
    const folder = makeFolder();
    const path = join(folder, "a.txt");
    writeFileSync(path, "old");
    if (process.platform !== "win32") {
      chmodSync(path, 0o640);
      symlinkSync(path, join(folder, "link"));
      replaceFile(join(folder, "link"), "new");
      expect(statSync(path).mode & 0o777).toBe(0o640);
    } else {
      replaceFile(path, "new");
    }
    expect(readFileSync(path, "utf8")).toBe("new");
    expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("removes the draft of a process that was killed, not the draft of one that lives", () => {
    const folder = makeFolder();
    const dead = 2 ** 22 + 1;
    writeFileSync(join(folder, `.a.txt.${dead}.tmp`), "half");
    writeFileSync(join(folder, `.a.txt.${process.ppid}.tmp`), "at work");
    writeFileSync(join(folder, `.other.txt.${dead}.tmp`), "half");
    replaceFile(join(folder, "a.txt"), "whole");
    expect(readdirSync(folder).sort()).toEqual([`.a.txt.${process.ppid}.tmp`, `.other.txt.${dead}.tmp`, "a.txt"]);
  });

  test("killed at any moment: the file is the old one or the new one, and the next write cleans up", async () => {
    const folder = makeFolder();
    const path = join(folder, "a.txt");
    const module = join(__dirname, "../../dist/runner/notebook/replace-file.js");
    const [old, fresh] = ["a", "b"].map((letter) => letter.repeat(3_000_000));
    const script = `const { replaceFile } = require(${JSON.stringify(module)});
for (;;) for (const letter of "ab") replaceFile(${JSON.stringify(path)}, letter.repeat(3_000_000));`;
    for (let moment = 0; moment < 12; moment++) {
      replaceFile(path, old);
      const child = spawn(process.execPath, ["-e", script]);
      setTimeout(() => child.kill("SIGKILL"), 60 + 7 * moment);
      await once(child, "exit");
      expect([old, fresh].includes(readFileSync(path, "utf8"))).toBe(true);
    }
    replaceFile(path, old);
    expect(readdirSync(folder)).toEqual(["a.txt"]);
  });

  test("leaves the old file and no draft when the new one cannot take its place", () => {
    const folder = makeFolder();
    const path = join(folder, "a.txt");
    mkdirSync(path);
    writeFileSync(join(path, "old"), "old");
    expect(() => replaceFile(path, "new")).toThrow();
    expect(readdirSync(folder)).toEqual(["a.txt"]);
    expect(readFileSync(join(path, "old"), "utf8")).toBe("old");
  });
});
