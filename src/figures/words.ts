// Counts and positions in words, for titles, notes and alt texts.

/** A count with its noun: "1 key", "3 keys", "1 query", "2 queries". */
export function many(count: number, one: string, more: string = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}

/** Positions in words: "3 to 15" for a run, else all of them. */
export function span(positions: readonly number[]): string {
  const run = positions.length > 2 && positions.every((position, at) => position === positions[0] + at);
  return run ? `${positions[0]} to ${positions[positions.length - 1]}` : positions.join(", ");
}

/** Positions with their noun: "head 7", "heads 0, 2", "heads 1 to 3". */
export function named(noun: string, positions: readonly number[], more: string = `${noun}s`): string {
  return `${positions.length === 1 ? noun : more} ${span(positions)}`;
}

/** The positions from `first` to before `end`, with their noun: "column 0", "columns 0, 1", "columns 0 to 3". */
export function range(noun: string, first: number, end: number): string {
  return named(
    noun,
    Array.from({ length: end - first }, (_, at) => first + at),
  );
}

/** What to do about batches or heads that a figure has no room for, by the option that chooses them. */
export function drawWith(option: string, [first, ...others]: readonly number[]): string {
  return `draw ${others.length === 0 ? "it" : "one"} with { ${option}: ${first} }`;
}

/** Batches or heads that a figure leaves out: "batches 2, 3 (draw one with { batch: 2 })". */
export function leftOutOf(noun: "batch" | "head", positions: readonly number[], option: string): string {
  return `${named(noun, positions, noun === "batch" ? "batches" : "heads")} (${drawWith(option, positions)})`;
}
