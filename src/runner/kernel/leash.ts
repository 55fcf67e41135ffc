/**
 * A thread in the kernel's process that holds the end of a pipe whose other end the runner holds.
 *
 * When the runner goes, however it goes, the system closes the pipe and this thread ends the kernel with all it started.
 * It is a thread of its own because a cell may keep the main one busy for ever.
 */

import { rmSync } from "node:fs";
import { Socket } from "node:net";
import { workerData } from "node:worker_threads";
import { endGroup } from "../processes.js";

/** The kernel's file descriptor of the pipe. */
const leashDescriptor = 3;

const pipe = new Socket({ fd: leashDescriptor, readable: true, writable: false });
const end = () => {
  rmSync((workerData as { folder: string }).folder, { recursive: true, force: true });
  endGroup(process.pid);
};
pipe.on("end", end).on("error", end).resume();
