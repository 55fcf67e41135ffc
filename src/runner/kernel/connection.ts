/**
 * Where a kernel listens: five free ports on the loopback address, a random key, and the file that tells it so.
 *
 * The file lives in a folder that its owner alone can enter, only until the kernel has answered.
 */

import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import { makePrivateFolder } from "../private-folder.js";

/** The fields of a Jupyter connection file. */
export interface Connection {
  transport: "tcp";
  ip: "127.0.0.1";
  signature_scheme: "hmac-sha256";
  key: string;
  shell_port: number;
  iopub_port: number;
  control_port: number;
  stdin_port: number;
  hb_port: number;
}

/** A connection and the file that holds it. */
export interface ConnectionFile {
  connection: Connection;
  folder: string;
  path: string;
}

/**
 * Makes a connection file for one kernel.
 *
 * @returns the connection, the file and the private folder it is in; whoever asks removes the folder
 */
export async function makeConnectionFile(): Promise<ConnectionFile> {
  const [shell_port, iopub_port, control_port, stdin_port, hb_port] = await freePorts(5);
  const connection: Connection = {
    transport: "tcp",
    ip: "127.0.0.1",
    signature_scheme: "hmac-sha256",
    key: randomBytes(32).toString("hex"),
    shell_port,
    iopub_port,
    control_port,
    stdin_port,
    hb_port,
  };
  const folder = makePrivateFolder();
  const path = join(folder, "connection.json");
  writeFileSync(path, JSON.stringify(connection), { mode: 0o600 });
  return { connection, folder, path };
}

async function freePorts(count: number): Promise<number[]> {
  // All are held at once, so that the system gives different ones.
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function listen(): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}
