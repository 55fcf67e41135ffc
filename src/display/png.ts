// SVG to PNG, with the shipped fonts alone: the same bytes whatever fonts the machine has.
//
// The rasteriser's own encoder is quick but leaves twice the bytes, and a notebook carries each picture twice; so its
// pixels are packed here, as PNG's plainest form: opaque, 8 bits a channel, no filter
// (https://www.w3.org/TR/png-3/, sections 5 and 11). They are deflated in JavaScript, because the bytes that Node's zlib
// gives differ between its versions.

import { crc32 } from "node:zlib";
import { defaultFamily, fontFiles } from "./fonts.js";

/** Pixels of the PNG for each pixel of the figure, so that it stays sharp on dense screens. */
const zoom = 2;

/**
 * Draws an SVG picture on white.
 *
 * @returns The PNG's bytes, twice as many pixels wide and high as the picture says.
 * @throws Error where the rasteriser has no build for this machine.
 */
export function toPng(svg: string): Uint8Array {
  const { Resvg } = require("@resvg/resvg-js") as typeof import("@resvg/resvg-js");
  const font = { fontFiles: fontFiles(), loadSystemFonts: false, defaultFontFamily: defaultFamily };
  const image = new Resvg(svg, { fitTo: { mode: "zoom", value: zoom }, background: "white", font }).render();
  return encode(image.width, image.height, image.pixels);
}

/** A PNG of opaque pixels, given as red, green, blue, alpha in rows from the top. */
export function encode(width: number, height: number, rgba: Uint8Array): Uint8Array {
  const { zlibSync } = require("fflate") as typeof import("fflate");
  const rows = new Uint8Array(height * (1 + 3 * width)); // each row starts with its filter, 0 for none
  for (let y = 0, from = 0, to = 0; y < height; y++) {
    to++;
    for (let x = 0; x < width; x++, from++) {
      rows[to++] = rgba[from++];
      rows[to++] = rgba[from++];
      rows[to++] = rgba[from++];
    }
  }
  const header = new Uint8Array([...bytes(width), ...bytes(height), 8, 2, 0, 0, 0]);
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  const data = chunk("IDAT", zlibSync(rows, { level: 6 }));
  return Buffer.concat([signature, chunk("IHDR", header), data, chunk("IEND", new Uint8Array())]);
}

function chunk(name: string, content: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(name, "latin1"), content]);
  return Buffer.concat([bytes(content.length), body, bytes(crc32(body))]);
}

/** A number as four bytes, the highest first. */
function bytes(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}
