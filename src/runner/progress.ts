/** What runs now, told on stderr: one line rewritten in place on a terminal, a line for each cell elsewhere. */

import { firstLine } from "./terminal.js";

/** Tells of notebooks that may run side by side. */
export class Progress {
  readonly #out: NodeJS.WriteStream;
  readonly #now = new Map<string, string>();

  /** @param out where to write */
  constructor(out: NodeJS.WriteStream) {
    this.#out = out;
  }

  /** Tells that a cell starts. */
  cell(path: string, number: number, count: number, seconds: number): void {
    this.#tell(path, `${firstLine(path, 200)}: cell ${number} of ${count}, ${seconds.toFixed(1)} s`);
  }

  /** Ends the telling of a notebook, and lets `print` write without the line in its way. */
  done(path: string, print: () => void): void {
    this.#now.delete(path);
    this.#clear();
    print();
    this.#draw();
  }

  #clear(): void {
    if (this.#out.isTTY) {
      this.#out.write("\r\u001b[K");
    }
  }

  #tell(path: string, line: string): void {
    this.#now.set(path, line);
    if (this.#out.isTTY) {
      this.#draw();
    } else {
      this.#out.write(`${line}\n`);
    }
  }

  #draw(): void {
    if (this.#out.isTTY && this.#now.size > 0) {
      this.#clear();
      this.#out.write(firstLine([...this.#now.values()].join("  |  "), (this.#out.columns || 80) - 1));
    }
  }
}
