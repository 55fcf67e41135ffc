/**
 * What formulas in a page need: KaTeX's style, with the fonts that the page uses inside it.
 *
 * MathML alone would need neither, but many phones and Linux desktops have no font for it: brackets stay small around tall
 * fractions. So formulas are drawn with KaTeX's own fonts, and MathML goes along for readers of the screen.
 */

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** @returns CSS for the formulas in a page's HTML, empty where there are none */
export function formulaStyle(html: string): string {
  if (!html.includes('class="katex"')) {
    return "";
  }
  const fontFace = /@font-face\{[^}]*\}/g;
  const file = require.resolve("katex/dist/katex.min.css");
  const css = readFileSync(file, "utf8");
  const has = (name: string): boolean => new RegExp(`class="[^"]*\\b${name}\\b`).test(html);
  const families = new Set(["KaTeX_Main", "KaTeX_Math"]);
  for (const [, selectors, family] of css
    .replace(fontFace, "")
    .matchAll(/([^{}]+)\{[^{}]*font-family:"?(KaTeX_\w+)/g)) {
    if (selectors.split(",").some((selector) => [...selector.matchAll(/\.([\w-]+)/g)].every(([, name]) => has(name)))) {
      families.add(family);
    }
  }
  const bold = /class="[^"]*(?:bf\b|bold)/.test(html);
  return css.replace(fontFace, (face) => {
    const [, family = ""] = /font-family:"?(KaTeX_\w+)/.exec(face) ?? [];
    const [, font = ""] = /url\(([^)]+\.woff2)\)/.exec(face) ?? [];
    if (!families.has(family) || (face.includes("font-weight:700") && !bold)) {
      return "";
    }
    const data = readFileSync(join(dirname(file), font)).toString("base64");
    return face.replace(/src:[^}]*/, `src:url(data:font/woff2;base64,${data}) format("woff2")`);
  });
}
