/** Two texts as a short diff that a person can read: nothing invisible, no endless lines. */

import { diffArrays } from "diff";
import { visible } from "../terminal.js";

const shownLines = 20;
const context = 2;
const width = 120;

/**
 * How two texts differ.
 *
 * @param expected the text in the file
 * @param found the text now
 * @returns lines with `-` for the file, `+` for now and a blank for both; undefined if the texts are the same
 */
export function differentText(expected: string, found: string): string | undefined {
  if (expected === found) {
    return undefined;
  }
  const lines = diffLines(expected.split("\n"), found.split("\n"));
  const shown = lines.slice(0, shownLines);
  return [
    ...shown,
    ...(lines.length > shown.length ? [`... ${lines.length - shown.length} more lines of this diff`] : []),
  ].join("\n");
}

/**
 * The beginning of a text.
 *
 * @param text one or more lines
 * @param sign what to put before each
 * @returns the first lines
 */
export function excerpt(text: string, sign: string): string {
  const lines = text.replace(/\n$/, "").split("\n");
  const shown = lines.slice(0, 5).map((line) => `${sign} ${clip(line, 0)}`);
  return [...shown, ...(lines.length > shown.length ? [`... ${lines.length - shown.length} more lines`] : [])].join(
    "\n",
  );
}

function diffLines(expected: string[], found: string[]): string[] {
  // Texts with little in common are not worth the time of the best diff: there, all of one gives way to the other.
  const changes = diffArrays(expected, found, { maxEditLength: 1000 }) ?? [
    { value: expected, removed: true, added: false },
    { value: found, removed: false, added: true },
  ];
  const lines: string[] = [];
  for (let index = 0; index < changes.length; index++) {
    const { value, removed, added } = changes[index];
    const next = changes[index + 1];
    if (!removed && !added) {
      const before = index > 0 ? value.slice(0, context) : [];
      const after = index < changes.length - 1 ? value.slice(Math.max(before.length, value.length - context)) : [];
      const hidden = value.length - before.length - after.length;
      lines.push(
        ...before.map((line) => `  ${clip(line, 0)}`),
        ...(hidden > 0 && before.length > 0 && after.length > 0 ? [`  ... ${hidden} lines the same`] : []),
        ...after.map((line) => `  ${clip(line, 0)}`),
      );
    } else if (removed && next?.added) {
      lines.push(...changedLines(value, next.value));
      index++;
    } else {
      lines.push(...value.map((line) => `${removed ? "-" : "+"} ${clip(line, 0)}`));
    }
  }
  return lines;
}

/** Lines that took the place of others: long ones are cut to where the first change is. */
function changedLines(before: string[], after: string[]): string[] {
  const starts = before.map((line, index) => firstChange(line, after[index] ?? ""));
  const invisible =
    before.length === after.length && before.every((line, index) => line.trimEnd() === after[index].trimEnd());
  const show = (line: string, index: number) => (invisible ? JSON.stringify(line) : clip(line, starts[index] ?? 0));
  return [
    ...before.map((line, index) => `- ${show(line, index)}`),
    ...after.map((line, index) => `+ ${show(line, index)}`),
  ];
}

function firstChange(a: string, b: string): number {
  let index = 0;
  while (index < a.length && a[index] === b[index]) {
    index++;
  }
  return index;
}

function clip(line: string, around: number): string {
  const start = line.length > width && around > width / 2 ? around - width / 4 : 0;
  const end = start + width;
  const text = visible(line.slice(start, end));
  return `${start > 0 ? "..." : ""}${text}${end < line.length ? "..." : ""}`;
}
