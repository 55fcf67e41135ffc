import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { drawable, fontFiles, textWidth } from "../../src/display/fonts.js";

const regular = { bold: false, italic: false };

test("every font file is shipped", () => {
  expect(fontFiles().filter((file) => !existsSync(file))).toEqual([]);
});

test("text is as wide as the font says: Open Sans has H at 1510 of 2048 units", () => {
  expect(textWidth("H", 2048, regular)).toBe(1510);
  expect(textWidth("HH", 16, regular)).toBeCloseTo((2 * 1510 * 16) / 2048, 10);
});

test("bold text is wider", () => {
  expect(textWidth("weights", 12, { bold: true, italic: false })).toBeGreaterThan(textWidth("weights", 12, regular));
});

test("invisible characters take no room, and combining marks stay with their letter", () => {
  expect(textWidth("a\u200d\ufe0fb", 12, regular)).toBe(textWidth("ab", 12, regular));
  expect(textWidth("e\u0301", 12, regular)).toBe(textWidth("e", 12, regular));
});

test.each([
  ["aΩ▁ש", "aΩ▁ש"],
  ["你好", "U+4F60 U+597D"],
  ["👨‍👩‍👧", "U+1F468\u200d U+1F469\u200d U+1F467"],
  ["\u0007\ud800", "U+0007 U+D800"],
  ["a你b 好", "a U+4F60 b U+597D"],
  ["a\tb\nc", "a b c"],
  ["", ""],
])("drawable(%j) is %j", (text, drawn) => {
  expect(drawable(text)).toBe(drawn);
});
