// From a learner's function to a verdict, the same way for all three checks.

import type { NDArray } from "../array/ndarray.js";
import { type Answer, exact, firstWrong, numberAt, rough, sameShapes } from "./answers.js";
import { isAsync } from "./call-safely.js";
import { type Form, forms } from "./forms.js";
import { lettered } from "./letters.js";
import { answerOf, call, chooseForm, type Learner, type Observation, right } from "./observe.js";
import { drawComparison } from "./picture.js";
import { list, short } from "./plain-text.js";
import type { Probe } from "./probes.js";
import { isMoved } from "./provenance.js";
import { recognise } from "./recognise.js";
import type { Ask, Difference, Task, Trouble } from "./task.js";
import {
  asynchronous,
  endless,
  imprecise,
  inputsChanged,
  isEndless,
  notAFunction,
  remembers,
  rounded,
  unknown,
} from "./troubles.js";
import { type Finding, Verdict } from "./verdict.js";

type Lines = (readonly [label: string, text: string])[];
type Found = Omit<Finding, "checker">;
type Draw = Finding["picture"];

/** The verdict on `fn`. */
export function judge<Way>(task: Task<Way>, fn: unknown): Verdict {
  return new Verdict({ checker: task.checker, ...find(task, fn) });
}

function find<Way>(task: Task<Way>, fn: unknown): Found {
  if (typeof fn !== "function") return failed(notAFunction(task.checker, fn), []);
  if (isAsync(fn)) return failed(asynchronous("An async function returns a promise; it was not called."), []);

  const learner = fn as Learner;
  const probes = task.probes();
  const { form, tries } = chooseForm(probes, learner, task.read);
  const ask: Ask = (inputs) => call(learner, inputs, form, task.read);
  const seen = observe(probes, ask);
  const changes = inputsChanged(task.takes, seen);
  const tried = tries.flatMap((one) => (one.form === form ? [{ probe: probes[0], outcome: one.outcome }] : []));
  const wrong = seen.find((observation) => !right(observation, exact));
  if (!wrong) {
    const [again] = observe(probes.slice(0, 1), ask);
    const [first, ...others] = [...changes, ...remembers([...tried, ...seen, again]), ...task.broken(ask)];
    return first ? failed(first, also(others)) : passed(task, seen, form, ask);
  }

  const stopped = isEndless(seen);
  const known = explain(task, seen) ?? [...changes, ...remembers([...tried, ...seen])][0];
  const trouble = known ?? unknown(task, wrong, tries);
  const shown = (known && seen.find((one) => answerOf(one) && !right(one, exact))) ?? wrong;
  const difference = findDifference(task, shown);
  const rules = [...changes, ...(stopped ? [endless] : difference ? task.broken(ask) : [])];
  const traced = !task.moves || areMoved(seen);
  const lines: Lines = [
    ...(difference ? describe(task, difference, traced) : []),
    ["Tried with", `${shown.probe.tried}${form === forms[0] ? "" : ` (${form.name})`}`],
    ...(shown === wrong ? [] : thrown(wrong)),
    ...whatPasses(task, seen),
    ...also(rules.filter(({ name }) => name !== trouble.name)),
  ];
  if (!difference) return failed(trouble, lines);
  const { probe, answer, part, index } = difference;
  return failed(trouble, lines, drawing(task, probe, answer, part, index, traced));
}

/** Each probe's outcome, up to the first that has no end. */
function observe(probes: readonly Probe[], ask: Ask): Observation[] {
  const seen: Observation[] = [];
  for (const probe of probes) {
    seen.push({ probe, outcome: ask(probe.inputs) });
    if (isEndless(seen)) break;
  }
  return seen;
}

/** The known mistake that explains what was seen: all of it, or at least the first inputs, on which no two mistakes agree. */
function explain<Way>(task: Task<Way>, seen: readonly Observation[]): Trouble | undefined {
  const ended = seen.filter(({ outcome }) => outcome.kind !== "endless");
  if (ended.every((one) => right(one, rough))) {
    if (ended.length < seen.length) return undefined;
    return recognise(task.bank(), task.run, seen, exact) ?? rounded(seen) ?? imprecise(seen);
  }
  return (
    recognise(task.bank(), task.run, ended) ??
    rounded(ended) ??
    task.further?.(task.bank(), ended) ??
    recognise(task.bank(), task.run, ended.slice(0, 3))
  );
}

