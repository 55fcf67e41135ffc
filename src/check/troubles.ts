// What can go wrong whatever is computed: with the function itself, its form, its errors, its precision.

import type { NDArray } from "../array/ndarray.js";
import { type Answer, agree, allFinite, exact, firstWrong, sameShapes } from "./answers.js";
import { patience } from "./call-safely.js";
import { answerOf, type Observation, type Outcome, right } from "./observe.js";
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

export const endless: Trouble = {
  name: "a loop without end",
  says: `It was stopped after ${patience / 1000} seconds, and had not returned.`,
  hint: "Which loop's condition never becomes false? An index that is not counted up, or a length that is undefined?",
};

const stateful: Trouble = {
  name: "state kept between calls",
  says: "What it returns depends on an earlier call: the same arguments gave another result, or others the same.",
  hint: "What does the function leave behind outside of itself that the next call finds?",
};

/** Whether the last call had to be stopped. */
export function isEndless(seen: readonly Observation[]): boolean {
  return seen[seen.length - 1].outcome.kind === "endless";
}

/** The inputs that some call changed. */
export function inputsChanged(takes: readonly string[], seen: readonly Observation[]): Trouble[] {
  const changed = new Set(seen.flatMap(({ outcome }) => ("changed" in outcome ? outcome.changed : [])));
  if (changed.size === 0) return [];
  return [
    {
      name: "inputs changed",
      says: `It changes what it was given: ${list([...changed].map((i) => takes[i]))}.`,
      hint: "The caller still needs it. Where does the function write to an argument, sort it, or take something out of it?",
    },
  ];
}

/** Whether a call gave what an earlier call with other arguments had given, or the same call something new. */
export function remembers([first, ...others]: readonly Observation[]): Trouble[] {
  const gave = answerOf(first);
  const odd = others.some((other) => {
    const gives = answerOf(other);
    const repeated = gives && gave && agree(gives, gave, exact);
    return other.probe === first.probe ? !repeated : repeated && !agree(other.probe.wanted, first.probe.wanted, exact);
  });
  return odd && right(first, exact) ? [stateful] : [];
}

const losesDigits =
  "Numbers in TypeScript are float64. Where do they lose digits: in a Float32Array, Math.fround, toFixed?";

/** Numbers rounded to some decimal places, and otherwise right; of output and weights, one may be only as near as that lets it. */
export function rounded(seen: readonly Observation[]): Trouble | undefined {
  const isRounded = (found: NDArray, wanted: NDArray, n: number) =>
    sameShapes([found], [wanted]) &&
    found.data.every((value, i) => {
      const near = Math.abs(value - wanted.data[i]) <= 0.5001 * 10 ** -n;
      return near && Number(value.toFixed(n)) === value;
    });
  const explains = (n: number) => {
    const parts = seen[0].probe.wanted.map((_, part) =>
      seen.every((one) => {
        const found = answerOf(one)?.[part];
        return found !== undefined && isRounded(found, one.probe.wanted[part], n);
      }),
    );
    const rest = (one: Observation) =>
      one.probe.wanted.every((wanted, part) => {
        const found = answerOf(one)?.[part];
        return parts[part] || (found && firstWrong(found, wanted, 5 * 10 ** -n) === undefined);
      });
    return parts.includes(true) && seen.every((one) => answerOf(one)?.length === parts.length && rest(one));
  };
  const places = [1, 2, 3, 4, 5, 6, 7, 8].find(explains);
  if (places === undefined) return undefined;
  return {
    name: "rounded numbers",
    says: `All is right but the precision: numbers are rounded to ${places} decimal ${places === 1 ? "place" : "places"}.`,
    hint: losesDigits,
  };
}

/** What is wrong with answers that are right but for their last digits. */
export function imprecise(seen: readonly Observation[]): Trouble {
  const first = seen.find((one) => !right(one, exact));
  if (first && !right(first, 1e-5)) {
    const says = "All is right but the precision: the numbers agree to a few digits only, and float64 has sixteen.";
    return { name: "rounded numbers", says, hint: losesDigits };
  }
  const isFloat32 = (answer: Answer) => answer.every(({ data }) => data.every((v) => Object.is(Math.fround(v), v)));
  const what = seen.every((one) => isFloat32(answerOf(one) ?? []))
    ? "the result holds float32 numbers"
    : "the numbers agree to some seven digits, as in float32, where float64 has sixteen";
  return { name: "float32 precision", says: `All is right but the precision: ${what}.`, hint: losesDigits };
}

/** What the function did with the first probe, in a form it was tried in. */
export interface Tried {
  readonly form: { readonly name: string };
  readonly outcome: Outcome;
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
        name: "no array of numbers",
        says: `It returned ${outcome.what}; wanted is ${wanted}.`,
        hint: "Nested arrays or an NDArray will do, with a number in each place. Is any place left empty, any row too short?",
      };
    case "answer":
      return wrongNumbers(outcome.answer, probe.wanted, outcome.aliased);
  }
}

function wrongNumbers(answer: Answer, wanted: Answer, aliased: boolean): Trouble {
  if (!sameShapes(answer, wanted)) {
    const flat = (parts: Answer) => parts.map(({ data }) => data.join()).join(";");
    return {
      name: "wrong shape",
      says: `The shape is wrong.${flat(answer) === flat(wanted) ? " The numbers and their order are right." : ""}`,
      hint: "Write the shape beside each line of the function. At which line is it another than you meant?",
    };
  }
  if (aliased) {
    return {
      name: "one list in several places",
      says: "One and the same list stands in several places of the result, so what is written to one is written to all.",
      hint: "Array(n).fill(list) puts that one list everywhere. How often does the function make a new one?",
    };
  }
  if (allFinite(wanted) && !allFinite(answer)) {
    return {
      name: "NaN",
      says: "The result holds NaN or infinities, and should be finite.",
      hint: "NaN comes of an element that does not exist, of 0 / 0, or of infinity. Which step first has one?",
    };
  }
  if (answer.every(({ data }, part) => data.every((value, i) => value === 0 || value === wanted[part].data[i]))) {
    return {
      name: "places left at 0",
      says: "What is there is right, but some places that should hold a number still hold 0.",
      hint: "Does a loop begin too late, or end too early? Follow its index to the last head, token and feature.",
    };
  }
  return {
    name: undefined,
    says: "The shape is right, and the numbers are wrong, in a way that has no name here.",
    hint: "Try it on an input small enough to do by hand, and follow the first wrong number backwards.",
  };
}

/** The error, or where each form of the arguments led to another one, all of them. */
function errors(what: string, tries: readonly Tried[]): string {
  const thrown = tries.flatMap(({ form, outcome }) => (outcome.kind === "threw" ? [{ form, what: outcome.what }] : []));
  const all = thrown.length === tries.length && thrown.some((one) => one.what === what);
  const different = thrown.filter((one, i) => thrown.findIndex((other) => other.what === one.what) === i);
  if (!all || different.length === 1) return `It threw an error: ${what}`;
  return `It threw an error: ${list(different.map((one) => `with ${one.form.name}, "${one.what}"`))}.`;
}
