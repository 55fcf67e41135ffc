// SVG to PNG, with the shipped fonts alone: the same bytes whatever fonts the machine has.
//
// The rasteriser's own encoder is quick but leaves twice the bytes, and a notebook carries each picture twice; so its
// pixels are packed here, opaque, with a filter for rows that repeat alone: 8 bits a pixel and a palette, or 8 bits a channel
// (https://www.w3.org/TR/png-3/, sections 5 and 11). They are deflated in JavaScript, because the bytes that Node's zlib
// gives differ between its versions.

import { crc32 } from "node:zlib";
import { defaultFamily, fontFiles } from "./fonts.js";
import { inlinePictures } from "./inline.js";

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
  const image = new Resvg(inlinePictures(svg), {
    fitTo: { mode: "zoom", value: zoom },
    background: "white",
    font,
  }).render();
  return encode(image.width, image.height, image.pixels);
}

/**
 * A PNG of opaque pixels, given as red, green, blue, alpha in rows from the top: with a palette where 256 colours do,
 * which halves it again, else with the three channels of each pixel.
 */
export function encode(width: number, height: number, rgba: Uint8Array): Uint8Array {
  const { zlibSync } = require("fflate") as typeof import("fflate");
  const colours = new Uint32Array(width * height);
  for (let i = 0; i < colours.length; i++) colours[i] = (rgba[4 * i] << 16) | (rgba[4 * i + 1] << 8) | rgba[4 * i + 2];
  const palette = choosePalette(colours);
  const rows = palette ? packIndices(width, colours, palette.places) : packChannels(width, colours);
  markRepeats(rows, height);
  const header = new Uint8Array([...bytes(width), ...bytes(height), 8, palette ? 3 : 2, 0, 0, 0]);
  const signature = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    ...(palette ? [chunk("PLTE", new Uint8Array(palette.chosen.flatMap(channels)))] : []),
    chunk("IDAT", zlibSync(rows, { level: 9 })),
    chunk("IEND", new Uint8Array()),
  ]);
}

/**
 * How far each channel, 0 to 255, may move to a colour of the palette, unseen: in an area, and in the soft edge of a letter.
 * The smallest steps that give 256 colours are taken; where none does, the picture keeps its channels.
 */
const nearness = [
  { area: 0, edge: 0 },
  { area: 2, edge: 12 },
  { area: 3, edge: 16 },
];

interface Palette {
  chosen: number[];
  places: Map<number, number>;
}

/**
 * 256 colours at most, the most frequent first, and for each colour of the picture its place among them. Where the picture
 * has no more colours than that, nothing moves.
 */
function choosePalette(colours: Uint32Array): Palette | undefined {
  const counts = new Map<number, number>();
  const besideItself = new Map<number, number>(); // an area's pixels mostly follow one of their own colour
  for (let i = 0, end = 0; i < colours.length; i = end) {
    const colour = colours[i];
    while (colours[end] === colour) end++;
    counts.set(colour, (counts.get(colour) ?? 0) + end - i);
    besideItself.set(colour, (besideItself.get(colour) ?? 0) + end - i - 1);
  }
  const byCount = [...counts.keys()].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0) || a - b);
  const isArea = (colour: number): boolean => 2 * (besideItself.get(colour) ?? 0) > (counts.get(colour) ?? 0);
  for (const { area, edge } of nearness) {
    const palette = gather(byCount, (colour) => (isArea(colour) ? area : edge));
    if (palette) return palette;
  }
  return undefined;
}

/** The first of the colours for all that are as near to it as they may be; undefined where 256 do not do. */
function gather(colours: readonly number[], room: (colour: number) => number): Palette | undefined {
  const chosen: number[] = [];
  const places = new Map<number, number>();
  for (const colour of colours) {
    const [r, g, b] = channels(colour);
    const near = room(colour);
    let place = chosen.findIndex((one) => {
      const [red, green, blue] = channels(one);
      return Math.abs(r - red) <= near && Math.abs(g - green) <= near && Math.abs(b - blue) <= near;
    });
    if (place < 0) place = chosen.push(colour) - 1;
    if (place > 255) return undefined;
    places.set(colour, place);
  }
  return { chosen, places };
}

function channels(colour: number): [number, number, number] {
  return [colour >> 16, (colour >> 8) & 255, colour & 255];
}

/** Each row starts with its filter, 0 for none. */
function packIndices(width: number, colours: Uint32Array, places: ReadonlyMap<number, number>): Uint8Array {
  const rows = new Uint8Array(colours.length + colours.length / width);
  let place = 0;
  for (let i = 0, to = 0; i < colours.length; i++) {
    if (i % width === 0) to++;
    if (i === 0 || colours[i] !== colours[i - 1]) place = places.get(colours[i]) ?? 0; // most follow one of their own colour
    rows[to++] = place;
  }
  return rows;
}

function packChannels(width: number, colours: Uint32Array): Uint8Array {
  const rows = new Uint8Array(3 * colours.length + colours.length / width);
  let to = 0;
  for (let i = 0; i < colours.length; i++) {
    if (i % width === 0) to++;
    rows[to++] = colours[i] >> 16;
    rows[to++] = colours[i] >> 8;
    rows[to++] = colours[i];
  }
  return rows;
}

/** A row like the one above it, of which figures of cells are full, becomes differences of 0 (the filter "Up", 2). */
function markRepeats(rows: Uint8Array, height: number): void {
  const length = rows.length / height;
  for (let y = height - 1; y > 0; y--) {
    const row = rows.subarray(y * length, (y + 1) * length);
    if (Buffer.compare(row, rows.subarray((y - 1) * length, y * length)) === 0) row.fill(0).fill(2, 0, 1);
  }
}

function chunk(name: string, content: Uint8Array): Uint8Array {
  const body = Buffer.concat([Buffer.from(name, "latin1"), content]);
  return Buffer.concat([bytes(content.length), body, bytes(crc32(body))]);
}

/** A number as four bytes, the highest first. */
function bytes(value: number): Uint8Array {
  return Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
}
