/** The client's end of a kernel's sockets: requests out on `shell`, replies and published messages in. */

import { randomUUID } from "node:crypto";
import { Dealer, Subscriber } from "zeromq";
import type { Connection } from "./connection.js";
import { decode, encode, type Message } from "./messages.js";

/** Connected sockets. Messages with a wrong signature never reach the listener. */
export class Channel {
  readonly #key: string;
  readonly #session = randomUUID();
  // Nothing is kept back on close: the kernel may be gone.
  readonly #shell = new Dealer({ linger: 0 });
  readonly #published = new Subscriber({ linger: 0, receiveHighWaterMark: 0 });
  #sending: Promise<unknown> = Promise.resolve();

  /**
   * @param connection where the kernel listens, or soon will
   * @param listener called with each message, replies and published ones alike, in the order of their arrival
   */
  constructor(connection: Connection, listener: (message: Message) => void) {
    this.#key = connection.key;
    this.#shell.connect(`tcp://${connection.ip}:${connection.shell_port}`);
    this.#published.connect(`tcp://${connection.ip}:${connection.iopub_port}`);
    this.#published.subscribe();
    for (const socket of [this.#shell, this.#published]) {
      void this.#listen(socket, listener);
    }
  }

  /**
   * Sends a request.
   *
   * @param type the message type
   * @param content the message's content
   * @returns the request's id, which its answers carry as `parentId`
   */
  send(type: string, content: Record<string, unknown>): string {
    const { id, frames } = encode(this.#key, this.#session, type, content);
    // A socket takes one message at a time; a closed one takes none.
    this.#sending = this.#sending.then(() => this.#shell.send(frames)).catch(() => {});
    return id;
  }

  close(): void {
    this.#shell.close();
    this.#published.close();
  }

  async #listen(socket: Dealer | Subscriber, listener: (message: Message) => void): Promise<void> {
    for await (const frames of socket) {
      const message = decode(this.#key, frames);
      if (message) {
        listener(message);
      }
    }
  }
}
