// Reading the fixtures: arrays are stored as {shape, data}, the data as base64 of little-endian float64.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { array, type NDArray } from "../../src/index.js";

export interface Packed {
  readonly shape: readonly number[];
  readonly data: string;
}

export function readFixture<T>(folder: string, name: string): T {
  return JSON.parse(readFileSync(join(folder, "fixtures", name), "utf8")) as T;
}

export function unpack({ shape, data }: Packed): NDArray {
  const bytes = Buffer.from(data, "base64");
  const numbers = Array.from({ length: bytes.length / 8 }, (_, i) => bytes.readDoubleLE(8 * i));
  return array({ shape, data: numbers });
}
