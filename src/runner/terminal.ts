/**
 * Text from a notebook on its way to the terminal: data, never commands.
 *
 * Escape sequences are removed, other control characters are shown as `\x07`. Tabs and line ends stay.
 */

// CSI sequences (colours, cursor), OSC sequences (titles, links) up to their end, and the other two-character escapes.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this file is about
const escapes = /\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[@-Z\\^_]/g;
// Bidirectional overrides are here too: they can make a line read as another.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this file is about
const controls = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/**
 * Text that is safe to print on a terminal.
 *
 * @param text anything: a cell's output, its source, a path
 * @returns the same text without escape sequences, with other control characters as `\x07`
 * @example printable("\u001b[31mred\u001b[0m\u0007") // "red\\x07"
 */
export function printable(text: string): string {
  return visible(text.replace(/\r\n/g, "\n").replace(escapes, ""));
}

/**
 * Text with every control character shown, escape sequences too, for a comparison in which each counts.
 *
 * @param text anything
 * @returns the same text, with control characters as `\x07`
 */
export function visible(text: string): string {
  return text.replace(controls, (character) => {
    const code = character.charCodeAt(0);
    return code < 256 ? `\\x${code.toString(16).padStart(2, "0")}` : `\\u${code.toString(16)}`;
  });
}

/**
 * The first line of a text, printable and cut to a width.
 *
 * @param text one or more lines
 * @param width the most characters to keep
 * @returns one line, with `...` where it was cut
 */
export function firstLine(text: string, width = 80): string {
  const line = printable(text.trimStart().split(/\r?\n/, 1)[0]).trimEnd();
  const characters = [...line];
  return characters.length > width ? `${characters.slice(0, width - 3).join("")}...` : line;
}
