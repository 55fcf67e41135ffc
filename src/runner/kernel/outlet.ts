/**
 * What a kernel publishes, bounded: a cell that prints for ever, or shows tens of megabytes, fills neither the memory nor
 * the notebook. What is cut is counted, and the count is told where the cut is.
 *
 * It works in the kernel's process, before anything is sent: on the other side it would be too late for the memory.
 */

import { type Frame, parts, replaceContent } from "./messages.js";

/** The most that one cell may publish. */
export const limits = { textCharacters: 1_000_000, prints: 100_000, richCharacters: 20_000_000 } as const;

/** Passes messages on, up to what their cell may publish. */
export class Outlet {
  readonly #key: string;
  readonly #send: (frames: Frame[]) => unknown;
  #cell = "";
  #textCharacters = 0;
  #prints = 0;
  #richCharacters = 0;
  #cut: { frames: Frame[]; name: string; lines: number; characters: number } | undefined;

  /**
   * @param key the connection's signing key
   * @param send sends the frames of one message at once
   */
  constructor(key: string, send: (frames: Frame[]) => unknown) {
    this.#key = key;
    this.#send = send;
  }

  /** Sends a message, or what is left of it. */
  publish(frames: Frame[]): void {
    const { type, parentId, content } = parts(frames);
    if (type === "status") {
      this.#tellCut();
      this.#send(frames);
      return;
    }
    if (parentId !== this.#cell) {
      this.#tellCut();
      this.#cell = parentId;
      this.#textCharacters = 0;
      this.#prints = 0;
      this.#richCharacters = 0;
    }
    if (type === "stream") {
      this.#publishText(frames, JSON.parse(content) as { name: string; text: string });
    } else {
      this.#publishRich(frames, content);
    }
  }

  #publishText(frames: Frame[], { name, text }: { name: string; text: string }): void {
    this.#prints++;
    const room = this.#prints > limits.prints ? 0 : limits.textCharacters - this.#textCharacters;
    if (text.length <= room) {
      this.#textCharacters += text.length;
      this.#send(frames);
      return;
    }
    // Nothing after the cut, so that no later text seems to follow; never between the two halves of one character.
    const kept = text.slice(0, room).replace(/[\ud800-\udbff]$/, "");
    this.#textCharacters = limits.textCharacters;
    if (kept !== "") {
      this.#send(replaceContent(this.#key, frames, { name, text: kept }));
    }
    this.#cut ??= { frames, name, lines: 0, characters: 0 };
    this.#cut.lines += text.slice(kept.length).split("\n").length - 1;
    this.#cut.characters += text.length - kept.length;
  }

  #tellCut(): void {
    if (this.#cut) {
      const { frames, name, lines, characters } = this.#cut;
      const text = `\n[output cut here: ${grouped(lines)} more lines, ${grouped(characters)} more characters]\n`;
      this.#send(replaceContent(this.#key, frames, { name, text }));
      this.#cut = undefined;
    }
  }

  #publishRich(frames: Frame[], content: string): void {
    if (this.#richCharacters + content.length <= limits.richCharacters) {
      this.#richCharacters += content.length;
      this.#send(frames);
      return;
    }
    const { data, transient } = JSON.parse(content) as { data?: object; transient?: object };
    const types = Object.keys(data ?? {}).join(", ");
    const text = `[${types}: ${grouped(content.length)} characters left out; a cell may show ${grouped(limits.richCharacters)}]`;
    this.#send(replaceContent(this.#key, frames, { data: { "text/plain": text }, metadata: {}, transient }));
  }
}

function grouped(count: number): string {
  return count.toLocaleString("en-US");
}
