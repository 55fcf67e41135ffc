/** A cell's outputs in the file, against those that its code gives. */

import { diffArrays } from "diff";
import type { CodeCell, Output } from "../notebook/format.js";
import { textOf } from "../notebook/format.js";
import { visible } from "../terminal.js";
import { compareBundles } from "./bundles.js";
import { differentText, excerpt } from "./text.js";

// A kernel that Jupyter started from a terminal colours what it prints, one that the runner started does not: colours that
// the file alone has say where it was saved, not what the code gives.
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const colours = /\x1b\[[\d;]*m/g;

/**
 * The differences between a cell's outputs. Errors in the file are told apart: see leftErrors.
 *
 * @param committed the cell as the file holds it
 * @param executed the cell as executed now
 * @returns each difference in some lines: what it is, then `-` what the file holds, `+` what the code gives
 */
export function compareCell(committed: CodeCell, executed: CodeCell): string[] {
  const expected = committed.outputs.filter((output) => !isError(output));
  return compareOutputs(joinStreams(expected), joinStreams(executed.outputs));
}

/**
 * The errors that a cell was saved with.
 *
 * @param committed the cell as the file holds it
 * @returns each error in two lines
 */
export function leftErrors(committed: CodeCell): string[] {
  return committed.outputs.filter(isError).map((error) => {
    const { ename = "", evalue = "" } = error as unknown as { ename?: string; evalue?: string };
    return `an error was left in the file\n- ${visible(`${ename}: ${evalue}`)}`;
  });
}

function isError(output: Output): boolean {
  return output.output_type === "error";
}

/** Kernels and editors differ in where one text of a stream ends and the next begins. */
function joinStreams(outputs: Output[]): Output[] {
  const joined: Output[] = [];
  for (const output of outputs) {
    const last = joined.at(-1);
    if (output.output_type === "stream" && last?.output_type === "stream" && last.name === output.name) {
      joined[joined.length - 1] = { ...last, text: textOf(last.text) + textOf(output.text) };
    } else {
      joined.push(output);
    }
  }
  return joined;
}

function compareOutputs(expected: Output[], found: Output[]): string[] {
  const problems: string[] = [];
  // What is equal on both sides is set aside; what is left between is compared in pairs.
  const left: Output[] = [];
  const now: Output[] = [];
  let position = 0;
  const flush = () => {
    for (let pair = 0; pair < Math.max(left.length, now.length); pair++) {
      position++;
      problems.push(...comparePair(left[pair], now[pair], `output ${position}`));
    }
    left.length = 0;
    now.length = 0;
  };
  for (const { added, removed, value } of diffArrays(expected, found, { comparator: isSame })) {
    if (removed) {
      left.push(...value);
    } else if (added) {
      now.push(...value);
    } else {
      flush();
      position += value.length;
    }
  }
  flush();
  return problems;
}

function isSame(expected: Output, found: Output): boolean {
  return comparePair(expected, found, "").length === 0;
}

function comparePair(expected: Output | undefined, found: Output | undefined, name: string): string[] {
  if (expected === undefined || found === undefined) {
    return expected
      ? [`${name}, ${kindOf(expected)}, is surplus in the file\n${preview(expected, "-")}`]
      : found
        ? [`${name}, ${kindOf(found)}, is missing in the file\n${preview(found, "+")}`]
        : [];
  }
  if (kindOf(expected) !== kindOf(found)) {
    const change = `${kindOf(expected)} became ${kindOf(found)}`;
    return [`${name}, ${change}\n${preview(expected, "-")}\n${preview(found, "+")}`];
  }
  if (expected.output_type === "stream" || found.output_type === "stream") {
    const [before, now] = [streamText(expected), streamText(found)];
    const difference = differentText(now.search(colours) < 0 ? before.replace(colours, "") : before, now);
    return difference === undefined ? [] : [`${name}, ${kindOf(expected)}\n${difference}`];
  }
  return compareBundles(expected, found).map((difference) => `${name}, ${difference}`);
}

function kindOf(output: Output): string {
  return output.output_type === "stream" ? output.name : output.output_type;
}

function streamText(output: Output): string {
  return output.output_type === "stream" ? textOf(output.text) : "";
}

function preview(output: Output, sign: string): string {
  if (output.output_type === "stream") {
    return excerpt(textOf(output.text), sign);
  }
  return `${sign} ${visible(Object.keys(output.data ?? {}).join(", "))}`;
}
