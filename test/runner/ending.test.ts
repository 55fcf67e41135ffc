import { type ChildProcess, execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { isAlive } from "../../src/runner/processes.js";
import { mapSideBySide } from "../../src/runner/side-by-side.js";
import { leftBy, makeFolder, startCommand, tslabAttention, until, writeNotebook } from "./command.js";

/** A notebook whose cells keep the kernel busy, start a child, and say that they run. */
function makeBusy(folder: string): { path: string; before: string; child: () => number | undefined } {
  const path = writeNotebook(
    folder,
    "busy.ipynb",
    [
      `const { spawn } = require("node:child_process");
const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
require("node:fs").writeFileSync("child", String(child.pid));`,
      "const end = Date.now() + 1000; while (Date.now() < end) {}",
      "await new Promise((resolve) => setTimeout(resolve, 500))",
      'require("node:fs").writeFileSync("last", ""); "x".repeat(1000)',
    ],
    "jslab",
  );
  const before = readFileSync(path, "utf8");
  return {
    path,
    before,
    child: () => (existsSync(join(folder, "child")) ? Number(readFileSync(join(folder, "child"), "utf8")) : undefined),
  };
}

const folders = (runner: number) =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`tslab-attention-${runner}-`));

function pidOf(child: ChildProcess): number {
  expect(child.pid).toBeDefined();
  return child.pid ?? 0;
}

describe.skipIf(process.platform === "win32")("a runner that is ended", () => {
  test("Ctrl-C and its kin: exit code 128 + signal, kernel and children gone, the file as it was", async () => {
    for (const [signal, code] of [
      ["SIGINT", 130],
      ["SIGTERM", 143],
      ["SIGHUP", 129],
    ] as const) {
      const folder = makeFolder();
      const busy = makeBusy(folder);
      const { child, done } = startCommand(["run", busy.path]);
      await until("the first cell has run", () => Boolean(busy.child()));
      child.kill(signal);
      expect((await done).code).toBe(code);
      const runner = pidOf(child);
      await until("nothing is left", () => leftBy(runner).length === 0 && !isAlive(busy.child() ?? 0));
      expect(folders(runner)).toEqual([]);
      expect(readFileSync(busy.path, "utf8")).toBe(busy.before);
    }
  });

  test("killed at any moment: the notebook is whole and no process is left, each time", async () => {
    const whole = makeFolder();
    const finished = makeBusy(whole);
    await tslabAttention(["run", finished.path]);
    const after = readFileSync(finished.path, "utf8");
    const found = new Set<string>();
    const runners: number[] = [];
    // From before the kernel's start to after the notebook's end.
    const moments = Array.from({ length: 24 }, (_, moment) => moment);
    const killAt = async (moment: number) => {
      const folder = makeFolder();
      const busy = makeBusy(folder);
      const { child, done } = startCommand(["run", busy.path]);
      const timer = setTimeout(() => child.kill("SIGKILL"), 40 + moment * 150);
      await done;
      clearTimeout(timer);
      const runner = pidOf(child);
      runners.push(runner);
      await until("nothing is left", () => leftBy(runner).length === 0 && !isAlive(busy.child() ?? 2 ** 22 + 1));
      const text = readFileSync(busy.path, "utf8");
      expect([busy.before, after]).toContain(text);
      found.add(text === after ? "after" : "before");
      if (existsSync(join(folder, "child"))) {
        expect(folders(runner)).toEqual([]);
      }
    };
    await mapSideBySide(moments, 2, killAt, () => {});
    expect([...found]).toContain("before");
    // A runner killed before its kernel could watch it leaves its private folder to the next run.
    await tslabAttention(["run", finished.path]);
    expect(runners.flatMap(folders)).toEqual([]);
  }, 240_000);

  test("a reader that leaves early ends the run quietly", async () => {
    const folder = makeFolder();
    const path = writeNotebook(folder, "a.ipynb", ["1"], "jslab");
    const { child, done } = startCommand(["run", path, join(folder, "missing.ipynb")]);
    child.stderr?.destroy();
    const { code } = await done;
    expect(code).toBe(141);
    await until("nothing is left", () => leftBy(pidOf(child)).length === 0);
  });

  test("killed while a cell never yields: the kernel ends all the same", async () => {
    const folder = makeFolder();
    const path = writeNotebook(
      folder,
      "loop.ipynb",
      ['require("node:fs").writeFileSync("on", ""); while (true) {}'],
      "jslab",
    );
    const { child, done } = startCommand(["run", path]);
    await until("the loop runs", () => existsSync(join(folder, "on")));
    child.kill("SIGKILL");
    await done;
    await until("the kernel is gone", () => leftBy(pidOf(child)).length === 0);
  });

  test("the connection file is its owner's alone, its address the loopback's, and gone once the kernel answers", async () => {
    const folder = makeFolder();
    const path = writeNotebook(
      folder,
      "a.ipynb",
      ["await new Promise((resolve) => setTimeout(resolve, 300))"],
      "jslab",
    );
    const { child, done } = startCommand(["run", path]);
    const runner = pidOf(child);
    let seen: { mode: number; folderMode: number; ip: string; key: string } | undefined;
    await until("the connection file has come and gone", () => {
      const [name] = folders(runner);
      if (name !== undefined && seen === undefined) {
        const file = join(tmpdir(), name, "connection.json");
        try {
          const { ip, key } = JSON.parse(readFileSync(file, "utf8"));
          seen = {
            mode: statSync(file).mode & 0o777,
            folderMode: statSync(join(tmpdir(), name)).mode & 0o777,
            ip,
            key,
          };
        } catch {
          // It is being written, or gone again.
        }
      }
      return seen !== undefined && name === undefined;
    });
    expect(seen).toMatchObject({ mode: 0o600, folderMode: 0o700, ip: "127.0.0.1" });
    expect(seen?.key).toMatch(/^[0-9a-f]{64}$/);
    expect((await done).code).toBe(0);
    expect(leftBy(runner)).toEqual([]);
  });
});

