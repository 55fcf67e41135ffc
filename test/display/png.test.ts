import { inflateSync } from "node:zlib";
import { expect, test } from "vitest";
import { encode } from "../../src/display/png.js";

/** Red, green and blue of each pixel of a PNG that `encode` made. */
function decode(png: Uint8Array): { type: number; pixels: number[][] } {
  const file = Buffer.from(png);
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    chunks.set(file.toString("latin1", at + 4, at + 8), file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  }
  const header = chunks.get("IHDR") ?? Buffer.alloc(13);
  const [width, height, type] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9]];
  const palette = chunks.get("PLTE");
  const each = palette ? 1 : 3;
  const rows = inflateSync(chunks.get("IDAT") ?? Buffer.alloc(0));
  const pixels = Array.from({ length: width * height }, (_, i) => {
    const at = Math.floor(i / width) * (1 + each * width) + 1 + each * (i % width);
    return palette ? [...palette.subarray(3 * rows[at], 3 * rows[at] + 3)] : [...rows.subarray(at, at + 3)];
  });
  return { type, pixels };
}

/** A picture whose pixel i has the colour that `colour` says. */
function picture(width: number, height: number, colour: (i: number) => number[]): Uint8Array {
  return Uint8Array.from(Array.from({ length: width * height }, (_, i) => [...colour(i), 255]).flat());
}

test("a picture of few colours is packed with a palette, each pixel its own colour", () => {
  const colour = (i: number): number[] => [10 * (i % 20), 0, 200];
  const { type, pixels } = decode(encode(7, 5, picture(7, 5, colour)));
  expect(type).toBe(3);
  expect(pixels).toEqual(Array.from({ length: 35 }, (_, i) => colour(i)));
});

/** 320 colours, all different, for the first pixels of a picture. */
const many = (i: number): number[] => [0, 4 * (i % 64), 4 * Math.floor(i / 64)];

test("beyond 256 colours, those that no eye tells apart share a place, and the more frequent one stays", () => {
  const shades = (i: number): number[] => (i < 320 ? many(i) : i % 6 < 2 ? [100, 102, 98] : [100, 100, 100]);
  const { type, pixels } = decode(encode(40, 10, picture(40, 10, shades)));
  expect(type).toBe(3);
  expect(pixels.slice(320)).toEqual(Array.from({ length: 80 }, () => [100, 100, 100]));
});

test("beyond 256 colours, an area keeps its colour where the edge of a letter takes one near by", () => {
  const reds = [90, 90, 90, 90, 99, 80, 80, 80];
  const colour = (i: number): number[] => (i < 320 ? many(i) : [reds[i - 320], 90, 90]);
  const { pixels } = decode(encode(8, 41, picture(8, 41, colour)));
  expect(pixels.slice(320).map(([red]) => red)).toEqual([90, 90, 90, 90, 90, 80, 80, 80]);
});

test("a picture of more colours than a palette can stand for keeps every one of them", () => {
  const spread = (i: number): number => Math.imul(i, 2654435761);
  const colour = (i: number): number[] => [spread(i) >>> 24, (spread(i) >>> 16) & 255, (spread(i) >>> 8) & 255];
  const { type, pixels } = decode(encode(40, 30, picture(40, 30, colour)));
  expect(type).toBe(2);
  expect(pixels).toEqual(Array.from({ length: 1200 }, (_, i) => colour(i)));
});
