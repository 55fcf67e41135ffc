/**
 * The outputs of one run, collected message by message as Jupyter would show them.
 *
 * Neighbouring texts of one stream become one output; an update of a display changes every output that shows it.
 */

import type { Message } from "../kernel/messages.js";
import type { Bundle, DisplayOutput, Json, Output } from "./format.js";

/** The displays of a notebook that later messages may update, by their id. */
export type Displays = Map<string, DisplayOutput[]>;

/** The outputs of one cell. */
export class CellOutputs {
  readonly #outputs: Output[] = [];
  readonly #displays: Displays;
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
      for (const output of this.#displays.get(String(displayId(content))) ?? []) {
        fill(output, content);
      }
    }
  }

  /** @returns the outputs so far */
  get outputs(): Output[] {
    this.#endStream();
    return this.#outputs;
  }

  #addText(name: string, text: string): void {
    if (this.#stream?.name !== name) {
      this.#endStream();
      this.#stream = { name, pieces: [] };
    }
    this.#stream?.pieces.push(text);
  }

  #endStream(): void {
    if (this.#stream) {
      this.#outputs.push({ output_type: "stream", name: this.#stream.name, text: this.#stream.pieces.join("") });
      this.#stream = undefined;
    }
  }

  #addDisplay(content: Record<string, unknown>): void {
    this.#endStream();
    const output: DisplayOutput = { output_type: "display_data", data: {}, metadata: {} };
    fill(output, content);
    this.#outputs.push(output);
    const id = displayId(content);
    if (id !== undefined) {
      this.#displays.set(id, [...(this.#displays.get(id) ?? []), output]);
    }
  }
}

function displayId(content: Record<string, unknown>): string | undefined {
  return (content.transient as { display_id?: string } | undefined)?.display_id;
}

function fill(output: DisplayOutput, content: Record<string, unknown>): void {
  output.data = (content.data ?? {}) as Bundle;
  output.metadata = (content.metadata ?? {}) as Record<string, Json>;
}
