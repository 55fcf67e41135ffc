/** Markdown → HTML, by markdown-it: GitHub's tables and strike-through, formulas, code in colour, links that lead on. */

import MarkdownIt, { type MarkdownIt as Renderer } from "markdown-it";
import type { Bundle } from "../notebook/format.js";
import { highlight } from "./code.js";
import { formulas } from "./formulas.js";
import type { Links } from "./links.js";

/** Renders the markdown of one notebook, piece by piece. */
export class Prose {
  /** The text of the first heading so far. */
  title: string | undefined;
  readonly #markdown: Renderer;
  #attachments: Record<string, Bundle> = {};

  /** @param links where the notebook's links lead */
  constructor(links: Links) {
    const markdown = new MarkdownIt({ html: true, linkify: true, highlight });
    const { rules } = markdown.renderer;
    const ids = new Set<string>();
    const lead = (address: string | number | null, picture: boolean): string =>
      links.resolve(String(address ?? ""), picture, this.#attachments);
    markdown.use(formulas);
    // An address in plain text is a link where it says so (https://...); `notebook.md` is a file, not a place in Moldova.
    markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

    rules.heading_open = (tokens, at, options, _env, renderer) => {
      const words = (tokens[at + 1].children ?? []).map(({ content }) => content).join("");
      this.title ??= words;
      const id = words.replaceAll(" ", "-"); // as Jupyter names them, so that links inside a notebook hold
      if (id !== "" && !ids.has(id)) {
        ids.add(id);
        tokens[at].attrSet("id", id);
      }
      return renderer.renderToken(tokens, at, options);
    };
    rules.link_open = (tokens, at, options, _env, renderer) => {
      tokens[at].attrSet("href", lead(tokens[at].attrGet("href"), false));
      return renderer.renderToken(tokens, at, options);
    };
    const image = rules.image;
    rules.image = (tokens, at, options, env, renderer) => {
      tokens[at].attrSet("src", lead(tokens[at].attrGet("src"), true));
      return image?.(tokens, at, options, env, renderer) ?? "";
    };
    rules.html_block = rules.html_inline = (tokens, at) =>
      tokens[at].content.replace(
        /(<(img|a)\b[^>]*?\s(?:src|href)\s*=\s*)(["'])(.*?)\3/gi,
        (_, before: string, tag: string, _quote, address: string) =>
          `${before}"${lead(address, tag.toLowerCase() === "img").replaceAll('"', "&quot;")}"`,
      );
    // A wide table is scrolled by itself, not with the page.
    rules.table_open = () => '<div class="wide" tabindex="0"><table>\n';
    rules.table_close = () => "</table></div>\n";
    this.#markdown = markdown;
  }

  /**
   * Markdown as HTML.
   *
   * @param markdown as the notebook has it; the HTML in it stays HTML
   * @param attachments those of the cell
   */
  render(markdown: string, attachments: Record<string, Bundle> = {}): string {
    this.#attachments = attachments;
    return this.#markdown.render(markdown);
  }
}
