// What can go wrong whatever is computed: with the function itself, its form, its errors, its precision.

import { type Answer, exact, firstWrong } from "./answers.js";
import { patience } from "./call-safely.js";
import { answerOf, type Observation, type Outcome } from "./observe.js";
import { describeValue, list } from "./plain-text.js";
import { type Task, type Trouble, wantedForm } from "./task.js";

export function notAFunction(checker: string, value: unknown): Trouble {
  return {
    name: "not a function",
    says: `What was handed over is ${describeValue(value)}, not a function.`,
    hint: `Hand over the function itself, as in ${checker}(yourFunction), and not what it returns.`,
  };
}

export function asynchronous(what: string): Trouble {
  return {
    name: "an async function",
    says: `${what} Arrays are wanted here, and a promise is none.`,
    hint: "Nothing has to be waited for: leave out async, await and promises.",
  };
}

const stateful: Trouble = {
  name: "state kept between calls",
  says: "Called a second time with the same arguments, it gave another result.",
  hint: "What does the function leave behind outside of itself that the next call finds?",
};

const inputsChanged: Trouble = {
  name: "inputs changed",
  says: "The arrays that it was given no longer hold what they held before the call.",
  hint: "Whoever calls it still needs its arrays. Where does the function write into one, sort it, or empty it?",
};

export const endless: Trouble = {
  name: "a loop without end",
  says: `It was stopped after ${patience / 1000} seconds, and had not returned.`,
  hint: "Which loop's condition never becomes false? An index that is not counted up, or a length that is undefined?",
};

/** What is wrong although every answer is right: the inputs were changed, or a second call gave something else. */
export function hidden(seen: readonly Observation[], again: Observation): Trouble[] {
  return [...(isChanged(seen) ? [inputsChanged] : []), ...(same(seen[0], again) ? [] : [stateful])];
}

/** What is wrong beside a wrong answer. */
export function besides(seen: readonly Observation[]): Trouble[] {
  return [...(isChanged(seen) ? [inputsChanged] : []), ...(isEndless(seen) ? [endless] : [])];
}

/** Whether the last call had to be stopped. */
export function isEndless(seen: readonly Observation[]): boolean {
  return seen[seen.length - 1].outcome.kind === "endless";
}

function isChanged(seen: readonly Observation[]): boolean {
  return seen.some(({ outcome }) => "changed" in outcome && outcome.changed);
}

function same(a: Observation, b: Observation): boolean {
  const [first, second] = [answerOf(a), answerOf(b)];
  return !!first && !!second && first.every((part, i) => second[i] && firstWrong(part, second[i], exact) === undefined);
}

/**
 * Right but for the last digits: float32 somewhere, or rounding.
 *
 * @param seen observations that are all nearly right
 */
export function imprecise(seen: readonly Observation[]): Trouble {
  const numbers = seen.flatMap((one) => (answerOf(one) ?? []).flatMap(({ data }) => [...data]));
  const hint = "Numbers in TypeScript are float64. Where do they lose digits: in a Float32Array, Math.fround, toFixed?";
  if (numbers.every((value) => Object.is(Math.fround(value), value))) {
    return {
      name: "float32 precision",
      says: "All is right but the precision: the result holds float32 numbers.",
      hint,
    };
  }
  const places = [1, 2, 3, 4, 5, 6, 7, 8].find((n) => numbers.every((value) => Number(value.toFixed(n)) === value));
  if (places !== undefined) {
    return {
      name: "rounded numbers",
      says: `All is right but the precision: the result is rounded to ${places} places.`,
      hint,
    };
  }
  return {
    name: "float32 precision",
    says: "All is right but the precision: the numbers agree to some seven digits, as in float32, where float64 has sixteen.",
    hint,
  };
}

/** What is wrong with an outcome, as far as can be told without knowing the mistake. */
export function unknown<Way>(task: Task<Way>, { probe, outcome }: Observation, tries: readonly Tried[]): Trouble {
  const wanted = wantedForm(task);
  switch (outcome.kind) {
    case "endless":
      return endless;
    case "promise":
      return asynchronous("It returned a promise.");
    case "threw":
      return {
        name: "an exception",
        says: errors(outcome.what, tries),
        hint: "The message says what went wrong. Which line is it, and what are the shapes there?",
      };
    case "nothing":
      return {
        name: "nothing returned",
        says: `It returned nothing; wanted is ${wanted}.`,
        hint: "Does every path through the function end with a return? An arrow function with braces needs one too.",
      };
    case "no array":
      return {
        name: "no array returned",
        says: `It returned ${outcome.what}; wanted is ${wanted}.`,
        hint: "Nested arrays of numbers or an NDArray will do. Is every element filled in?",
      };
    case "answer":
      return wrongNumbers(outcome.answer, probe.wanted);
  }
}

function wrongNumbers(answer: Answer, wanted: Answer): Trouble {
  const shapes = (parts: Answer) => parts.map(({ shape }) => shape.join()).join(";");
  if (shapes(answer) !== shapes(wanted)) {
    const inOrder =
      answer.length === wanted.length && answer.every(({ data }, i) => data.join() === wanted[i].data.join());
    return {
      name: "wrong shape",
      says: `The shape is wrong.${inOrder ? " The numbers and their order are right." : ""}`,
      hint: "Write the shape beside each line of the function. At which line is it another than you meant?",
    };
  }
  const finite = wanted.every(({ data }) => data.every(Number.isFinite));
  if (finite && !answer.every(({ data }) => data.every(Number.isFinite))) {
    return {
      name: "NaN",
      says: "The result holds NaN or infinities, and should be finite.",
      hint: "NaN comes of an element that does not exist, of 0 / 0, or of infinity. Which step first has one?",
    };
  }
  return {
    name: undefined,
    says: "The shape is right, and the numbers are wrong, in a way that has no name here.",
    hint: "Try it on an input small enough to do by hand, and follow the first wrong number backwards.",
  };
}

/** What the function did with the first probe, in each form it was tried in. */
export interface Tried {
  readonly form: { readonly name: string };
  readonly outcome: Outcome;
}

/** The error, or where each form of the arguments led to another one, all of them. */
function errors(what: string, tries: readonly Tried[]): string {
  const thrown = tries.flatMap(({ form, outcome }) => (outcome.kind === "threw" ? [{ form, what: outcome.what }] : []));
  const all = thrown.length === tries.length && thrown.some((one) => one.what === what);
  const different = thrown.filter((one, i) => thrown.findIndex((other) => other.what === one.what) === i);
  if (!all || different.length === 1) return `It threw an error: ${what}`;
  return `It threw an error: ${list(different.map((one) => `with ${one.form.name}, "${one.what}"`))}.`;
}
