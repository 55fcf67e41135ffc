// Starts main.mts, which Node alone cannot read.

import { fileURLToPath } from "node:url";
import { runnerImport } from "vite";

await runnerImport(fileURLToPath(new URL("main.mts", import.meta.url)));
