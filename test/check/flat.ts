// A verdict's text without its line breaks, so that a test need not know where a line was wrapped.

/** The whole text on one line. */
export function flat(verdict: unknown): string {
  return String(verdict).replace(/\n */g, " ");
}

/** The text behind a label, on one line; undefined if no line begins with the label. */
export function line(verdict: unknown, label: string): string | undefined {
  const found = String(verdict)
    .split(/\n(?! )/)
    .find((text) => text.startsWith(`${label} `));
  return found?.slice(label.length).replace(/\n */g, " ").trim();
}
