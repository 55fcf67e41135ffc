// What a learner sees on Tab and Shift-Tab: tslab reads the declarations with its own TypeScript 5.0, not strict, without
// the DOM library, in node10 module resolution.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as old from "@tslab/typescript-for-tslab";
import * as ts from "typescript";
import { describe, expect, it } from "vitest";

const SRC = join(__dirname, "../../src");
const PACKAGE = "/notebooks/node_modules/tslab-attention";

/** The declarations as the build writes them, by the path they get in a learner's folder. */
function declarations(): Map<string, string> {
  const files = readdirSync(SRC, { recursive: true, encoding: "utf8" })
    .filter((file) => /^(index|array|attention)\b/.test(file) && file.endsWith(".ts") && !file.includes("assembly"))
    .map((file): [string, string] => {
      const path = join(PACKAGE, "dist", file.replace(/\.ts$/, ".d.ts"));
      const source = readFileSync(join(SRC, file), "utf8");
      const { outputText } = ts.transpileDeclaration(source, {
        fileName: file,
        compilerOptions: { target: ts.ScriptTarget.ES2022 },
      });
      return [path, file === "index.ts" ? onlyRooms(outputText) : outputText];
    });
  return new Map([...files, [join(PACKAGE, "package.json"), '{"main":"dist/index.js","types":"dist/index.d.ts"}']]);
}