describe("two runs at once on one notebook", () => {
  test("both end, and the file is whole", async () => {
    const folder = makeFolder();
    const path = writeNotebook(folder, "shared.ipynb", ["[1, 2, 3]", "Math.sqrt(2)"], "jslab");
    const results = await Promise.all([tslabAttention(["run", path]), tslabAttention(["run", path])]);
    expect(results.map(({ code }) => code)).toEqual([0, 0]);
    expect((await tslabAttention(["run", "--check", path])).code).toBe(0);
    expect(readdirSync(folder)).toEqual(["shared.ipynb"]);
  });

  test("one is refused if their results differ", async () => {
    const folder = makeFolder();
    // The run that comes first waits until the other one has written, so that the two overlap on any machine.
    const source = `const fs = require("node:fs");
      const before = fs.readFileSync("shared.ipynb", "utf8");
      let isFirst = true;
      try { fs.writeFileSync("first", "", { flag: "wx" }); } catch { isFirst = false; }
      const sleep = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
      for (let n = 0; isFirst && n < 800 && fs.readFileSync("shared.ipynb", "utf8") === before; n++) sleep();
      process.pid`;
    const path = writeNotebook(folder, "shared.ipynb", [source], "jslab");
    const results = await Promise.all([tslabAttention(["run", path]), tslabAttention(["run", path])]);
    expect(results.map(({ code }) => code).sort()).toEqual([0, 2]);
    expect(results.map(({ stderr }) => stderr).join("")).toContain("it was changed by someone else during the run");
    expect(() => JSON.parse(readFileSync(path, "utf8"))).not.toThrow();
  });
});

/** Whether this system lets a test mount a small disk of its own. */
const canMount = (() => {
  try {
    execFileSync("unshare", ["--user", "--map-root-user", "--mount", "mount", "-t", "tmpfs", "none", "/mnt"], {
      stdio: "ignore",
    });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!canMount)("a disk that is full or read-only", () => {
  const onDisk = (folder: string, mount: string, command: string): string => {
    const main = join(__dirname, "../../dist/runner/main.js");
    const script = `mount -t tmpfs -o size=64k none "$1" && cd "$1" && cp "$2" . && ${mount} && { "$3" "$4" ${command}; echo "exit $?"; ls -A; cat a.ipynb; }`;
    const source = join(folder, "a.ipynb");
    const disk = join(folder, "disk");
    execFileSync("mkdir", [disk]);
    return execFileSync(
      "unshare",
      [
        "--user",
        "--map-root-user",
        "--mount",
        "sh",
        "-c",
        `exec 2>&1; ${script}`,
        "sh",
        disk,
        source,
        process.execPath,
        main,
      ],
      { encoding: "utf8" },
    );
  };

  test("the notebook is as it was, nothing lies beside it, and the reason is told", () => {
    const folder = makeFolder();
    const path = writeNotebook(folder, "a.ipynb", ['"x".repeat(200_000)'], "jslab");
    const before = readFileSync(path, "utf8");
    for (const [mount, reason] of [
      ["true", "ENOSPC"],
      ['mount -o remount,ro "$1"', "EROFS"],
    ]) {
      const run = makeFolder();
      writeFileSync(join(run, "a.ipynb"), before);
      const text = onDisk(run, mount, "run a.ipynb");
      expect(text).toContain(`Cannot write a.ipynb: ${reason}`);
      expect(text).toContain(`exit 2\na.ipynb\n${before}`);
    }
  });
});
