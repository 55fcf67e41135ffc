/**
 * Where the links and pictures of a notebook lead once it is a page in another folder.
 *
 * Attachments and picture files beside the notebook go into the page. A link to a notebook that becomes a page too leads to
 * that page. Every other relative address leads to the same file as before; absolute ones stay.
 */

import { readFileSync } from "node:fs";
import { dirname, extname, relative, resolve, sep } from "node:path";
import { type Bundle, textOf } from "../notebook/format.js";
import type { Pages } from "./plan.js";

const pictureTypes: Record<string, string> = {
  ".apng": "image/apng",
  ".avif": "image/avif",
  ".gif": "image/gif",
  ".jpeg": "image/jpeg",
  ".jpg": "image/jpeg",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".webp": "image/webp",
};

/** The links of one notebook. */
export class Links {
  readonly #notebook: string;
  readonly #page: string;
  readonly #pages: Pages;

  /**
   * @param notebook the absolute path of the notebook
   * @param pages all that are made in this run, this one among them
   */
  constructor(notebook: string, pages: Pages) {
    this.#notebook = notebook;
    this.#pages = pages;
    this.#page = pages.get(notebook) ?? notebook;
  }

  /**
   * The address that leads from the page to where a link of the notebook led.
   *
   * @param address as the notebook has it
   * @param picture whether the address is that of a picture
   * @param attachments those of the cell
   */
  resolve(address: string, picture: boolean, attachments: Record<string, Bundle> = {}): string {
    if (address.startsWith("attachment:")) {
      const bundle = attachments[decode(address.slice("attachment:".length))];
      const [type, data] = Object.entries(bundle ?? {})[0] ?? [];
      return type ? dataAddress(type, textOf(data as string | string[])) : address;
    }
    const [path, rest] = split(address);
    if (path === "" || /^(?:[a-z][a-z\d+.-]*:|[/\\])/i.test(path)) {
      return address;
    }
    const file = resolve(dirname(this.#notebook), decode(path));
    const type = pictureTypes[extname(file).toLowerCase()];
    const content = picture && type ? read(file) : undefined;
    if (content) {
      return dataAddress(type, content.toString("base64"));
    }
    const target = relative(dirname(this.#page), this.#pages.get(file) ?? file);
    return target.split(sep).map(encodeURIComponent).join("/") + rest;
  }
}

/** The address of a picture that is carried in the address itself. */
export function dataAddress(type: string, base64: string): string {
  return `data:${type};base64,${base64.replace(/\s/g, "")}`;
}

function split(address: string): [path: string, rest: string] {
  const at = address.search(/[?#]/);
  return at < 0 ? [address, ""] : [address.slice(0, at), address.slice(at)];
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function read(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
