/**
 * What a Jupyter server is told, as files in a private folder that two variables point to, so that the person's own
 * installation and configuration stay as they are:
 *
 * - `JUPYTER_PATH`: the kernels tslab and jslab, with absolute paths (the server may know another PATH);
 * - `JUPYTER_CONFIG_PATH`: Plotly's folder among the server's static files, so that figures come alive without a network,
 *   and no question at Ctrl-C. Notebook 6 reads one file, JupyterLab and Notebook 7 the other; neither minds both.
 */

import { mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import type { Tslab } from "../kernel/find-tslab.js";

/**
 * Writes the files.
 *
 * @param folder a private folder
 * @param tslab the tslab that the kernels are
 * @param environment the variables that the server would get
 * @returns the variables that it is to get
 */
export function writeJupyterSettings(folder: string, tslab: Tslab, environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kernel = [process.execPath, tslab.script, "kernel", "--config-path", "{connection_file}"];
  write(join(folder, "kernels", "tslab"), "kernel.json", {
    argv: kernel,
    display_name: "TypeScript",
    language: "typescript",
  });
  write(join(folder, "kernels", "jslab"), "kernel.json", {
    argv: [...kernel, "--js"],
    display_name: "JavaScript",
    language: "javascript",
  });
  const settings = { extra_static_paths: [dirname(require.resolve("plotly.js-dist"))], answer_yes: true };
  write(folder, "jupyter_server_config.json", { ServerApp: settings });
  write(folder, "jupyter_notebook_config.json", { NotebookApp: settings });
  const first = (paths: string | undefined): string => (paths ? `${folder}${delimiter}${paths}` : folder);
  return {
    ...environment,
    JUPYTER_PATH: first(environment.JUPYTER_PATH),
    JUPYTER_CONFIG_PATH: first(environment.JUPYTER_CONFIG_PATH),
  };
}

function write(folder: string, name: string, content: object): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), `${JSON.stringify(content, undefined, 1)}\n`);
}
