/** Two texts as a short diff that a person can read: nothing invisible, no endless lines. */

import { diffArrays } from "diff";
import { visible } from "../terminal.js";

const shownLines = 24;
const shownChanges = 8;
const context = 2;
const screenWidth = 120;

/**
 * How two texts differ.
 *
 * @param expected the text in the file
 * @param found the text now
 * @returns lines with `-` for the file, `+` for now and a blank for both; undefined if the texts are the same
 */
export function differentText(expected: string, found: string): string | undefined {
  return expected === found ? undefined : first(diffLines(linesOf(expected), linesOf(found)), shownLines).join("\n");
}

/**
 * The beginning of a text.
 *
 * @param text one or more lines
 * @param sign what to put before each
 * @returns the first lines
 */
export function excerpt(text: string, sign: string): string {
  return first(
    linesOf(text).map((line) => `${sign} ${clip(line, 0)}`),
    5,
  ).join("\n");
}

/** Lines with their ends: a missing end is a difference. */
function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function first(lines: string[], count: number): string[] {
  return lines.length <= count ? lines : [...lines.slice(0, count), `... ${lines.length - count} more lines`];
}

function diffLines(expected: string[], found: string[]): string[] {
  // Texts with little in common are not worth the time of the best diff: there, all of one gives way to the other.
  const changes = diffArrays(expected, found, { maxEditLength: 1000 }) ?? [
    { value: expected, removed: true, added: false },
    { value: found, removed: false, added: true },
  ];
  return changes.flatMap(({ value, removed, added }, index) => {
    const [before, after] = [changes[index - 1], changes[index + 1]];
    if (removed) {
      return changed("-", value, after?.added ? after.value : []);
    }
    return added ? changed("+", value, before?.removed ? before.value : []) : unchanged(value, !before, !after);
  });
}

/** Lines that are the same: some before a change, some after one. */
function unchanged(lines: string[], isFirst: boolean, isLast: boolean): string[] {
  const after = isFirst ? [] : lines.slice(0, context);
  const before = isLast ? [] : lines.slice(Math.max(after.length, lines.length - context));
  const hidden = lines.length - after.length - before.length;
  return [
    ...after.map((line) => `  ${clip(line, 0)}`),
    ...(hidden > 0 && !isFirst && !isLast ? [`  ... ${hidden} lines the same`] : []),
    ...before.map((line) => `  ${clip(line, 0)}`),
  ];
}

/** Lines that took the place of others: cut to where they change, quoted where the change cannot be seen. */
function changed(sign: string, lines: string[], others: string[]): string[] {
  return first(
    lines.map((line, index) => {
      const other = others[index];
      return other !== undefined && other.trimEnd() === line.trimEnd()
        ? `${sign} ${JSON.stringify(line)}`
        : `${sign} ${clip(line, firstChange(line, other ?? ""))}`;
    }),
    shownChanges,
  );
}

/** @returns how many characters two lines share at their beginning */
export function firstChange(a: string, b: string): number {
  let index = 0;
  while (index < a.length && a[index] === b[index]) {
    index++;
  }
  return index;
}

/**
 * A line that fits the screen.
 *
 * @param line one line, with its end or without
 * @param around the character that must be seen
 * @param width the most characters to keep
 * @returns the line with control characters shown, `...` where it was cut
 */
export function clip(line: string, around: number, width: number = screenWidth): string {
  const text = line.replace(/\n$/, "");
  const start = text.length > width && around > width / 2 ? Math.floor(around - width / 4) : 0;
  const end = start + width;
  return `${start > 0 ? "..." : ""}${visible(text.slice(start, end))}${end < text.length ? "..." : ""}`;
}
