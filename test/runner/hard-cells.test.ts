import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isAlive } from "../../src/runner/processes.js";
import { load, makeFolder, streamText, tslabAttention, until, writeNotebook } from "./command.js";

const onPosix = process.platform !== "win32";

describe("whatever a cell does, the run ends and tells of it", () => {
  test("kernels that end, hang or are killed, errors that nothing caught: the cell failed, the file is as it was", async () => {
    const folder = makeFolder();
    const cases: [string, string, string][] = [
      ["exit", 'console.error("farewell"); process.exit(0)', "the kernel ended with exit code 0"],
      [
        "kill",
        'process.kill(process.pid, "SIGKILL")',
        onPosix ? "the kernel was ended by SIGKILL" : "the kernel ended",
      ],
      ["loop", "while (true) {}", "it took longer than 8 s and was ended"],
      ["words", 'JSON.stringify = () => "not JSON"; 1', "it took longer than 8 s and was ended"],
      ["wait", "await new Promise(() => {})", "it took longer than 8 s and was ended"],
      ["stop", 'process.kill(process.pid, "SIGSTOP")', "it took longer than 8 s and was ended"],
      [
        "reject",
        'Promise.reject(new Error("lost")); 1',
        "an error that nothing caught\n    UnhandledPromiseRejection: Error: lost",
      ],
      [
        "timer",
        'setTimeout(() => { throw new Error("late") }, 50); 1',
        "an error that nothing caught\n    UncaughtException: Error: late",
      ],
      [
        "later",
        'setTimeout(() => Promise.reject("why"), 50); 1',
        "an error that nothing caught\n    UnhandledPromiseRejection: why",
      ],
      ["code", "while (", "an error ended it\n    1:8 - "],
      ["memory", "const kept = []; while (true) kept.push(new Array(1e6).fill(1.5))", "the kernel "],
    ];
    const paths = cases
      .filter(([name]) => onPosix || name !== "stop")
      .map(([name, source]) => writeNotebook(folder, `${name}.ipynb`, [`${source}`, "2"], "jslab"));
    const before = paths.map((path) => readFileSync(path, "utf8"));
    const env = { ...process.env, NODE_OPTIONS: "--max-old-space-size=300" };
    const { code, stderr } = await tslabAttention(["run", "--timeout", "8", ...paths], { env });
    expect(code).toBe(1);
    for (const [name, source, message] of cases) {
      expect(stderr).toContain(`${join(folder, `${name}.ipynb`)}: cell 1 failed: ${source}\n  ${message}`);
    }
    expect(stderr).toContain("farewell");
    expect(stderr).not.toContain("cell 2 failed");
    expect(paths.map((path) => readFileSync(path, "utf8"))).toEqual(before);
  }, 180_000);

  test("what a cell leaves behind is waited for a little, and gone with the kernel", async () => {
    const folder = makeFolder();
    const path = writeNotebook(
      folder,
      "leaves.ipynb",
      [
        'const { spawn } = require("node:child_process"); const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]); child.pid',
        'const server = require("node:http").createServer().listen(0, "127.0.0.1"); const timer = setInterval(() => {}, 100); 1',
        'require("node:fs").readFile("leaves.ipynb", () => setTimeout(() => console.log("read"), 10)); 1',
        "process.disconnect(); 1",
        'for (let i = 0; i < 200_000; i++) require("node:fs").writeSync(1, "past the kernel\\n"); 1',
        'console.log("on")',
      ],
      "jslab",
    );
    const { code, stderr } = await tslabAttention(["run", path]);
    expect(stderr).not.toContain("failed");
    expect(code).toBe(0);
    const notebook = load(path);
    expect(streamText(notebook, 2)).toBe("1\nread\n");
    expect(streamText(notebook, 5)).toBe("on\n");
    if (onPosix) {
      await until("the child is gone", () => !isAlive(Number(streamText(notebook, 0))));
    }
  });

  test("endless text and huge outputs are cut where the cut and its size are told, the same on every run", async () => {
    const path = writeNotebook(
      makeFolder(),
      "long.ipynb",
      [
        "for (let line = 0; line < 150_000; line++) console.log(line);",
        'for (let line = 0; line < 3; line++) process.stdout.write("x".repeat(600_000));',
        'require("tslab").display.raw("text/html", "x".repeat(60_000_000)); console.log("small")',
        'for (let line = 0; line < 2000; line++) process.stderr.write(line + " ");',
      ],
      "jslab",
    );
    const { code } = await tslabAttention(["run", path]);
    expect(code).toBe(0);
    const notebook = load(path);
    expect(streamText(notebook, 0)).toMatch(
      /\n99998\n99999\n\n\[output cut here: 50,000 more lines, 350,000 more characters\]\n$/,
    );
    expect(streamText(notebook, 1)).toBe(
      `${"x".repeat(1_000_000)}\n[output cut here: 0 more lines, 800,000 more characters]\n`,
    );
    expect(notebook.cells[2].outputs?.[0]).toMatchObject({
      data: { "text/plain": ["[text/html: 60,000,054 characters left out; a cell may show 20,000,000]"] },
    });
    expect(streamText(notebook, 2)).toBe("small\n");
    expect(streamText(notebook, 3).split(" ")).toHaveLength(2001);
    expect((await tslabAttention(["run", "--check", path])).code).toBe(0);
  }, 180_000);

  test("hundreds of cells, thousands of messages: none is lost", async () => {
    const cells = Array.from({ length: 400 }, (_, index) => `console.log(${index}); console.error(${index}); ${index}`);
    const path = writeNotebook(makeFolder(), "many.ipynb", cells, "jslab");
    expect((await tslabAttention(["run", path])).code).toBe(0);
    const notebook = load(path);
    notebook.cells.forEach((_, index) => {
      expect(streamText(notebook, index)).toBe(`${index}\n`.repeat(3));
    });
  });
});
