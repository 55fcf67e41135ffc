// stepFigures: the whole computation of multi-head attention as pictures, one a step, from x to the output.
//
// Each picture says what multiplies what, with the shape under every block. A head keeps its colour from its columns of wQ to
// its columns of the merged heads and its rows of wO. The arrays are shown as they are given; nothing is computed again.

import type { Figure } from "../display/figure.js";
import { showingEach } from "../display/showable.js";
import { batchMenu } from "./batch-menu.js";
import {
  type CellSize,
  cellCount,
  drawEquations,
  type Equation,
  equationScales,
  equationsReach,
  equationsThatFit,
  fitCells,
  toldOf,
} from "./equation.js";
import { textWidth } from "./labels.js";
import { checkOptions, chosenIndex, chosenIndices } from "./options.js";
import { softInk } from "./palette.js";
import { drawShades, shadesInWords } from "./shades.js";
import { Sheet, titleRoom, toolBar, updatesTo, withoutHover } from "./sheet.js";
import { readSteps, type StepArrays } from "./step-arrays.js";
import { columnsBeside, most, type Picture, type Story, tellSteps } from "./step-pictures.js";
import { readTokens, type Tokens } from "./weights.js";
import { leftOutOf } from "./words.js";

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
/** The most heads that stand side by side, and the most that any step shows. */
const mostHeads = 8;
/** The most cells of all batches together, and those of them that Plotly's JSON has as well. */
const mostInMenu = 16_000;
const mostInJson = 400;

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
 * // As the last line of a cell it shows all nine. The names are written twice: tslab finds a variable of an earlier cell only so.
 * stepFigures({ ...steps, x: x, wQ: wQ, wK: wK, wV: wV, wO: wO }, { head: 0 });
 */
export function stepFigures(steps: StepArrays, options: StepFiguresOptions = {}): Figure[] {
  const given = readSteps(action, steps);
  const { B, H, T, D, d } = given.sizes;
  checkOptions(action, options, ["batch", "head", "tokens"]);
  const batches = chosenIndices(action, "batch", options.batch, "B", B);
  const heads =
    options.head === undefined
      ? Array.from({ length: H }, (_, head) => head)
      : [chosenIndex(action, "head", options.head, "H", H)];
  const tokens = options.tokens === undefined ? undefined : readTokens(action, options.tokens, [B, T, T]).queries;
  const story: Story = { given, heads: heads.slice(0, mostHeads), only: options.head !== undefined, tokens };
  // What one step has no room for, no step shows: the pictures tell of the same heads and batches.
  const fitting = tellSteps(story, batches[0]).map(({ equations, ...step }) =>
    equations[0].head === undefined ? mostHeads : equationsThatFit(equations, cellOf({ equations, ...step })),
  );
  const told = { ...story, heads: story.heads.slice(0, Math.min(...fitting)) };
  const pictures = tellSteps(told, batches[0]);
  const shown = batches.slice(0, Math.max(1, Math.floor(mostInMenu / Math.max(...pictures.map(changing)))));
  const beside = columnsBeside(told.heads.length);
  const leftOut = ({ byHead }: Picture): string => {
    const parts = [
      ...(byHead === true && told.heads.length < heads.length
        ? [leftOutOf("head", heads.slice(told.heads.length), "head")]
        : []),
      ...(shown.length < batches.length ? [leftOutOf("batch", batches.slice(shown.length), "batch")] : []),
      ...(T > most.T ? [`tokens from ${most.T} on`] : []),
      ...(D > most.D ? [`columns from ${most.D} on`] : []),
      ...(byHead === true && Math.min(d, most.D) > beside ? [`columns from ${beside} on in each head`] : []),
    ];
    return parts.length === 0 ? "" : `Left out: ${parts.join("; ")}.`;
  };
  return showingEach(
    pictures.map((picture, step) => draw(told, shown, { step, steps: pictures.length, note: leftOut(picture) })),
  );
}

function cellOf({ equations, numbers }: Picture): CellSize {
  return fitCells(
    equations,
    numbers.map(({ data }) => data),
  );
}

/** How many cells of a step differ from batch to batch: all but those of the matrices. */
function changing({ equations }: Picture): number {
  return cellCount(equations, ({ shared }) => shared !== true);
}

function draw(
  story: Story,
  batches: readonly number[],
  { step, steps, note }: { readonly step: number; readonly steps: number; readonly note: string },
): Figure {
  const { given } = story;
  const first = tellSteps(story, batches[0])[step];
  const cell = cellOf(first);
  const told = toldOf(cellCount(first.equations), batches.length);
  const batchName = given.sizes.B === 1 ? "" : `, batch ${batches[0]}`;
  const title = `Step ${step + 1} of ${steps}: ${first.title}`;
  const missing = first.equations.some(({ terms }) =>
    terms.some((term) => typeof term !== "string" && term.value === undefined),
  );
  const reasons = [
    first.reason,
    ...(cell.printed ? [] : [shadesInWords]),
    ...(told === "not" ? ["With one batch or head chosen, a smaller figure tells its numbers on hover."] : []),
    ...(missing ? ["Put x and the matrices beside the steps to see their numbers."] : []),
  ].join(" ");
  const heading = `${title}${batches.length === 1 ? batchName : ""}`;
  const menuLeft = 28 + textWidth(heading, 16);
  const reach = Math.max(equationsReach(first.equations, cell) - 16, titleRoom(heading) - 32);
  const room = Math.max(560, reach, batches.length > 1 ? menuLeft + 100 + toolBar - 32 : 0);

  const sheets = batches.map((batch) => {
    const sheet = new Sheet();
    const { equations } = tellSteps(story, batch)[step];
    sheet.write(heading, 16, 21, { size: 16 });
    const under = sheet.paragraph(reasons, 16, 48, room, { color: softInk });
    if (!cell.printed) drawShades(sheet, story.heads[0], 16, under - 6);
    const end = drawEquations(sheet, equations, under + (cell.printed ? 6 : 20), cell, told);
    const bottom = note === "" ? end.bottom : sheet.paragraph(note, 16, end.bottom + 14, room, { color: softInk });
    return { sheet, height: Math.round(bottom + 8) };
  });
  const [{ sheet, height }] = sheets;
  const width = Math.round(room + 32);
  const updates = updatesTo(sheets.map((one) => one.sheet));
  const choices = batches.map((batch, at) => ({ batch, args: updates[at] }));
  const alt = `${title}${batchName}. ${words(first.equations)} ${first.reason}${note === "" ? "" : ` ${note}`}`;
  const heavy = changing(first) * batches.length > mostInJson;
  const choice = batchMenu(choices, { left: menuLeft, top: 4, width, height }, heavy);
  return sheet.toFigure(width, height, alt, {
    ...equationScales(first.equations),
    dataInJson: told === "roughly" ? sheet.data.map(withoutHover) : undefined,
    ...(batches.length > 1 ? { updatemenus: [choice.menu], menusInJson: [choice.inJson] } : {}),
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
