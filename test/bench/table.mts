// Tables in Markdown, which read well as they stand.

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join(" | ")} |`;
  const rule = widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}

/** Nanoseconds as microseconds, three digits. */
export function microseconds(nanoseconds: number): string {
  const value = nanoseconds / 1000;
  return value >= 100 ? String(Math.round(value)) : value.toPrecision(3);
}
