import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { makeFolder, tslabAttention } from "./command.js";

/** Stands in for Jupyter: tells what it was given, then either ends or waits to be stopped. */
const standIn = `
const { readFileSync } = require("node:fs");
const { delimiter, join } = require("node:path");
const [data] = process.env.JUPYTER_PATH.split(delimiter);
const [config] = process.env.JUPYTER_CONFIG_PATH.split(delimiter);
const json = (...path) => JSON.parse(readFileSync(join(...path), "utf8"));
console.log(JSON.stringify({
  told: {
    args: process.argv.slice(2),
    cwd: process.cwd(),
    data,
    dataPath: process.env.JUPYTER_PATH,
    kernel: json(data, "kernels", "tslab", "kernel.json"),
    jsKernel: json(data, "kernels", "jslab", "kernel.json"),
    server: json(config, "jupyter_server_config.json").ServerApp,
    notebook: json(config, "jupyter_notebook_config.json").NotebookApp,
  },
}));
if (process.argv.includes("--wait")) setInterval(() => {}, 1000);
else process.exit(Number(process.argv.at(-1)) || 0);
`;

function writeStandIn(folder: string): string {
  const path = join(folder, "stand-in.js");
  writeFileSync(path, standIn);
  return `"${process.execPath}" "${path}"`;
}

function toldIn(stdout: string) {
  return JSON.parse(stdout.split("\n").find((line) => line.startsWith('{"told"')) ?? "{}").told;
}

describe("lab", () => {
  test("starts the command in JUPYTER in the folder, with the kernels and Plotly's folder ready", async () => {
    const folder = makeFolder();
    const lessons = join(folder, "my lessons");
    mkdirSync(lessons);
    const env = { ...process.env, JUPYTER: `${writeStandIn(folder)} first`, JUPYTER_PATH: "/of/the/person" };
    const { code, stdout } = await tslabAttention(["lab", lessons, "--", "--port=1234", "3"], { env });
    const told = toldIn(stdout);
    expect(told.args).toEqual(["first", "--port=1234", "3"]);
    expect(told.cwd).toBe(lessons);
    expect(told.dataPath).toBe(`${told.data}${delimiter}/of/the/person`);
    const script = resolve("node_modules/tslab/bin/tslab");
    expect(told.kernel).toEqual({
      argv: [process.execPath, script, "kernel", "--config-path", "{connection_file}"],
      display_name: "TypeScript",
      language: "typescript",
    });
    expect(told.jsKernel.argv.at(-1)).toBe("--js");
    for (const { extra_static_paths, answer_yes } of [told.server, told.notebook]) {
      expect(readFileSync(join(extra_static_paths[0], "plotly.js"), "utf8")).toContain("window.Plotly = Plotly");
      expect(answer_yes).toBe(true);
    }
    expect(existsSync(told.data)).toBe(false);
    expect(code).toBe(3);
  });

  test("says in one sentence what to install where there is no Jupyter", async () => {
    const { code, stderr } = await tslabAttention(["lab"], { env: { PATH: makeFolder() } });
    expect(stderr.trim()).toBe(
      "Cannot start Jupyter: jupyter-lab or jupyter-notebook must be on PATH or named by the variable JUPYTER, found neither (install JupyterLab: python3 -m pip install jupyterlab)",
    );
    expect(code).toBe(2);
  });

  test("refuses a folder that is none, an argument of its own, a program that cannot start", async () => {
    expect((await tslabAttention(["lab", "nowhere"])).stderr).toBe(
      "Cannot start Jupyter: DIR must be a folder, got nowhere\n",
    );
    expect((await tslabAttention(["lab", "--port=1"])).stderr).toBe(
      'Cannot start Jupyter: its own arguments must come after --, got "--port=1"\n',
    );
    const missing = join(makeFolder(), "jupyter-lab");
    const { code, stderr } = await tslabAttention(["lab"], { env: { ...process.env, JUPYTER: `"${missing}"` } });
    expect(stderr).toContain(`Cannot start Jupyter: ${missing} must be a program`);
    expect(code).toBe(2);
  });

  test.skipIf(process.platform === "win32").each(["SIGINT", "SIGTERM"] as const)(
    "%s ends Jupyter with it and leaves nothing behind",
    async (signal) => {
      const folder = makeFolder();
      const lab = spawn(process.execPath, [resolve("dist/runner/main.js"), "lab", folder, "--", "--wait"], {
        env: { ...process.env, JUPYTER: writeStandIn(folder) },
        stdio: ["ignore", "pipe", "inherit"],
      });
      const told = toldIn(await firstTold(lab));
      expect(existsSync(told.data)).toBe(true);
      const closed = new Promise((resolve) => lab.once("close", resolve)); // the stand-in has let go of stdout too
      lab.kill(signal);
      expect(await closed).toBe(0);
      expect(existsSync(told.data)).toBe(false);
    },
  );
});

async function firstTold(lab: ChildProcess): Promise<string> {
  let text = "";
  return new Promise((resolve) => {
    lab.stdout?.setEncoding("utf8").on("data", (piece: string) => {
      text += piece;
      if (text.includes('{"told"') && text.endsWith("\n")) resolve(text);
    });
  });
}
