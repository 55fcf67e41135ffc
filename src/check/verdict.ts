// What a check found, as text and as a picture.

import type { Figure } from "../display/figure.js";
import type { Bundle } from "../display/kernel.js";
import { Showable } from "../display/showable.js";
import { wrap } from "./plain-text.js";

/** What a verdict is made of. */
export interface Finding {
  /** The checker's name. */
  readonly checker: string;
  readonly passed: boolean;
  /** The name of the mistake, if it has one. */
  readonly mistake?: string | undefined;
  /** What happened, in full sentences. */
  readonly says: string;
  /** Further lines: a label and its text. */
  readonly lines: readonly (readonly [label: string, text: string])[];
  /** Draws the picture, where there is something to draw. */
  readonly picture?: (() => Figure | undefined) | undefined;
}

/**
 * What a check found: whether the function passed, and if not, what is wrong with it.
 *
 * As the last expression of a cell it shows its text and a picture.
 *
 * @example
 * const verdict = checkSplitHeads((x, nHeads) => x.reshape(2, nHeads, 5, 12 / nHeads));
 * verdict.passed; // false
 * verdict.mistake; // "no transpose"
 */
export class Verdict extends Showable {
  /** Whether the function did everything right. */
  readonly passed: boolean;
  /** The name of the mistake; undefined if there is none, or none that has a name. */
  readonly mistake: string | undefined;

  readonly #text: string;
  readonly #draw: (() => Figure | undefined) | undefined;
  #picture: Figure | undefined;

  constructor({ checker, passed, mistake, says, lines, picture }: Finding) {
    super();
    this.passed = passed;
    this.mistake = mistake;
    const head = passed ? "passed" : `not passed${mistake === undefined ? "" : `: ${mistake}`}`;
    const width = 2 + Math.max(...lines.map(([label]) => label.length));
    this.#text = [
      ...wrap(`${checker}: ${head}`),
      ...wrap(says),
      ...lines.flatMap(([label, text]) => wrap(label.padEnd(width) + text, width)),
    ].join("\n");
    this.#draw = picture;
  }

  /** The verdict as a few lines of plain text. */
  override toString(): string {
    return this.#text;
  }

  /** The learner's result beside the right one; undefined where there is nothing to draw. */
  get picture(): Figure | undefined {
    this.#picture ??= this.#draw?.();
    return this.#picture;
  }

  override toBundle(): Bundle {
    return { ...this.picture?.toBundle(), "text/plain": this.#text };
  }

  /** Shows the text and the picture from anywhere in a cell; where there is no notebook, the text. */
  override show(): void {
    console.log(this);
  }
}
