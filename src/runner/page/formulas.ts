/**
 * Formulas in markdown, as Jupyter writes them: `$...$`, `$$...$$` and a bare `\begin{align}...\end{align}`.
 *
 * They are read before markdown reads anything else in them, and drawn by KaTeX without a script in the page. A formula
 * that KaTeX cannot read is shown as written, in red. A `$` before a digit ends no formula, so that prices stay prices; `\$` is a dollar sign.
 */

import katex from "katex";
import type { MarkdownIt, StateBlock, StateInline } from "markdown-it";

const display = /\$\$([\s\S]+?)\$\$|(\\begin\{([a-zA-Z]+\*?)\}[\s\S]*?\\end\{\3\})/y;
const inline = /\$((?:\\[\s\S]|[^\\$])+)\$(?!\d)/y;

/** The formula that starts at a place, and where it ends. */
interface Found {
  tex: string;
  end: number;
}

function match(pattern: RegExp, text: string, at: number): Found | undefined {
  pattern.lastIndex = at;
  const found = pattern.exec(text);
  return found ? { tex: found[1] ?? found[2], end: pattern.lastIndex } : undefined;
}

/** Teaches markdown-it formulas; definitions (`\newcommand`) hold from one to the next. */
export function formulas(markdown: MarkdownIt): void {
  const macros = {};
  const draw = (tex: string, displayMode: boolean): string =>
    katex.renderToString(tex, {
      displayMode,
      throwOnError: false,
      strict: "ignore",
      macros,
      globalGroup: true,
    });
  markdown.inline.ruler.before("escape", "formula", inlineRule);
  markdown.block.ruler.before("fence", "formula", blockRule, { alt: ["paragraph", "reference", "blockquote", "list"] });
  markdown.renderer.rules.formula = (tokens, at) => draw(tokens[at].content, false);
  markdown.renderer.rules.display_formula = (tokens, at) => draw(tokens[at].content, true);
}

function inlineRule(state: StateInline, silent: boolean): boolean {
  const { src, pos } = state;
  const shown = match(display, src, pos);
  const found = shown ?? match(inline, src, pos);
  if (!found) {
    return false;
  }
  if (!silent) {
    state.push(shown ? "display_formula" : "formula", "", 0).content = found.tex;
  }
  state.pos = found.end;
  return true;
}

/** A formula that has its lines to itself: lines that markdown would read as a heading or a list stay part of it. */
function blockRule(state: StateBlock, start: number, end: number, silent: boolean): boolean {
  const text = state.getLines(start, end, state.blkIndent, false);
  const found = match(display, text, text.length - text.trimStart().length);
  const rest = found && /^[ \t]*(?:\n|$)/.exec(text.slice(found.end));
  if (!found || !rest) {
    return false;
  }
  if (!silent) {
    const token = state.push("display_formula", "", 0);
    token.block = true;
    token.content = found.tex;
    state.line = start + text.slice(0, found.end).split("\n").length;
    token.map = [start, state.line];
  }
  return true;
}
