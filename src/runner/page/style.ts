/**
 * How a page looks: the reader's own fonts, light or dark as the reader has it, one column that fits a phone and a sheet of
 * paper. The colours of words in code keep a contrast of 4.5 to 1 on their ground, in both.
 */

export const style = `:root {
  --paper: #ffffff; --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --plate: #f6f8fa; --warn: #fff1ef; --link: #0759c0;
  --keyword: #b62324; --string: #0a3069; --number: #0550ae; --comment: #59636e; --name: #6639ba; --type: #8a3c00;
}
@media screen {
  :root { color-scheme: light dark; }
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #0d1117; --ink: #e6edf3; --soft: #9aa4af; --line: #3d444d; --plate: #161b22; --warn: #2d1517; --link: #6cb0ff;
    --keyword: #ff8f86; --string: #a5d6ff; --number: #79c0ff; --comment: #9aa4af; --name: #d2a8ff; --type: #ffa657;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1.0625rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif;
}
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
section { margin: 0 0 1.25rem; }
.prose { max-width: 44rem; overflow-wrap: break-word; }
h1, h2, h3, h4 { line-height: 1.25; margin: 1.6em 0 0.6em; }
section:first-of-type > h1 { margin-top: 0; }
h1 { font-size: 1.9rem; }
h2 { font-size: 1.45rem; }
h3 { font-size: 1.2rem; }
p, ul, ol, blockquote, .wide { margin: 0 0 1em; }
a { color: var(--link); }
blockquote { margin-left: 0; padding-left: 1em; border-left: 0.25em solid var(--line); color: var(--soft); }
hr { border: 0; border-top: 1px solid var(--line); }
img, svg { max-width: 100%; height: auto; }
.wide, .output { overflow-x: auto; }
table { border-collapse: collapse; font-size: 0.95em; }
th, td { border: 1px solid var(--line); padding: 0.3em 0.8em; text-align: left; }
th { background: var(--plate); }
.katex-display { overflow-x: auto; overflow-y: hidden; padding: 0.2em 0; }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace; }
code { font-size: 0.88em; background: var(--plate); border-radius: 0.3em; padding: 0.1em 0.3em; }
pre { margin: 0; padding: 0.7rem 0.9rem; overflow-x: auto; font-size: 0.875rem; line-height: 1.5; tab-size: 2; }
pre code { font-size: inherit; background: none; padding: 0; }
pre.code, .prose pre { background: var(--plate); border: 1px solid var(--line); border-radius: 0.5em; }
.prose pre { margin: 0 0 1em; }
pre.stderr { background: var(--warn); border-radius: 0.5em; }
pre.sentence { white-space: pre-wrap; overflow-wrap: anywhere; }
.output { margin-top: 0.5rem; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.hljs-keyword, .hljs-operator, .hljs-selector-tag, .hljs-deletion { color: var(--keyword); }
.hljs-string, .hljs-regexp, .hljs-char, .hljs-addition { color: var(--string); }
.hljs-number, .hljs-literal, .hljs-symbol, .hljs-attr, .hljs-attribute { color: var(--number); }
.hljs-comment, .hljs-quote, .hljs-meta, .hljs-doctag { color: var(--comment); }
.hljs-title, .hljs-name, .hljs-section { color: var(--name); }
.hljs-type, .hljs-built_in, .hljs-variable.language_ { color: var(--type); }
.hljs-subst { color: inherit; }
.hljs-emphasis { font-style: italic; }
.hljs-strong { font-weight: 600; }
@media print {
  @page { margin: 1.6cm; }
  body { font-size: 10.5pt; }
  main { max-width: none; padding: 0; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 9pt; }
  .wide, .output, .katex-display { overflow: visible; }
  h1, h2, h3, h4 { break-after: avoid; }
  img, svg, tr, .tslab-attention-figure { break-inside: avoid; }
  /* The picture fits the sheet; a live plot keeps the width of the window. */
  .tslab-attention-figure > img { visibility: visible !important; }
  .tslab-attention-figure > div { display: none !important; }
}
`;
