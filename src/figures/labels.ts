// Tokens as labels. A token is data: whatever it holds is shown as text.
//
// Plotly reads its labels as a small HTML (tags, entities), as a template (%{z}) and, where MathJax is on the page, as TeX
// between dollar signs.
// Here every such character leaves as an entity. Control characters and marks that reorder text are shown by their escape, a
// blank token is quoted, an empty one named, and a right-to-left token is isolated so that its neighbours stay where they are.

const hidden = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?!\u200C|\u200D|[\u{E0020}-\u{E007F}])\p{Cf}/gu;
const blank = /^(?:\s|\p{M}|\u200C|\u200D)*$/u;
const rightToLeft = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

const escapes: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", $: "&#36;", "%": "&#37;" };

function escapeOf(character: string): string {
  return escapes[character] ?? `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}

/**
 * The token as a person can see it: control characters as `\n` or `\u200b`, a blank token in quotes, an empty one by name.
 *
 * @example visible("") // "(empty)"
 * @example visible("a\nb") // "a\\nb"
 */
export function visible(token: string): string {
  if (token === "") {
    return "(empty)";
  }
  const shown = token.replace(hidden, escapeOf);
  return blank.test(shown) ? `'${shown}'` : shown;
}

/**
 * `text` cut in the middle so that at most `limit` characters (as a reader counts them) stay.
 *
 * @example shorten("internationalization", 9) // "inte…tion"
 */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) {
    return text;
  }
  const parts = Array.from(graphemes.segment(text), ({ segment }) => segment);
  if (parts.length <= limit) {
    return text;
  }
  const tail = Math.floor((limit - 1) / 2);
  return `${parts.slice(0, limit - 1 - tail).join("")}…${parts.slice(parts.length - tail).join("")}`;
}

/** `text` kept apart from its neighbours where it runs from right to left. */
function isolated(text: string): string {
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}

/** `text` with nothing left that Plotly would read as markup or as a formula. */
export function escapeText(text: string): string {
  return text.replace(/[&<>$]|%(?={)/g, (character) => entities[character]);
}

/**
 * A token as a label of a figure: visible, at most `limit` characters, isolated, escaped.
 *
 * @example label("<b>") // "&lt;b&gt;"
 */
export function label(token: string, limit: number = Number.POSITIVE_INFINITY): string {
  return escapeText(isolated(shorten(visible(token), limit)));
}

/** A whole token for a hover label: as `label`, broken into lines of 48 characters. */
export function lines(token: string): string {
  const parts = Array.from(graphemes.segment(visible(token)), ({ segment }) => segment);
  const count = Math.max(1, Math.ceil(parts.length / 48));
  return Array.from({ length: count }, (_, at) =>
    escapeText(isolated(parts.slice(at * 48, (at + 1) * 48).join(""))),
  ).join("<br>");
}

/** A token inside a sentence of plain text (the alt text): visible, at most 20 characters, isolated, in quotes. */
export function quoted(token: string): string {
  return `'${isolated(shorten(token.replace(hidden, escapeOf), 20))}'`;
}

/** How wide a character is, in parts of the text's size, by the first kind that it is of: at least what the shipped fonts take. */
const widths: readonly (readonly [RegExp, number])[] = [
  [/[\p{M}\p{Cf}]/u, 0],
  [/[ЊШЩЮ]/u, 1.1],
  [/[%@MWŴm©®ÆæŒœΜЖЉМЫжљмњшщыю]/u, 0.95],
  [/[ /fijlrtIJ]/u, 0.43],
  [/[ckstvxyz]/u, 0.53],
  [/[\p{Lu}#&wŵ¼½¾φψωф]/u, 0.82],
  [/[bdhnopqu]/u, 0.62],
  [/[ -~]/u, 0.58],
  [/[\u00A0-\u024F]/u, 0.68],
  [/[\u0250-\u05FF]/u, 0.77],
  [/[\u0600-\u06FF]/u, 1.25],
  [/[\u2190-\u2265]/u, 0.9],
  [/[\u2000-\u25FF]/u, 1],
];
/** A character beyond the alphabets that the shipped fonts cover may be drawn as its code point: `U+4F60`. */
const asCodePoint = 4.2;

/** About how many pixels `text` takes at `size` pixels a line, rather more than fewer. */
export function textWidth(text: string, size: number): number {
  let ems = 0;
  for (const character of text) {
    const [, width] = widths.find(([kind]) => kind.test(character)) ?? [undefined, asCodePoint];
    ems += width;
  }
  return Math.ceil(ems * size);
}
