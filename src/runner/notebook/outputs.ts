/**
 * The outputs of one run, collected message by message as Jupyter would show them.
 *
 * Neighbouring texts of one stream become one output; an update of a display changes every output that shows it. What a
 * cell may hold is bounded, so that a cell that prints for ever cannot fill the memory or the file.
 */

import type { Message } from "../kernel/messages.js";
import type { Bundle, DisplayOutput, Json, Output } from "./format.js";

/** The most that one cell may hold. */
export const limits = { textCharacters: 1_000_000, richCharacters: 50_000_000 } as const;

interface Display {
  output: DisplayOutput;
  size: number;
  cell: CellOutputs;
}

/** The displays of a notebook that later messages may update, by their id. */
export type Displays = Map<string, Display[]>;

export class CellOutputs {
  readonly outputs: Output[] = [];
  readonly #displays: Displays;
  #textLength = 0;
  #richLength = 0;
  #cutCharacters = 0;
  #cutLines = 0;
  #errors: string[] = [];
  #stream: { name: string; pieces: string[] } | undefined;

  /** @param displays the displays of the whole notebook */
  constructor(displays: Displays) {
    this.#displays = displays;
  }

  /** Takes one message of the kernel into account. */
  add({ type, content }: Message): void {
    if (type === "stream") {
      this.#addText(String(content.name), String(content.text));
    } else if (type === "display_data") {
      this.#addDisplay(content);
    } else if (type === "update_display_data") {
      this.#update(content);
    }
  }

  /** @returns the outputs, once no more messages come */
  finish(): Output[] {
    this.#endStream();
    if (this.#cutCharacters > 0) {
      const text = `\n[output cut here: ${grouped(this.#cutLines)} more lines, ${grouped(this.#cutCharacters)} more characters]\n`;
      this.outputs.push({ output_type: "stream", name: "stderr", text });
    }
    return this.outputs;
  }

  /** @returns the last lines that the cell wrote to stderr, which is where tslab prints errors */
  get lastErrorText(): string {
    return this.#errors.join("");
  }

  #addText(name: string, text: string): void {
    if (name === "stderr") {
      this.#errors.push(text);
      if (this.#errors.length > 200) {
        this.#errors = [this.#errors.join("").slice(-20_000)];
      }
    }
    const room = limits.textCharacters - this.#textLength;
    // Never cut between the two halves of one character.
    const kept = text.length <= room ? text : text.slice(0, room).replace(/[\ud800-\udbff]$/, "");
    this.#textLength += Math.min(text.length, room);
    if (kept.length < text.length) {
      const cut = text.slice(kept.length);
      this.#cutCharacters += cut.length;
      this.#cutLines += cut.split("\n").length - 1;
    }
    if (kept === "") {
      return;
    }
    if (this.#stream?.name !== name) {
      this.#endStream();
      this.#stream = { name, pieces: [] };
    }
    this.#stream?.pieces.push(kept);
  }

  #endStream(): void {
    if (this.#stream) {
      this.outputs.push({ output_type: "stream", name: this.#stream.name, text: this.#stream.pieces.join("") });
      this.#stream = undefined;
    }
  }

  #addDisplay(content: Record<string, unknown>): void {
    this.#endStream();
    const output: DisplayOutput = { output_type: "display_data", data: {}, metadata: {} };
    const display: Display = { output, size: 0, cell: this };
    this.#fill(display, content);
    this.outputs.push(output);
    const id = (content.transient as { display_id?: unknown } | undefined)?.display_id;
    if (typeof id === "string") {
      this.#displays.set(id, [...(this.#displays.get(id) ?? []), display]);
    }
  }

  #update(content: Record<string, unknown>): void {
    const id = (content.transient as { display_id?: unknown } | undefined)?.display_id;
    for (const display of this.#displays.get(String(id)) ?? []) {
      display.cell.#fill(display, content);
    }
  }

  #fill(display: Display, content: Record<string, unknown>): void {
    const data = (content.data ?? {}) as Bundle;
    const size = sizeOf(data);
    this.#richLength += size - display.size;
    display.size = size;
    const fits = this.#richLength <= limits.richCharacters;
    if (!fits) {
      this.#richLength -= size;
      display.size = 0;
    }
    display.output.data = fits ? data : { "text/plain": leftOut(data, size) };
    display.output.metadata = fits ? ((content.metadata ?? {}) as Record<string, Json>) : {};
  }
}

function sizeOf(data: Bundle): number {
  return Object.values(data).reduce<number>(
    (sum, item) => sum + (typeof item === "string" ? item.length : JSON.stringify(item).length),
    0,
  );
}

function leftOut(data: Bundle, size: number): string {
  return `[output of ${grouped(size)} characters left out: ${Object.keys(data).join(", ")}; a cell may hold ${grouped(limits.richCharacters)}]`;
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
