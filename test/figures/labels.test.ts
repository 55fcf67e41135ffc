import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { textWidth as widthInFonts } from "../../src/display/fonts.js";
import { label, quoted, shorten, textWidth, visible } from "../../src/figures/labels.js";

describe("label() shows a token as text", () => {
  test.each([
    ["<b>bold</b>", "&lt;b&gt;bold&lt;/b&gt;"],
    ['<a href="x">', '&lt;a href="x"&gt;'],
    ["&amp;", "&amp;amp;"],
    ["$x$", "&#36;x&#36;"],
    ["a<br>b", "a&lt;br&gt;b"],
    ["a\nb\tc", "a\\nb\\tc"],
    ["", "(empty)"],
    ["  ", "'  '"],
    ["\u200B", "\\u200b"],
    ["\u202Eabc", "\\u202eabc"],
    ["\uD83D", "\\ud83d"],
    ["%{z}", "&#37;{z}"],
    ["100%", "100%"],
    ["שלום", "\u2068שלום\u2069"],
    ["👩‍👩‍👧", "👩‍👩‍👧"],
    ["cat", "cat"],
  ])("%j as %j", (token, text) => {
    expect(label(token)).toBe(text);
  });

  test("with nothing that Plotly reads as markup, whatever the token holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (token) => {
        const text = label(token, 16);
        expect(text).not.toMatch(/[<>$\n]/);
        expect(text).not.toMatch(/&(?!amp;|lt;|gt;|#36;)/);
        expect(text.trim()).not.toBe("");
      }),
    );
  });

  test("shortened before it is escaped, so that no entity is cut", () => {
    expect(label("<".repeat(200), 5)).toBe("&lt;&lt;…&lt;&lt;");
  });
});

describe("shorten()", () => {
  test("keeps both ends of a long text", () => {
    expect(shorten("internationalization", 9)).toBe("inte…tion");
  });

  test("leaves a text that fits", () => {
    expect(shorten("cat", 3)).toBe("cat");
  });

  test("cuts between characters as a reader counts them", () => {
    expect(shorten("👩‍👩‍👧".repeat(6), 3)).toBe("👩‍👩‍👧…👩‍👩‍👧");
  });
});

test("visible() leaves joiners inside a word", () => {
  expect(visible("می\u200Cخواهم")).toBe("می\u200Cخواهم");
});

test("quoted() puts a token into a sentence", () => {
  expect(quoted("")).toBe("''");
  expect(quoted("x".repeat(200))).toBe(`'${"x".repeat(10)}…${"x".repeat(9)}'`);
});

describe("textWidth()", () => {
  const drawn = (text: string) => widthInFonts(text, 12, { bold: false, italic: false });

  test("is at least what the fonts take, for every letter of Latin, Greek, Cyrillic, Hebrew and Arabic words, and for signs", () => {
    const alphabets = [" ~", "\u00A0ſ", "ΑΡ", "Σω", "Ѐџ", "את", "ءغ", "في", "←⇿", "−√"];
    for (const [first, last] of alphabets.map((ends) => [...ends].map((end) => end.codePointAt(0) ?? 0))) {
      for (let code = first; code <= last; code++) {
        const text = String.fromCodePoint(code).repeat(16);
        expect(textWidth(text, 12), text).toBeGreaterThanOrEqual(drawn(text));
      }
    }
  });

  test("is at most a third more than that for a sentence", () => {
    const sentence = "Each row is a query, each column a key; each row sums to 1.";
    expect(textWidth(sentence, 12)).toBeLessThan(drawn(sentence) * 1.34);
  });
});
