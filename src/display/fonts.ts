// The shipped fonts, and how wide and tall a text is in them.
//
// Plotly asks its page how large a text is before it places it; a page without a screen cannot tell, so the fonts are read
// here. Open Sans, Plotly's own default, comes first; DejaVu Sans draws what Open Sans lacks; a character that neither has
// is drawn as its code point (U+4F60), so that nothing a person wrote is left out. Widths are sums of advances:
// kerning, ligatures and contextual forms are left to the rasteriser, which may set a text a little narrower.

import { readFileSync } from "node:fs";
import type { Font } from "opentype.js";

/** The slant and weight of a text. */
export interface Style {
  bold: boolean;
  italic: boolean;
}

const openSans = "@expo-google-fonts/open-sans";
const dejaVu = "dejavu-fonts-ttf/ttf";

// [regular, bold, italic, bold italic] of each family, in the order in which they are asked for a character.
const families = [
  [
    `${openSans}/400Regular/OpenSans_400Regular.ttf`,
    `${openSans}/700Bold/OpenSans_700Bold.ttf`,
    `${openSans}/400Regular_Italic/OpenSans_400Regular_Italic.ttf`,
    `${openSans}/700Bold_Italic/OpenSans_700Bold_Italic.ttf`,
  ],
  [
    `${dejaVu}/DejaVuSans.ttf`,
    `${dejaVu}/DejaVuSans-Bold.ttf`,
    `${dejaVu}/DejaVuSans-Oblique.ttf`,
    `${dejaVu}/DejaVuSans-BoldOblique.ttf`,
  ],
] as const;

/** The family that the rasteriser takes for every name it does not know. */
export const defaultFamily = "Open Sans";

/** The paths of every shipped font file. */
export function fontFiles(): string[] {
  return families.flat().map((file) => require.resolve(file));
}

const parsed = new Map<string, Font>();

function font(family: number, { bold, italic }: Style): Font {
  const file = families[family][Number(bold) + 2 * Number(italic)];
  let found = parsed.get(file);
  if (!found) {
    const { parse } = require("opentype.js") as typeof import("opentype.js");
    const bytes = readFileSync(require.resolve(file));
    found = parse(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
    parsed.set(file, found);
  }
  return found;
}

const regular: Style = { bold: false, italic: false };
const invisible = /^\p{Default_Ignorable_Code_Point}$/u;
const unprintable = /^[\p{Cc}\p{Cs}\uFFFE\uFFFF]$/u;

function has(family: number, character: string): boolean {
  return font(family, regular).charToGlyphIndex(character) > 0;
}

/** The first family that has a glyph for `character`, or -1. */
function familyOf(character: string): number {
  return families.findIndex((_, family) => has(family, character));
}

const drawn = new Map<string, string>();
/** A character that is drawn as its code point. */
const asCode = /^U\+./;

/**
 * What is drawn for a text: its characters, and `U+` with the code point for each that no shipped font has, set apart by
 * spaces. Characters that are invisible by nature (joiners, variation selectors) stay invisible; white space becomes a space.
 *
 * @example drawable("a你好") // "a U+4F60 U+597D"
 */
export function drawable(text: string): string {
  let out = "";
  let last = "";
  for (const character of text) {
    let seen = drawn.get(character);
    if (seen === undefined) {
      seen = draw(character);
      drawn.set(character, seen);
    }
    const apart = (asCode.test(seen) || asCode.test(last)) && last !== "" && !/\s/.test(last + seen);
    const isSeen = seen !== "" && !invisible.test(seen);
    out += apart && isSeen ? ` ${seen}` : seen;
    if (isSeen) last = seen;
  }
  return out;
}

function draw(character: string): string {
  if (/^\s$/.test(character)) return character === "\u00A0" ? character : " ";
  if (invisible.test(character)) return familyOf(character) < 0 ? "" : character;
  if (!unprintable.test(character) && familyOf(character) >= 0) return character;
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/**
 * The width of a text as drawn, in pixels.
 *
 * @param text - One line.
 * @param size - The font size in pixels.
 * @param style - Its weight and slant.
 */
export function textWidth(text: string, size: number, style: Style): number {
  const characters = [...drawable(text)].filter((character) => !invisible.test(character));
  // As the rasteriser does: in one family where that has them all, else each character in the first that has it.
  const common = families.findIndex((_, family) => characters.every((character) => has(family, character)));
  let width = 0;
  for (const character of characters) {
    const face = font(common >= 0 ? common : Math.max(0, familyOf(character)), style);
    width += (face.charToGlyph(character).advanceWidth ?? 0) / face.unitsPerEm;
  }
  return width * size;
}

/** How far a line of text reaches above and below its baseline, in pixels. */
export function lineExtent(size: number): { above: number; below: number } {
  const face = font(0, regular);
  return { above: (face.ascender / face.unitsPerEm) * size, below: (-face.descender / face.unitsPerEm) * size };
}
