// Compiles the engine to dist/attention/engine/attention.wasm, unless it is newer than its sources.

import { readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../../../..");
const target = join(root, "dist/attention/engine/attention.wasm");

const time = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
// package.json names the compiler's version.
const sources = [join(root, "package.json"), ...readdirSync(here).map((name) => join(here, name))];

if (Math.max(...sources.map(time)) > time(target)) {
  const { main } = await import("assemblyscript/asc");
  const { error, stderr } = await main([
    join(here, "index.ts"),
    "--config",
    join(here, "asconfig.json"),
    "--outFile",
    target,
  ]);
  if (error) {
    console.error(stderr.toString());
    process.exit(1);
  }
}
