/**
 * An executed notebook → one page that needs no other file and no network.
 *
 * Whom the page trusts: the notebook's author, whose code has just been run on this machine. So HTML that code shows, and
 * HTML in markdown, go into the page as they are, scripts included, as nbconvert does; JavaScript links in markdown do not.
 * All else is text and is shown as text: code, what is printed, errors, titles, alternative texts, JSON. SVG is shown as
 * a picture, where its scripts do not run.
 *
 * Left out: widgets, and raw cells that are made for another format.
 */

import { isExecuted, type Notebook, textOf } from "../notebook/format.js";
import { highlight } from "./code.js";
import { escapeHtml } from "./escape.js";
import { formulaStyle } from "./formula-style.js";
import { asksForPlotly, packedLibrary, unpackingScript } from "./library.js";
import type { Links } from "./links.js";
import { pre, showOutput } from "./outputs.js";
import { Prose } from "./prose.js";
import { style } from "./style.js";

/**
 * The page of a notebook; the same bytes for the same notebook.
 *
 * @param notebook executed, with its outputs
 * @param name what the page is called where the notebook has no heading
 * @param links where its links lead
 * @returns the HTML of a whole document
 */
export function notebookPage(notebook: Notebook, name: string, links: Links): string {
  const prose = new Prose(links);
  const language = notebook.metadata.language_info?.name ?? notebook.metadata.kernelspec?.language ?? "typescript";
  let codeCells = 0;
  const sections = notebook.cells.map((cell) => {
    const source = textOf(cell.source);
    if (cell.cell_type === "markdown") {
      return `<section class="prose">\n${prose.render(source, cell.attachments)}</section>`;
    }
    if (isExecuted(cell)) {
      codeCells++;
      const code = pre(`<code>${highlight(source, language)}</code>`, `Code ${codeCells}`, "code");
      const outputs = cell.outputs.map((output) => `<div class="output">${showOutput(output, prose)}</div>\n`);
      return `<section>\n${code}\n${outputs.join("")}</section>`;
    }
    const format = cell.metadata.raw_mimetype ?? cell.metadata.format ?? "text/plain";
    if (cell.cell_type !== "raw" || source.trim() === "") {
      return "";
    }
    return format === "text/html"
      ? `<section>\n${source}\n</section>`
      : format === "text/plain"
        ? pre(escapeHtml(source), "Text")
        : "";
  });
  const body = sections.filter(Boolean).join("\n");
  const live = asksForPlotly(body);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(prose.title ?? name)}</title>
<style>
${style}${formulaStyle(body)}</style>${live ? `\n${unpackingScript}` : ""}
</head>
<body>
<main>
${body}
</main>${live ? `\n${packedLibrary()}` : ""}
</body>
</html>
`;
}
