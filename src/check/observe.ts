// Calls a learner's function on a probe in a form, and notes what happened.

import { type Answer, agree, exact, type Reading, rough } from "./answers.js";
import { callSafely } from "./call-safely.js";
import { changed, type Form, forms, hand, type Inputs } from "./forms.js";
import type { Probe } from "./probes.js";

/** A learner's function; what it takes and gives is for the checker to find out. */
export type Learner = (...args: never[]) => unknown;

/** What one call led to. */
export type Outcome =
  | (Reading & { readonly changed: readonly number[] })
  | { readonly kind: "threw"; readonly what: string }
  | { readonly kind: "endless" };

/** A probe and what the function made of it. */
export interface Observation {
  readonly probe: Probe;
  readonly outcome: Outcome;
}

/** Calls `fn` with fresh copies of `inputs`, reads what comes back, and looks whether the copies are as they were. */
export function call(fn: Learner, inputs: Inputs, form: Form, read: (value: unknown) => Reading): Outcome {
  const outcome = callSafely(() => {
    const given = hand(inputs, form);
    const reading = read(fn(...(given as never[])));
    return { ...reading, changed: changed(given, inputs, form) };
  });
  if (outcome.kind === "returned") return outcome.value;
  return outcome.kind === "threw" ? { kind: "threw", what: outcome.error } : outcome;
}

export function answerOf({ outcome }: Observation): Answer | undefined {
  return outcome.kind === "answer" ? outcome.answer : undefined;
}

/** Whether an observation is the right answer, within `tolerance`. */
export function right(observation: Observation, tolerance: number): boolean {
  const answer = answerOf(observation);
  return answer !== undefined && agree(answer, observation.probe.wanted, tolerance);
}

/** How near to right: 4 right, 3 nearly, 2 the right shapes, 1 arrays at least, 0.5 arrays with something odd, 0 none. */
function merit(observation: Observation): number {
  const answer = answerOf(observation);
  if (!answer) return observation.outcome.kind === "no array" ? 0.5 : 0;
  if (right(observation, exact)) return 4;
  if (right(observation, rough)) return 3;
  const shapes = (parts: Answer) => parts.map(({ shape }) => shape.join()).join(";");
  return shapes(answer) === shapes(observation.probe.wanted) ? 2 : 1;
}

/**
 * The form that suits the function, judged by the first probe that gets an answer in any form, and what the first of all
 * probes led to in each.
 */
export function chooseForm(
  probes: readonly Probe[],
  fn: Learner,
  read: (value: unknown) => Reading,
): { form: Form; tries: readonly { form: Form; outcome: Outcome }[] } {
  const tries: { form: Form; outcome: Outcome }[] = [];
  let best = { form: forms[0], merit: 0 };
  let stopped = 0;
  for (const probe of probes) {
    for (const form of forms) {
      const outcome = call(fn, probe.inputs, form, read);
      if (probe === probes[0]) tries.push({ form, outcome });
      const found = merit({ probe, outcome });
      if (found > best.merit) best = { form, merit: found };
      if (outcome.kind === "endless") stopped++;
      if (found === 4 || stopped > 1) break;
    }
    if (best.merit >= 1 || stopped > 0) break;
  }
  return { form: best.form, tries };
}
