// Text for a verdict: what a learner's code said, made harmless to print, and numbers, short enough to read.

/**
 * `text` on one line, with control and invisible characters written as code points, and cut when long.
 *
 * @example
 * clean("two\nlines \u001b[31m"); // "two lines U+001B[31m"
 */
export function clean(text: string, longest = 200): string {
  const line = text
    .slice(0, longest + 1)
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}]/gu, codePoint);
  return text.length > longest ? `${line.slice(0, longest)}...` : line;
}

function codePoint(character: string): string {
  const hex = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${hex.padStart(4, "0")}`;
}

/** What was thrown, as one line, however odd it is. */
export function describeThrown(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null) return clean(`a thrown ${typeof thrown}: ${String(thrown)}`);
  const { name, message } = thrown as { name?: unknown; message?: unknown };
  if (typeof message !== "string") return "a thrown object that is not an Error";
  return clean(message === "" ? String(name) : `${String(name)}: ${message}`);
}

/** A number with at most ten digits, so that the first difference shows and rounding noise does not. */
export function short(value: number): string {
  return String(Number(value.toPrecision(10)));
}

/** Names joined as prose: "a", "a and b", "a, b and c". */
export function list(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

/** A value in a few words, where a function was expected or an array. */
export function describeValue(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value !== "object") return clean(`the ${typeof value} ${String(value)}`, 60);
  return "an object";
}

/**
 * `text` in lines of at most 100 characters, broken at spaces; a longer word stays whole. All lines but the first are
 * indented. Spaces within the first `indent` characters are kept.
 *
 * @example
 * wrap("Hint  what comes first?", 6, 18); // ["Hint  what comes", "      first?"]
 */
export function wrap(text: string, indent = 0, columns = 100): string[] {
  const lines = [text.slice(0, indent)];
  for (const [at, word] of text.slice(indent).split(" ").entries()) {
    const line = lines[lines.length - 1];
    const separator = at === 0 || line.length === indent ? "" : " ";
    if (line.length > indent && line.length + separator.length + word.length > columns) {
      lines.push(" ".repeat(indent) + word);
    } else {
      lines[lines.length - 1] = line + separator + word;
    }
  }
  return lines;
}
