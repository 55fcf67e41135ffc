// What it takes to show oneself in a notebook: a bundle of MIME types, and one line of text.
//
// The last expression of a cell is printed with console.log, which asks an object for its own form and waits for the answer.
// So a Showable sends its bundle there and then, and returns its line of text. Only at the top level: inside another object
// (`console.log({ figure })`, an error's cause) the line of text is all.

import { inspect } from "node:util";
import { type Bundle, send } from "./kernel.js";

/** An object that shows itself: as the last expression of a cell, by `show()`, and as a line of text elsewhere. */
export abstract class Showable {
  /** The object in every form a viewer may want: MIME type to content. */
  abstract toBundle(): Bundle;

  /** The object as one line of text. */
  abstract toString(): string;

  /** Shows the object from anywhere in a cell; prints its line of text where there is no notebook. */
  show(): void {
    if (!send(() => this.toBundle())) console.log(this.toString());
  }

  static {
    // Not declared as a method: the type of a notebook's figure needs nothing of Node's.
    Object.defineProperty(Showable.prototype, inspect.custom, {
      value(this: Showable, depth: number, options: { depth: number }): string {
        if (depth === options.depth) send(() => this.toBundle());
        return this.toString();
      },
    });
  }
}

/** `items` as a list that shows each of them where it is the last expression of a cell; Node's own lists show text alone. */
export function showingEach<T extends Showable>(items: T[]): T[] {
  return Object.defineProperty(items, inspect.custom, {
    value(depth: number, options: { depth: number }): string {
      if (depth === options.depth) for (const item of items) send(() => item.toBundle());
      return items.map(String).join("\n");
    },
  });
}

/**
 * Shows values from anywhere in a cell: figures and verdicts as themselves, strings as they are, all else as Node prints it.
 *
 * @param values - What to show, in order.
 * @example show("Head 0", weights.at(0, 0)); // prints the string, then the array
 */
export function show(...values: unknown[]): void {
  for (const value of values) {
    if (value instanceof Showable) value.show();
    else console.log(value);
  }
}
