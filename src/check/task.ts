// What is particular to one of the three checks.

import type { Answer, Reading } from "./answers.js";
import type { Inputs } from "./forms.js";
import type { Mistake } from "./mistakes/mistake.js";
import type { Observation, Outcome } from "./observe.js";
import type { Look } from "./picture.js";
import { list } from "./plain-text.js";
import type { Probe } from "./probes.js";

/** Something wrong, with its name if it has one. */
export interface Trouble {
  readonly name: string | undefined;
  readonly says: string;
  readonly hint: string;
}

/** One array of an answer: what it is called, and the letters of its shape and of its index. */
export interface Part {
  readonly name: string;
  readonly shape: string;
  readonly index: string;
}

/** The first part that is wrong, the index of its first wrong number, and whether it is wrong by more than its last digits. */
export interface Difference {
  readonly probe: Probe;
  readonly answer: Answer;
  readonly part: number;
  readonly index: readonly number[];
  readonly clear: boolean;
}

/** A call of the function under check. */
export type Ask = (inputs: Inputs) => Outcome;

export interface Task<Way> {
  readonly checker: string;
  /** The names of the function's arguments. */
  readonly takes: readonly string[];
  readonly parts: readonly Part[];
  /** The parts in the order in which they are made, so that the first to go wrong is told. */
  readonly order: readonly number[];
  readonly probes: () => readonly Probe[];
  /** Whether a right answer only moves numbers: then each says where it came from, unless the learner's were computed. */
  readonly moves: boolean;
  readonly read: (value: unknown) => Reading;
  readonly bank: () => readonly Mistake<Way>[];
  /** What a wrong implementation of the bank gives. */
  readonly run: (way: Way, inputs: readonly unknown[]) => Answer;
  /** Mistakes that are no single entry of the bank. */
  readonly further?: (bank: readonly Mistake<Way>[], observations: readonly Observation[]) => Trouble | undefined;
  /** Where the first wrong number comes from, or at which step the answer goes wrong. */
  readonly provenance: (first: Difference, traced: boolean) => string | undefined;
  /** What an array of an answer is called in the picture, and how its numbers are drawn. */
  readonly look: (probe: Probe, part: number) => { readonly yours: string; readonly look: Look };
  /** Tests, beside those of the probes, that this answer would pass. */
  readonly blind: (probe: Probe, answer: Answer) => readonly string[];
  /** The rules beside the numbers that the function breaks. */
  readonly broken: (ask: Ask) => readonly Trouble[];
  /** What is worth knowing of a right function. */
  readonly notes: (ask: Ask) => readonly string[];
}

/** What the function should return, in words. */
export function wantedForm({ parts }: { readonly parts: readonly Part[] }): string {
  if (parts.length === 1) return `an array of shape ${parts[0].shape}`;
  const names = parts.map(({ name }) => name).join(", ");
  return `[${names}] or {${names}}, ${list(parts.map(({ name, shape }) => `${name} of shape ${shape}`))}`;
}
