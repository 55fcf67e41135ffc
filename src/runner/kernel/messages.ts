/**
 * Jupyter's wire protocol (https://jupyter-client.readthedocs.io/en/stable/messaging.html), version 5.3: a message as
 * signed ZeroMQ frames and back.
 *
 * Written by hand on `zeromq`, which tslab brings anyway: the whole framing is this file, where the one npm package that
 * offers it (enchannel-zmq-backend, with rxjs) is 50 MB and no longer maintained. Binary buffers are left out: tslab
 * sends none.
 */

import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";

const delimiter = Buffer.from("<IDS|MSG>");

/** A message from the kernel. */
export interface Message {
  type: string;
  /** The id of the request that this message answers. */
  parentId: string | undefined;
  content: Record<string, unknown>;
}

/**
 * The frames of a request.
 *
 * @param key the connection's signing key
 * @param session the client's id, the same for all its requests
 * @param type the message type, for example `execute_request`
 * @param content the message's content
 * @returns the frames to send and the request's id
 */
export function encode(
  key: string,
  session: string,
  type: string,
  content: Record<string, unknown>,
): { id: string; frames: (Buffer | string)[] } {
  const id = randomUUID();
  const header = {
    msg_id: id,
    msg_type: type,
    session,
    username: "",
    date: new Date().toISOString(),
    version: "5.3",
  };
  const parts = [header, {}, {}, content].map((part) => JSON.stringify(part));
  return { id, frames: [delimiter, sign(key, parts), ...parts] };
}

/**
 * The message that frames hold.
 *
 * @param key the connection's signing key
 * @param frames routing frames, delimiter, signature, header, parent header, metadata, content
 * @returns the message, or undefined if the frames are not a message signed with this key
 */
export function decode(key: string, frames: Buffer[]): Message | undefined {
  const start = frames.findIndex((frame) => frame.equals(delimiter));
  const [signature, ...parts] = frames.slice(start + 1);
  if (start < 0 || parts.length < 4 || !isSigned(key, signature, parts)) {
    return undefined;
  }
  const header = JSON.parse(parts[0].toString()) as { msg_type: string };
  const parent = JSON.parse(parts[1].toString()) as { msg_id?: string };
  const content = JSON.parse(parts[3].toString()) as Record<string, unknown>;
  return { type: header.msg_type, parentId: parent.msg_id, content };
}

function sign(key: string, parts: (Buffer | string)[]): string {
  const hash = createHmac("sha256", key);
  for (const part of parts) {
    hash.update(part);
  }
  return hash.digest("hex");
}

function isSigned(key: string, signature: Buffer, parts: Buffer[]): boolean {
  const wanted = Buffer.from(sign(key, parts));
  return signature.length === wanted.length && timingSafeEqual(signature, wanted);
}