function findDifference<Way>(task: Task<Way>, { probe, outcome }: Observation): Difference | undefined {
  if (outcome.kind !== "answer") return undefined;
  const { answer } = outcome;
  for (const tolerance of [rough, exact]) {
    for (const part of task.order.filter((at) => at < answer.length)) {
      const index = firstWrong(answer[part], probe.wanted[part], tolerance);
      if (index) return { probe, answer, part, index, clear: tolerance === rough };
    }
  }
  return undefined;
}

/** The shape if it is wrong, the first wrong number, and where that comes from. */
function describe<Way>(task: Task<Way>, difference: Difference, traced: boolean): Lines {
  const { probe, answer, part, index, clear } = difference;
  const [found, wanted] = [answer[part], probe.wanted[part]];
  const { name, shape, index: letters } = task.parts[part];
  const lines: Lines = [];
  if (!sameShapes([found], [wanted])) {
    const shapes = `${lettered(found.shape, probe.sizes)}, wanted ${shape} = (${wanted.shape.join(", ")})`;
    lines.push(["Shape", `${name === "" ? "" : `${name} `}${shapes}`]);
  }
  if (index.length > 0) {
    const value = numberAt(found, index);
    const numbers = `expected ${short(wanted.get(...index))}, found ${value === undefined ? "nothing" : short(value)}`;
    lines.push(["First wrong", `${name}${letters} = [${index.join(", ")}]: ${numbers}`]);
    const from = clear ? task.provenance(difference, traced) : undefined;
    if (from !== undefined) lines.push(["Where from", from]);
  }
  return lines;
}

/** Whether a split or a merge moved numbers and did nothing else to them: seen on the first input and the last, which differ in their numbers alone. */
function areMoved(seen: readonly Observation[]): boolean {
  const [first, last] = [seen[0], seen[seen.length - 1]];
  const [found, foundOther] = [answerOf(first)?.[0], answerOf(last)?.[0]];
  const [x, other] = [first, last].map(({ probe }) => probe.inputs[0] as NDArray);
  return !found || !foundOther || seen.length === 1 || isMoved({ x, found, other, foundOther });
}

/** What draws part `part` of an answer beside the right one; `traced` says that its numbers tell where they came from. */
function drawing<Way>(
  task: Task<Way>,
  probe: Probe,
  answer: Answer,
  part: number,
  first: readonly number[],
  traced: boolean,
): Draw {
  const [found, wanted] = [answer[part], probe.wanted[part]];
  return () => drawComparison({ ...task.look(probe, part), found, wanted, sizes: probe.sizes, first, traced });
}

/** What the function threw where it gave no answer. */
function thrown({ probe: { sizes }, outcome }: Observation): Lines {
  const { B, T, H, d } = sizes;
  return outcome.kind === "threw" ? [["Throws", `${outcome.what} (B, T, H, d = ${B}, ${T}, ${H}, ${d})`]] : [];
}

/** Tests that pass all the same: those that cannot tell, or, if the first input passed, how many of ours. */
function whatPasses<Way>(task: Task<Way>, seen: readonly Observation[]): Lines {
  const passing = seen.filter((one) => right(one, exact));
  if (passing.includes(seen[0])) return [["Right on", `${passing.length} of ${seen.length} inputs`]];
  const answer = answerOf(seen[0]);
  const tests = [
    ...passing.flatMap(({ probe: { hides } }) => (hides === undefined ? [] : [hides])),
    ...(answer ? task.blind(seen[0].probe, answer) : []),
  ];
  return tests.length === 0 ? [] : [["Cannot tell", `${list(tests)}: a test of this kind passes all the same`]];
}

function also(troubles: readonly Trouble[]): Lines {
  return troubles.map(({ says }) => ["Also", says]);
}

function failed({ name, says, hint }: Trouble, lines: Lines, picture?: Draw): Found {
  return { passed: false, mistake: name, says, lines: [...lines, ["Hint", hint]], picture };
}

function passed<Way>(task: Task<Way>, seen: readonly Observation[], form: Form, ask: Ask): Found {
  const says = `Right on ${seen.length} inputs of different shapes, given as ${form.name}, which it left as they were.`;
  const lines = task.notes(ask).map((note) => ["Note", note] as const);
  const answer = answerOf(seen[0]);
  const part = task.order[0];
  return { passed: true, says, lines, picture: answer && drawing(task, seen[0].probe, answer, part, [], true) };
}
