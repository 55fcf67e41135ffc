// The README promises only what is shown here: its example prints what it says, and its picture is what the package draws.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import * as library from "../../src/index.js";

const root = join(__dirname, "..", "..");
const readme = readFileSync(join(root, "README.md"), "utf8");

/** Each ts block that is followed by a text block, with what it is said to print. */
const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```\n+(?:[^\n`]*\n+)?```text\n([\s\S]*?)```/g)];

test("the README's examples print what it says", () => {
  expect(examples.length).toBeGreaterThan(0);
  for (const [, code, printed] of examples) {
    expect(run(code)).toBe(printed);
  }
});

// After a change of the figure, write the picture anew with
// node -e 'const a = require("./dist"); require("fs").writeFileSync("test/readme/split-heads.png", a.headSplit(a.arange(24).reshape(1, 3, 8), 4, { wrong: true }).toPng())'
test("the README's picture is the one that its words describe", () => {
  const { arange, headSplit } = library;
  const picture = headSplit(arange(24).reshape(1, 3, 8), 4, { wrong: true }).toPng();
  const committed = readFileSync(join(__dirname, "split-heads.png"));
  expect(readme).toContain("headSplit(arange(24).reshape(1, 3, 8), 4, { wrong: true })");
  if (process.platform === "linux" && process.arch === "x64") {
    expect(committed.equals(picture)).toBe(true);
  } else {
    expect(committed.length).toBeGreaterThan(0);
  }
});

test("the README names every public name, and every script it tells of", () => {
  for (const name of Object.keys(library)) {
    expect(readme, name).toContain(`\`${name}`);
  }
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: object };
  for (const [, script] of readme.matchAll(/`npm run ([\w:]+)/g)) {
    expect(Object.keys(scripts)).toContain(script);
  }
});

test("the README's relative links lead to files", () => {
  const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path]) => path);
  for (const path of links) {
    expect(() => readFileSync(join(root, path)), path).not.toThrow();
  }
});

function run(code: string): string {
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
  });
  const lines: string[] = [];
  const console = { log: (...values: unknown[]) => lines.push(`${values.map(String).join(" ")}\n`) };
  const require = (name: string): unknown => (name === "tslab-attention" ? library : createRequire(__filename)(name));
  new Function("require", "exports", "console", outputText)(require, {}, console);
  return lines.join("");
}
