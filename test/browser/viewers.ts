// The two viewers, driven as a person drives them: keys, menus, dialogs.

import { spawnSync } from "node:child_process";
import type { Page } from "playwright-core";
import type { Jupyter } from "./jupyter.js";

/** What a viewer can do with a notebook; each step returns when the viewer has done it. */
export interface Viewer {
  name: string;
  /** The command that starts it, or undefined where it is not here. */
  command: string | undefined;
  /** Selects a code cell. */
  codeCells: string;
  /** Selects, in a code cell, the mark of its execution. */
  prompt: string;
  open(page: Page, jupyter: Jupyter, notebook: string): Promise<void>;
  save(page: Page): Promise<void>;
  trust(page: Page): Promise<void>;
  runAll(page: Page): Promise<void>;
  restartAndRunAll(page: Page): Promise<void>;
}

/** A viewer's command from the environment or PATH, if it is of the version; what is missing is told, once. */
function find(name: string, variable: string, usual: string, version: RegExp): string | undefined {
  const command = process.env[variable] || usual;
  const { stdout, status } = spawnSync(command, ["--version"], { encoding: "utf8", shell: false });
  if (status === 0 && version.test(stdout.trim())) return command;
  const found = status === 0 ? `${command} is version ${stdout.trim()}` : `${command} cannot be started`;
  console.log(`SKIPPED: ${name} (${found}; ${variable} may name another)`);
  return undefined;
}

export const jupyterLab: Viewer = {
  name: "JupyterLab 4",
  command: find("JupyterLab 4", "JUPYTERLAB", "jupyter-lab", /^4\./),
  codeCells: ".jp-Notebook .jp-CodeCell",
  prompt: ".jp-InputPrompt",

  async open(page, jupyter, notebook) {
    await page.goto(jupyter.url(`lab/tree/${notebook}?reset`));
    await page.locator(".jp-Notebook .jp-Cell").first().click();
    await page.keyboard.press("Escape");
    await page.waitForSelector('.jp-Notebook-ExecutionIndicator[data-status="idle"]');
  },

  async save(page) {
    await page.keyboard.press("Control+s");
    await page.waitForFunction(() => !document.querySelector(".jp-Document.jp-mod-dirty, .lm-TabBar-tab.jp-mod-dirty"));
  },

  async trust(page) {
    await fromPalette(page, "Trust Notebook");
    await page.locator(".jp-Dialog button.jp-mod-accept").click();
  },

  async runAll(page) {
    await fromPalette(page, "Run All Cells");
  },

  async restartAndRunAll(page) {
    await fromPalette(page, "Restart Kernel and Run All Cells");
    await page.locator(".jp-Dialog button.jp-mod-accept").click();
  },
};

async function fromPalette(page: Page, command: string): Promise<void> {
  await page.keyboard.press("Control+Shift+C");
  await page.locator(".lm-CommandPalette-input").fill(command);
  await page
    .locator(".lm-CommandPalette-item", { has: page.getByText(new RegExp(`^${command}…?$`)) })
    .first()
    .click();
}

export const notebook6: Viewer = {
  name: "Notebook 6",
  command: find("Notebook 6", "JUPYTER_NOTEBOOK", "jupyter-notebook", /^6\./),
  codeCells: ".code_cell",
  prompt: ".input_prompt",

  async open(page, jupyter, notebook) {
    await page.goto(jupyter.url(`notebooks/${notebook}`));
    await page.locator(".cell").first().click();
    await page.waitForSelector("#kernel_indicator_icon.kernel_idle_icon");
  },

  async save(page) {
    await page.keyboard.press("Control+s");
    await page.waitForFunction(() => /autosaved/.test(document.querySelector(".autosave_status")?.textContent ?? ""));
  },

  async trust(page) {
    await fromMenu(page, "#trust_notebook");
    await Promise.all([page.waitForEvent("load"), page.locator(".modal.in .btn-danger").last().click()]);
  },

  async runAll(page) {
    await fromMenu(page, "#run_all_cells");
  },

  async restartAndRunAll(page) {
    await fromMenu(page, "#restart_run_all");
    await page.locator(".modal.in .btn-danger").click();
  },
};

async function fromMenu(page: Page, item: string): Promise<void> {
  await page
    .locator("#menubar .dropdown", { has: page.locator(item) })
    .locator("> a")
    .click();
  await page.locator(`${item} > a`).click();
}
