// From a learner's function to a verdict, the same way for all three checks.

import { type Answer, exact, firstWrong, rough } from "./answers.js";
import { isAsync } from "./call-safely.js";
import { type Form, forms } from "./forms.js";
import { lettered } from "./letters.js";
import { answerOf, call, chooseForm, type Learner, type Observation, right } from "./observe.js";
import { list, short } from "./plain-text.js";
import type { Probe } from "./probes.js";
import { recognise } from "./recognise.js";
import type { Ask, Task, Trouble } from "./task.js";
import { asynchronous, besides, hidden, imprecise, isEndless, notAFunction, unknown } from "./troubles.js";
import { type Finding, Verdict } from "./verdict.js";

type Lines = (readonly [label: string, text: string])[];
type Found = Omit<Finding, "checker">;

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
  const wrong = seen.find((observation) => !right(observation, exact));
  if (!wrong) {
    const [again] = observe(probes.slice(0, 1), ask);
    const [first, ...others] = [...hidden(seen, again), ...task.broken(ask)];
    return first ? failed(first, also(others)) : passed(task, seen, form, ask);
  }

  const trouble = explain(task, seen) ?? unknown(task, wrong, tries);
  const answer = answerOf(wrong);
  return failed(trouble, [
    ...(answer ? difference(task, wrong.probe, answer) : []),
    ["Tried with", `${wrong.probe.tried}${form === forms[0] ? "" : ` (${form.name})`}`],
    ...blindTests(task, seen),
    ...also(besides(seen).filter(({ name }) => name !== trouble.name)),
    ...also(answer && !isEndless(seen) ? task.broken(ask) : []),
  ]);
}

/** Each probe's outcome, up to the first that has no end. */
function observe(probes: readonly Probe[], ask: Ask): Observation[] {
  const seen: Observation[] = [];
  for (const probe of probes) {
    const outcome = ask(probe.inputs);
    seen.push({ probe, outcome });
    if (isEndless(seen)) break;
  }
  return seen;
}

/** The known mistake that explains what was seen: all of it, or at least the first input, on which no two mistakes agree. */
function explain<Way>(task: Task<Way>, seen: readonly Observation[]): Trouble | undefined {
  const ended = seen.filter(({ outcome }) => outcome.kind !== "endless");
  if (ended.every((one) => right(one, rough))) {
    return ended.length < seen.length ? undefined : (recognise(task.bank(), task.run, seen, exact) ?? imprecise(seen));
  }
  return (
    recognise(task.bank(), task.run, ended) ??
    task.combine?.(task.bank(), ended) ??
    recognise(task.bank(), task.run, ended.slice(0, 1))
  );
}

/** The first wrong number or shape, and where it comes from. */
function difference<Way>(task: Task<Way>, probe: Probe, answer: Answer): Lines {
  for (const tolerance of [rough, exact]) {
    for (const part of task.order.filter((at) => at < answer.length)) {
      const [found, wanted] = [answer[part], probe.wanted[part]];
      const index = firstWrong(found, wanted, tolerance);
      if (!index) continue;
      const { name, shape, index: letters } = task.parts[part];
      if (index.length === 0) {
        const text = `${lettered(found.shape, probe.sizes)}, wanted ${shape} = (${wanted.shape.join(", ")})`;
        return [["Shape", `${task.parts.length > 1 ? `${name} ` : ""}${text}`]];
      }
      const where = `${name}${letters} = [${index.join(", ")}]`;
      const from = task.provenance(probe, answer, part, index);
      return [
        ["First wrong", `${where}: expected ${short(wanted.get(...index))}, found ${short(found.get(...index))}`],
        ...(from === undefined ? [] : [["Where from", from] as const]),
      ];
    }
  }
  return [];
}

/** Tests that a learner may have made, and that could not have told. */
function blindTests<Way>(task: Task<Way>, seen: readonly Observation[]): Lines {
  const passing = seen.flatMap((one) => (one.probe.hides !== undefined && right(one, exact) ? [one.probe.hides] : []));
  const answer = answerOf(seen[0]);
  const tests = [...passing, ...(answer ? task.blind(seen[0].probe, answer) : [])];
  return tests.length === 0 ? [] : [["Cannot tell", `${list(tests)}: a test of this kind passes all the same`]];
}

function also(troubles: readonly Trouble[]): Lines {
  return troubles.map(({ says }) => ["Also", says]);
}

function failed({ name, says, hint }: Trouble, lines: Lines): Found {
  return { passed: false, mistake: name, says, lines: [...lines, ["Hint", hint]] };
}

function passed<Way>(task: Task<Way>, seen: readonly Observation[], form: Form, ask: Ask): Found {
  const says = `Right on ${seen.length} inputs of different shapes, given as ${form.name}, which it left as they were.`;
  return { passed: true, says, lines: task.notes(ask).map((note) => ["Note", note]) };
}
