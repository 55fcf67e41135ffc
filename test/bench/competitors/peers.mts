// Loading the npm packages that peers/ holds, if `npm run bench:peers` put them there.

import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Competitor, Entry } from "../competitor.mjs";

const folder = new URL("../peers/", import.meta.url);
const require = createRequire(folder);

export function peerVersion(name: string): string {
  return JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, folder), "utf8")).version;
}

export function peerFolder(name: string): string {
  return fileURLToPath(new URL(`node_modules/${name}/`, folder));
}

/** A package of peers/, with the types its caller gives it. */
export function loadPeer<T>(name: string): T {
  const module = require(peerFolder(name));
  return module.default ?? module;
}

/** The competitor, or word that its package is missing. */
export async function peer(name: string, load: () => Promise<Competitor>): Promise<Entry> {
  if (!existsSync(new URL(`node_modules/${name}/package.json`, folder))) {
    return { name, skipped: "not installed (npm run bench:peers installs it)" };
  }
  try {
    return await load();
  } catch (error) {
    return { name, skipped: `cannot be loaded: ${error instanceof Error ? error.message : error}` };
  }
}
