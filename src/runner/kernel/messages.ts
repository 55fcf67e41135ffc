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

/** One part of a message on the wire. */
export type Frame = Buffer | string;

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
): { id: string; frames: Frame[] } {
  const id = randomUUID();
  const header = {
    msg_id: id,
    msg_type: type,
    session,
    username: "",
    date: new Date().toISOString(),
    version: "5.3",
  };
  const body = [header, {}, {}, content].map((part) => JSON.stringify(part));
  return { id, frames: [delimiter, sign(key, body), ...body] };
}

/**
 * The message that frames hold.
 *
 * @param key the connection's signing key
 * @param frames routing frames, delimiter, signature, header, parent header, metadata, content
 * @returns the message, or undefined if the frames are not a message in JSON signed with this key
 */
export function decode(key: string, frames: Buffer[]): Message | undefined {
  const start = bodyStart(frames);
  const body = frames.slice(start);
  if (start < 2 || body.length < 4 || !isSigned(key, frames[start - 1], body)) {
    return undefined;
  }
  try {
    const [header, parent, , content] = body.map((part) => JSON.parse(part.toString()) as Record<string, unknown>);
    return { type: String(header.msg_type), parentId: parent.msg_id as string | undefined, content };
  } catch {
    return undefined; // a cell may have replaced the kernel's own JSON.stringify
  }
}

/**
 * What the sender of a message needs to know of it.
 *
 * @param frames routing frames, delimiter, signature, header, parent header, metadata, content
 * @returns the message's type, the request it answers, and its content as JSON
 */
export function parts(frames: Frame[]): { type: string; parentId: string; content: string } {
  const [header, parent, , content] = frames.slice(bodyStart(frames)).map(String);
  const { msg_type: type } = JSON.parse(header) as { msg_type: string };
  const { msg_id: parentId = "" } = JSON.parse(parent) as { msg_id?: string };
  return { type, parentId, content };
}

/**
 * The frames of the same message with another content.
 *
 * @param key the connection's signing key
 * @param frames the message's frames
 * @param content its new content
 * @returns new frames, signed
 */
export function replaceContent(key: string, frames: Frame[], content: Record<string, unknown>): Frame[] {
  const start = bodyStart(frames);
  const body = [...frames.slice(start, start + 3), JSON.stringify(content)];
  return [...frames.slice(0, start - 1), sign(key, body), ...body];
}

function bodyStart(frames: Frame[]): number {
  return frames.findIndex((frame) => delimiter.equals(Buffer.from(frame))) + 2;
}

function sign(key: string, body: Frame[]): string {
  const hash = createHmac("sha256", key);
  for (const part of body) {
    hash.update(part);
  }
  return hash.digest("hex");
}

function isSigned(key: string, signature: Buffer, body: Buffer[]): boolean {
  const wanted = Buffer.from(sign(key, body));
  return signature.length === wanted.length && timingSafeEqual(signature, wanted);
}
