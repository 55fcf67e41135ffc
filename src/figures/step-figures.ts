// stepFigures: the whole computation of multi-head attention as pictures, one a step, from x to the output.
//
// Each picture says what multiplies what, with the shape under every block. A head keeps its colour from its columns of wQ to
// its columns of the merged heads and its rows of wO. The arrays are shown as they are given; nothing is computed again.

import type { Figure } from "../display/figure.js";
import { showingEach } from "../display/showable.js";
import {
  cellCount,
  drawEquations,
  type Equation,
  equationScales,
  equationsReach,
  equationsThatFit,
  fitCells,
} from "./equation.js";
import { softInk } from "./palette.js";
import { menu, restyleTo, Sheet } from "./sheet.js";
import { readSteps, type StepArrays } from "./step-arrays.js";
import { most, type Story, tellSteps } from "./step-pictures.js";
import { chosenIndices, readTokens, span, type Tokens } from "./weights.js";

/** What `stepFigures` may be told. */
export interface StepFiguresOptions {
  /** The batch to show, or several to choose from; all of them when not given. */
  readonly batch?: number | readonly number[];
  /** The one head to follow; all of them when not given. */
  readonly head?: number;
  /** The words beside the rows. */
  readonly tokens?: Tokens;
}

const action = "draw the steps";
const tallest = 700;
/** The most cells that one figure holds, all batches together. */
const mostCells = 1100;

/**
 * The steps of multi-head attention as figures: q, k, v, the split, scores, weights, head outputs, merge, output.
 *
 * @param steps what `attentionSteps` returns; with x, wQ, wK, wV and wO beside it their numbers are shown as well
 * @param options `batch` and `head` to show, `tokens` for the rows
 * @returns nine figures, in the order of the computation
 * @throws ValueError if an array's shape does not fit the others', or batch or head is out of range
 * @throws TypeError if an array is missing or is not an array of numbers
 * @example
 * const steps = attentionSteps(x, wQ, wK, wV, wO, 2);
 * stepFigures({ ...steps, x, wQ, wK, wV, wO }, { head: 0 }); // as the last line of a cell it shows all nine
 */
export function stepFigures(steps: StepArrays, options: StepFiguresOptions = {}): Figure[] {
  const given = readSteps(action, steps);
  const { B, H, T } = given.sizes;
  const batches = chosenIndices(action, "batch", options.batch, "B", B);
  const heads = chosenIndices(action, "head", options.head, "H", H);
  const tokens = options.tokens === undefined ? undefined : readTokens(action, options.tokens, [B, T, T]).queries;
  const story = { given, heads, only: options.head !== undefined, tokens };
  const pictures = tellSteps(story, batches[0]);
  return showingEach(pictures.map((_, step) => draw(story, batches, step, pictures.length)));
}

function draw(story: Story, batches: readonly number[], step: number, steps: number): Figure {
  const { given, heads, tokens } = story;
  const { B, T, D } = given.sizes;
  const first = tellSteps(story, batches[0])[step];
  const cell = fitCells(
    first.equations,
    first.numbers.map(({ data }) => data),
  );
  const fitting = equationsThatFit(first.equations, cell, tallest);
  const cells = first.equations.slice(0, fitting).reduce((sum, equation) => sum + cellCount(equation), 0);
  const shown = batches.slice(0, Math.max(1, Math.floor(mostCells / cells)));

  const leftOut = [
    ...(fitting < first.equations.length ? [`heads ${span(heads.slice(fitting))} (choose with head)`] : []),
    ...(first.leftOut ?? []),
    ...(shown.length < batches.length ? [`batches ${span(batches.slice(shown.length))} (choose with batch)`] : []),
    ...(T > most.T ? [`tokens from ${most.T} on`] : []),
    ...(D > most.D ? [`columns from ${most.D} on`] : []),
  ];
  const note = leftOut.length === 0 ? "" : `Left out: ${leftOut.join("; ")}.`;
  const batchName = B === 1 ? "" : `, batch ${batches[0]}`;
  const title = `Step ${step + 1} of ${steps}: ${first.title}`;
  const missing = first.equations.some(({ terms }) =>
    terms.some((term) => typeof term !== "string" && term.value === undefined),
  );
  const reasons = [
    first.reason,
    ...(cell.printed ? [] : ["The darker a cell, the farther its number from 0."]),
    ...(missing ? ["Put x and the matrices beside the steps to see their numbers."] : []),
  ].join(" ");

  const sheets = shown.map((batch) => {
    const sheet = new Sheet();
    const { equations } = tellSteps(story, batch)[step];
    const room = Math.max(560, equationsReach(equations.slice(0, fitting), cell) - 16);
    sheet.write(`${title}${shown.length === 1 ? batchName : ""}`, 16, 21, { size: 16 });
    const under = sheet.paragraph(reasons, 16, 48, room, { color: softInk });
    const end = drawEquations(sheet, equations.slice(0, fitting), under + 6, cell);
    const bottom = note === "" ? end.bottom : sheet.paragraph(note, 16, end.bottom + 14, room, { color: softInk });
    return { sheet, width: Math.round(room + 32), height: Math.round(bottom + 8) };
  });
  const [{ sheet, width, height }] = sheets;
  const buttons = sheets.map((one, at) => ({
    label: `batch ${shown[at]}`,
    method: "update",
    args: [
      restyleTo(one.sheet.data),
      tokens === undefined
        ? {}
        : Object.fromEntries(one.sheet.annotations.map(({ text }, k) => [`annotations[${k}].text`, text])),
    ],
  }));
  const alt = `${title}${batchName}. ${words(first.equations)} ${first.reason}${note === "" ? "" : ` ${note}`}`;
  return sheet.toFigure(width, height, alt, {
    ...equationScales,
    ...(shown.length > 1 ? { updatemenus: [menu(buttons, { left: width - 170, top: 4, width, height })] } : {}),
  });
}

/** The first equation in shapes: "x (3, 4) @ wQ (4, 4) = q (3, 4)." */
function words(equations: readonly Equation[]): string {
  const [{ terms, head }] = equations;
  const said = terms.map((term, at) => {
    if (typeof term === "string") return term;
    const listed = typeof terms[at + 1] === "object" ? "," : "";
    return `${term.name} ${term.shape.replace(/^.* = /, "")}${listed}`;
  });
  const whose = head === undefined ? "" : `For head ${head}: `;
  return `${whose}${said.join(" ")}${equations.length > 1 && head !== undefined ? ", and so for each head" : ""}.`;
}
