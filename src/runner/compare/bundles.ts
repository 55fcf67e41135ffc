/** Two MIME bundles, type by type, each type as what it means: figures by their data, pictures by their pixels. */

import { isDeepStrictEqual } from "node:util";
import { type DisplayOutput, type Json, type OtherOutput, textOf } from "../notebook/format.js";
import { visible } from "../terminal.js";
import { differentJson } from "./json.js";
import { differentPixels, withPixelsNamed } from "./pixels.js";
import { differentText } from "./text.js";

/**
 * The differences between two rich outputs.
 *
 * @param expected the output as the file holds it
 * @param found the output now
 * @returns each difference: the MIME type, then lines that tell of it
 */
export function compareBundles(expected: DisplayOutput | OtherOutput, found: DisplayOutput | OtherOutput): string[] {
  const before = expected.data ?? {};
  const now = found.data ?? {};
  const types = [...new Set([...Object.keys(before), ...Object.keys(now)])].sort(byMeaning);
  const differences = types.flatMap((type) => {
    const name = visible(type);
    if (!Object.hasOwn(now, type)) {
      return [`${name} is surplus in the file`];
    }
    if (!Object.hasOwn(before, type)) {
      return [`${name} is missing in the file`];
    }
    const difference = compareData(type, before[type], now[type]);
    return difference === undefined ? [] : [`${name}\n${difference}`];
  });
  const metadata = differentJson((expected.metadata ?? {}) as Json, (found.metadata ?? {}) as Json);
  return metadata === undefined ? differences : [...differences, `metadata\n${metadata}`];
}

/** A figure's data first: they explain the differences of its picture and its page. */
function byMeaning(a: string, b: string): number {
  return Number(isJson(b)) - Number(isJson(a)) || (a < b ? -1 : 1);
}

function compareData(type: string, before: Json, now: Json): string | undefined {
  if (isDeepStrictEqual(before, now)) {
    return undefined;
  }
  const [old, fresh] = [asText(before), asText(now)];
  if (isJson(type) || old === undefined || fresh === undefined) {
    return differentJson(before, now, type.startsWith("application/vnd.plotly."));
  }
  return type === "image/png"
    ? differentPixels(old, fresh)
    : differentText(withPixelsNamed(old), withPixelsNamed(fresh));
}

function isJson(type: string): boolean {
  return type === "application/json" || /^application\/.*\+json$/.test(type);
}

function asText(data: Json): string | undefined {
  return typeof data === "string" || (Array.isArray(data) && data.every((line) => typeof line === "string"))
    ? textOf(data as string | string[])
    : undefined;
}
