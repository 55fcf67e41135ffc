/** Pictures compared by what they show. PNG files with equal pixels may differ in every byte. */

import { createHash } from "node:crypto";
import { PNG } from "pngjs";

/**
 * How two PNG pictures differ.
 *
 * @param expected the picture in the file, base64
 * @param found the picture now, base64
 * @returns one line that tells of it, or undefined if every pixel is the same
 */
export function differentPixels(expected: string, found: string): string | undefined {
  const [before, now] = [decode(expected), decode(found)];
  if (before === undefined || now === undefined) {
    if (expected.trim() === found.trim()) {
      return undefined;
    }
    return before || now
      ? `a picture that ${now ? "could not be read became one that can" : "could be read became one that cannot"}`
      : "the data differ, and neither is a PNG that can be read";
  }
  if (before.width !== now.width || before.height !== now.height) {
    return `${before.width} x ${before.height} pixels became ${now.width} x ${now.height}`;
  }
  let count = 0;
  let first = -1;
  for (let pixel = 0; pixel < before.width * before.height; pixel++) {
    if (before.data.readUInt32BE(4 * pixel) !== now.data.readUInt32BE(4 * pixel)) {
      count++;
      first = first < 0 ? pixel : first;
    }
  }
  if (count === 0) {
    return undefined;
  }
  const place = `x ${first % before.width}, y ${Math.floor(first / before.width)}`;
  const change = `${colour(before, first)} became ${colour(now, first)}`;
  return `${count} of ${before.width * before.height} pixels differ, the first at ${place}: ${change}`;
}

/**
 * Text in which each embedded PNG is named by its pixels, so that equal pictures make equal text.
 *
 * @param text HTML, SVG or Markdown
 * @returns the text with `[PNG 640x480, pixels 0123456789abcdef]` for each `data:` PNG that can be read
 */
export function withPixelsNamed(text: string): string {
  return text.replace(/data:image\/png;base64,([A-Za-z0-9+/]+={0,2})/g, (uri, data: string) => {
    const picture = decode(data);
    const pixels = picture && createHash("sha256").update(picture.data).digest("hex").slice(0, 16);
    return picture ? `[PNG ${picture.width}x${picture.height}, pixels ${pixels}]` : uri;
  });
}

function decode(base64: string): PNG | undefined {
  try {
    return PNG.sync.read(Buffer.from(base64, "base64"));
  } catch {
    return undefined;
  }
}

function colour({ data }: PNG, pixel: number): string {
  return `#${data.subarray(4 * pixel, 4 * pixel + 4).toString("hex")}`;
}