/** The public names of array and attention alone. */
function onlyRooms(index: string): string {
  return index.replace(/export [^;]*? from "\.\/(?!array|attention)[^;]*;/g, "");
}

function languageService(cell: string): old.LanguageService {
  const files = declarations().set("/notebooks/cell.ts", cell);
  const options: old.CompilerOptions = {
    module: old.ModuleKind.ESNext,
    moduleResolution: old.ModuleResolutionKind.Node10,
    esModuleInterop: true,
    target: old.ScriptTarget.ES2022,
    lib: ["lib.es2022.d.ts"],
    types: [],
  };
  const read = (path: string): string | undefined => files.get(path) ?? old.sys.readFile(path);
  return old.createLanguageService({
    getCompilationSettings: () => options,
    getCurrentDirectory: () => "/notebooks",
    getDefaultLibFileName: (given) => old.getDefaultLibFilePath(given),
    getScriptFileNames: () => ["/notebooks/cell.ts"],
    getScriptVersion: () => "1",
    getScriptSnapshot: (path) => {
      const text = read(path);
      return text === undefined ? undefined : old.ScriptSnapshot.fromString(text);
    },
    fileExists: (path) => files.has(path) || old.sys.fileExists(path),
    readFile: read,
  });
}

const cell = `
import {
  allClose, arange, array, attentionSteps, eye, format, matmul, mergeHeads, multiHeadAttention, NDArray, NDArrayLike, randomNormal,
  softmax, splitHeads, split_heads, ValueError, zeros
} from "tslab-attention";
const x = arange(8).reshape(1, 2, 4);
const split = splitHeads(x, 2);
const merged = mergeHeads(split);
const [output, weights] = multiHeadAttention([[new Float32Array(4), [1, 2, 3, 4]]], eye(4), eye(4), eye(4), eye(4), 2);
const weight = weights.get(0, 0, 1, 1);
const head = weights.at(0, 1);
const rows = head.toArray();
const masked = weights.map((w, b, h, i, j) => (j > i ? 0 : w));
const steps = attentionSteps(x, eye(4), eye(4), eye(4), eye(4), 2);
const keys = steps.kHeads;
const soft = softmax(steps.scores);
const nested = array([[1, 2], [3, 4]]);
const product = matmul(nested, [[1], [2]]);
const any: NDArray = weights;
const given: NDArrayLike[] = [5, [1], x, [x, x], { shape: [2], data: [1, 2] }, new BigInt64Array(2), [new Uint8ClampedArray(1)]];
const view = array({ shape: [2, 2], data: new Int16Array(4), strides: [1, 2], offset: 0 });
const text = format(randomNormal([2, 3], 1), { precision: 3, suppress: true });
const close = allClose(zeros([2]), 0, { atol: 1e-12 });
const error: RangeError = new ValueError("text");
const same = split_heads(x, 2);
let row = x.at(0, 1);
row = arange(4);
`;

describe("the declarations in TypeScript 5.0", () => {
  const service = languageService(cell);

  /** The type of a variable, or the signature at a call, as Shift-Tab shows it. */
  function hover(text: string, within: string = text): string {
    const start = cell.indexOf(text);
    const position = start + text.lastIndexOf(within);
    return old.displayPartsToString(service.getQuickInfoAtPosition("/notebooks/cell.ts", position)?.displayParts);
  }

  it("are read without an error", () => {
    expect(old.version).toMatch(/^5\.0\./);
    for (const { fileName } of service.getProgram()?.getSourceFiles() ?? []) {
      if (fileName.includes("/lib.")) continue;
      const found = [...service.getSyntacticDiagnostics(fileName), ...service.getSemanticDiagnostics(fileName)];
      expect(
        found.map(({ messageText }) => `${fileName}: ${old.flattenDiagnosticMessageText(messageText, "\n")}`),
      ).toEqual([]);
    }
  });

  it.each([
    ["const x", "const x: NDArray<[number, number, number]>"],
    ["const split", "const split: NDArray<[B: number, H: number, T: number, d: number]>"],
    ["const merged", "const merged: NDArray<[B: number, T: number, D: number]>"],
    ["[output", "const output: NDArray<[B: number, T: number, D: number]>"],
    [", weights", "const weights: NDArray<[B: number, H: number, i: number, j: number]>"],
    ["const weight ", "const weight: number"],
    ["const head", "const head: NDArray<[i: number, j: number]>"],
    ["const rows", "const rows: number[][]"],
    ["const masked", "const masked: NDArray<[B: number, H: number, i: number, j: number]>"],
    ["const keys", "const keys: NDArray<[B: number, H: number, T: number, d: number]>"],
    ["const soft", "const soft: NDArray<[B: number, H: number, i: number, j: number]>"],
    ["const nested", "const nested: NDArray<number[]>"],
    ["const product", "const product: NDArray<number[]>"],
  ])("%s shows its type", (text, type) => {
    expect(hover(text, text.trim().split(/\W/).at(-1))).toBe(type);
  });

  it("name the axes of a call", () => {
    expect(hover("weights.get", "get")).toContain("get(B: number, H: number, i: number, j: number): number");
    expect(hover("splitHeads(x", "splitHeads")).toContain(
      "splitHeads(x: NDArrayLike, nHeads: number): NDArray<[B: number, H: number, T: number, d: number]>",
    );
    // TypeScript cuts long hovers short; the variables above show the rest.
    expect(hover("multiHeadAttention([[", "multiHeadAttention")).toContain("nHeads: number): [output: ");
  });

  it("carry the documentation", () => {
    const info = service.getQuickInfoAtPosition("/notebooks/cell.ts", cell.indexOf("splitHeads(x"));
    expect(old.displayPartsToString(info?.documentation)).toContain("split[b, h, i, j] = x[b, i, h·d + j]");
    expect(info?.tags?.map(({ name }) => name)).toEqual(["param", "param", "returns", "throws", "throws", "example"]);
  });

  it("complete the members of an array", () => {
    const at = cell.indexOf("weights.get") + "weights.".length;
    const names = service.getCompletionsAtPosition("/notebooks/cell.ts", at, {})?.entries.map(({ name }) => name);
    expect(names?.sort()).toEqual([
      "at",
      "data",
      "get",
      "map",
      "ndim",
      "reshape",
      "shape",
      "size",
      "toArray",
      "toJSON",
      "toString",
      "transpose",
    ]);
  });
});
