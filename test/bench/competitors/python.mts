// NumPy and PyTorch, each in a Python process of its own that times itself; questions and answers are lines of JSON.

import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { Competitor, Entry } from "../competitor.mjs";

const SCRIPT = fileURLToPath(new URL("python.py", import.meta.url));

/** Every Python of this machine that imports the module, each module once, the system's own first. */
function pythons(module: string): string[] {
  const found = new Map<string, string>();
  for (const command of [process.env.PYTHON, "/usr/bin/python3", "python3", "python"]) {
    if (command === undefined) continue;
    const { status, stdout } = spawnSync(command, ["-c", `import ${module}; print(${module}.__file__)`]);
    const file = String(stdout);
    if (status === 0 && !found.has(file)) found.set(file, command);
  }
  return [...found.values()];
}

/**
 * NumPy as each Python has it, the first one's once more with OpenBLAS told the processor, and PyTorch.
 *
 * @param coreType what to tell; OpenBLAS does not know every processor by itself
 */
export async function pythonCompetitors(coreType: string): Promise<Entry[]> {
  const numpys = pythons("numpy");
  const [torch] = pythons("torch");
  if (numpys.length === 0) return [{ name: "NumPy and PyTorch", skipped: "no Python on this machine imports numpy" }];
  const entries: Entry[] = [];
  for (const [n, command] of numpys.entries()) {
    entries.push(await start(command, "numpy", "NumPy"));
    if (n === 0) entries.push(await start(command, "numpy", `NumPy, OPENBLAS_CORETYPE=${coreType}`, coreType));
  }
  entries.push(
    torch === undefined
      ? { name: "PyTorch", skipped: "no Python on this machine imports torch" }
      : await start(torch, "torch", "PyTorch"),
  );
  return entries;
}

async function start(command: string, module: string, name: string, coreType?: string): Promise<Competitor> {
  const { OPENBLAS_CORETYPE: _, OPENBLAS_L2_SIZE: __, ...env } = process.env;
  const child = spawn(command, [SCRIPT, module], {
    env: {
      ...env,
      ...(coreType === undefined ? {} : { OPENBLAS_CORETYPE: coreType }),
      OMP_NUM_THREADS: "1",
      OPENBLAS_NUM_THREADS: "1",
      MKL_NUM_THREADS: "1",
    },
  });
  child.stderr.pipe(process.stderr);
  const ask = conversation(child);
  const { version } = await ask({ ask: "version" });
  return {
    name: name.replace(/^(NumPy|PyTorch)/, `$1 ${version}`),
    version: String(version),
    tolerance: 1e-12,
    prepare: async ({ B, T, D, H, x, wQ, wK, wV, wO }) => {
      const base64 = (data: Float64Array): string =>
        Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64");
      await ask({ ask: "prepare", sizes: [B, T, D, H], inputs: [x, wQ, wK, wV, wO].map(base64) });
      const numbers = (text: unknown): Float64Array => {
        const bytes = Buffer.from(String(text), "base64");
        return new Float64Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
      };
      return {
        result: async () => {
          const { output, weights } = await ask({ ask: "result" });
          return { output: numbers(output), weights: numbers(weights) };
        },
        time: async (calls) => Number((await ask({ ask: "time", calls })).nanoseconds),
      };
    },
    close: () => child.stdin.end(),
  };
}

type Answer = Record<string, unknown>;

function conversation(child: ChildProcessWithoutNullStreams): (question: object) => Promise<Answer> {
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (question) => {
    child.stdin.write(`${JSON.stringify(question)}\n`);
    const { value, done } = await lines.next();
    if (done) throw new Error("Cannot talk to Python: it ended");
    return JSON.parse(value);
  };
}
