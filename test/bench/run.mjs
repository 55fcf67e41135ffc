// Starts main.mts, which Node alone cannot read.

import { runnerImport } from "vite";

await runnerImport(new URL("main.mts", import.meta.url).pathname);
