/** The outputs of a cell → HTML, each in the richest of its forms that a page can show. */

import { stripVTControlCharacters } from "node:util";
import { type Bundle, type Json, type MultilineText, type Output, textOf } from "../notebook/format.js";
import { highlight } from "./code.js";
import { escapeHtml } from "./escape.js";
import { dataAddress } from "./links.js";
import type { Prose } from "./prose.js";

/** A form of an output as HTML: its data, its metadata, and the text that stands for it. */
type Show = (data: Json, metadata: Record<string, Json>, alt: string, prose: Prose) => string;

const picture =
  (type: string): Show =>
  (data, metadata, alt) =>
    image(dataAddress(type, text(data)), metadata, alt);

/** From the richest form to the plainest; a bundle is shown in the first that it has. */
const forms: Record<string, Show> = {
  "text/html": (data) => `<div class="html">${text(data)}</div>`,
  "application/javascript": (data) => `<script>${text(data)}</script>`,
  "text/markdown": (data, _metadata, _alt, prose) => `<div class="prose">${prose.render(text(data))}</div>`,
  // A picture of its own, so that its styles, scripts and ids meet nothing of the page.
  "image/svg+xml": (data, metadata, alt) => image(dataAddress("image/svg+xml", base64(svg(text(data)))), metadata, alt),
  "text/latex": (data, _metadata, _alt, prose) => `<div class="prose">${prose.render(text(data))}</div>`,
  "image/png": picture("image/png"),
  "image/jpeg": picture("image/jpeg"),
  "image/gif": picture("image/gif"),
  "image/webp": picture("image/webp"),
  "application/json": (data) => pre(highlight(JSON.stringify(data, undefined, 2), "json"), "Output"),
  "text/plain": (data) => printed(text(data), "Output"),
};

/**
 * One output as HTML.
 *
 * @param output as the notebook has it
 * @param prose renders its markdown
 * @returns HTML, empty where the output has no form that a page can show
 */
export function showOutput(output: Output, prose: Prose): string {
  if (output.output_type === "stream") {
    const error = output.name === "stderr";
    return printed(textOf(output.text), error ? "Error output" : "Output", error);
  }
  if (output.output_type === "error") {
    const { ename, evalue, traceback } = output as { ename?: string; evalue?: string; traceback?: string[] };
    const told = traceback?.length ? traceback.join("\n") : `${ename}: ${evalue}`;
    return printed(told, "Error", true);
  }
  const data: Bundle = output.data ?? {};
  const metadata = (output.metadata ?? {}) as Record<string, Json>;
  const type = Object.keys(forms).find((form) => data[form] !== undefined);
  return type ? forms[type](data[type], metadataOf(metadata, type), altOf(data), prose) : "";
}

/** Code or printed text in its own box, which the keyboard can scroll. */
export function pre(html: string, name: string, style = ""): string {
  return `<pre${style && ` class="${style}"`} tabindex="0" role="region" aria-label="${escapeHtml(name)}">${html}</pre>`;
}

/**
 * Printed text, without terminal colours, and of a line that was written over only what was left. A single line is broken
 * where the page ends; lines that stand under each other stay whole, and are scrolled.
 */
function printed(text: string, name: string, error = false): string {
  const lines = stripVTControlCharacters(text.replace(/\r+\n/g, "\n"))
    .replace(/^.*\r(?=.)/gm, "")
    .trimEnd();
  const style = [error ? "stderr" : "", lines.includes("\n") ? "" : "sentence"].filter(Boolean).join(" ");
  return pre(escapeHtml(lines), name, style);
}

function image(address: string, { width, height }: Record<string, Json>, alt: string): string {
  const size = [
    typeof width === "number" ? ` width="${width}"` : "",
    typeof height === "number" ? ` height="${height}"` : "",
  ].join("");
  return `<img src="${escapeHtml(address)}" alt="${escapeHtml(alt)}"${size}>`;
}

/** The text that stands for a picture, unless it is what a program calls the object: `<Figure size 640x480>`. */
function altOf(data: Bundle): string {
  const words = data["text/plain"] === undefined ? "" : text(data["text/plain"]).trim();
  return words === "" || /^<.*>$/s.test(words) ? "Picture shown by the code above" : words;
}

/** Metadata may be given for each form or for all at once. */
function metadataOf(metadata: Record<string, Json>, type: string): Record<string, Json> {
  const own = metadata[type];
  return typeof own === "object" && own !== null && !Array.isArray(own) ? own : metadata;
}

function text(data: Json): string {
  return typeof data === "string" || (Array.isArray(data) && data.every((line) => typeof line === "string"))
    ? textOf(data as MultilineText)
    : JSON.stringify(data);
}

function svg(source: string): string {
  return /<svg[^>]*\sxmlns\s*=/.test(source)
    ? source
    : source.replace(/<svg\b/, '<svg xmlns="http://www.w3.org/2000/svg"');
}

function base64(content: string): string {
  return Buffer.from(content).toString("base64");
}
