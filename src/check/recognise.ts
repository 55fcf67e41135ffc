// Which known mistake gives the same answers as a learner's function.

import { type Answer, agree, rough } from "./answers.js";
import type { Mistake } from "./mistakes/mistake.js";
import { answerOf, type Observation, right } from "./observe.js";

/** What a wrong implementation gives for the inputs, or undefined where it can make nothing of them. */
export function predict<Way>(
  run: (way: Way, inputs: readonly unknown[]) => Answer,
  way: Way,
  inputs: readonly unknown[],
): Answer | undefined {
  try {
    return run(way, inputs);
  } catch {
    return undefined;
  }
}

/**
 * Whether the prediction is what was seen. Where the wrong implementation can make nothing of an input, anything fits that is
 * not right.
 */
export function fits(prediction: Answer | undefined, observation: Observation, tolerance: number): boolean {
  const answer = answerOf(observation);
  if (!prediction) return !right(observation, tolerance);
  return answer !== undefined && agree(answer, prediction, tolerance);
}

/**
 * The first mistake of the bank of which some way fits all observations, and at least one of the wrong ones by its numbers.
 *
 * @param run what a way gives for the inputs of a probe
 */
export function recognise<Way>(
  bank: readonly Mistake<Way>[],
  run: (way: Way, inputs: readonly unknown[]) => Answer,
  observations: readonly Observation[],
  tolerance: number = rough,
): Mistake<Way> | undefined {
  const wrong = observations.filter((observation) => !right(observation, tolerance));
  const telling = wrong.filter((observation) => answerOf(observation));
  const ordered = [...new Set([...telling, ...wrong, ...observations])];
  return bank.find(({ ways }) =>
    ways.some((way) => {
      let told = false;
      return (
        ordered.every((observation) => {
          const prediction = predict(run, way, observation.probe.inputs);
          told ||= prediction !== undefined && telling.includes(observation);
          return fits(prediction, observation, tolerance);
        }) && told
      );
    }),
  );
}
