// The ceiling of fixed-width SIMD in float64 on this machine, from two loops in WebAssembly:
//
// - multiply-add in registers alone: what the arithmetic units can do;
// - multiply-add on operands that come from the first-level cache, 4 × 4 sums at a time: the most that a product of matrices
//   can reach with sixteen registers, since each sum takes its operands from memory.

const SOURCE = `
const sums = memory.data(512, 16);
const a = memory.data(64 * 32, 64);
const b = memory.data(64 * 32, 64);

export function registers(n: i32): f64 {
  const x = v128.load(a), y = v128.load(b);
  ${each(12, (i) => `let s${i} = x;`)}
  for (let k = 0; k < n; k++) { ${each(12, (i) => `s${i} = f64x2.add(f64x2.mul(s${i}, x), y);`)} }
  ${each(12, (i) => `v128.store(sums + 16 * ${i}, s${i});`)}
  return load<f64>(sums);
}

export function cached(n: i32): f64 {
  for (let k = 0; k < n; k++) {
    ${each(8, (i) => `let s${i} = f64x2.splat(0);`)}
    for (let at: usize = 0; at < 2048; at += 32) {
      const b0 = v128.load(b + at), b1 = v128.load(b + at, 16);
      ${each(
        4,
        (i) => `const a${i} = v128.load64_splat(a + at, ${8 * i});
      s${2 * i} = f64x2.add(s${2 * i}, f64x2.mul(a${i}, b0)); s${2 * i + 1} = f64x2.add(s${2 * i + 1}, f64x2.mul(a${i}, b1));`,
      )}
      if (at == 2016) break;
      at += 32;
      const c0 = v128.load(b + at), c1 = v128.load(b + at, 16);
      ${each(
        4,
        (i) => `const d${i} = v128.load64_splat(a + at, ${8 * i});
      s${2 * i} = f64x2.add(s${2 * i}, f64x2.mul(d${i}, c0)); s${2 * i + 1} = f64x2.add(s${2 * i + 1}, f64x2.mul(d${i}, c1));`,
      )}
    }
    ${each(8, (i) => `v128.store(sums + 16 * ${i}, s${i});`)}
  }
  return load<f64>(sums);
}
`;

function each(count: number, text: (i: number) => string): string {
  return Array.from({ length: count }, (_, i) => text(i)).join("\n");
}

export interface Ceiling {
  /** Billions of operations a second in registers, measured for some milliseconds. */
  registers(): number;
  /** The same with operands from the first-level cache. */
  cached(): number;
}

/** What is used of the compiler, whose own types bring globals that contradict Node's. */
interface Compiler {
  compileString(source: string, options: object): Promise<{ binary: Uint8Array | null; stderr: object }>;
}

declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
};

export async function ceiling(): Promise<Ceiling> {
  const asc: Compiler = await import("assemblyscript/asc" as string);
  const { binary, stderr } = await asc.compileString(SOURCE, {
    optimizeLevel: 3,
    noAssert: true,
    runtime: "stub",
    enable: ["simd"],
  });
  if (binary === null) throw new Error(`Cannot compile the ceiling: ${stderr.toString()}`);
  type Loop = (n: number) => number;
  const loops = new WebAssembly.Instance(new WebAssembly.Module(binary)).exports as { registers: Loop; cached: Loop };
  // The best of many short stretches: other work on the machine can only lower a figure.
  const best = (loop: Loop, n: number, operations: number): number => {
    let least = Number.POSITIVE_INFINITY;
    for (let stretch = 0; stretch < 100; stretch++) {
      const start = process.hrtime.bigint();
      loop(n);
      least = Math.min(least, Number(process.hrtime.bigint() - start));
    }
    return (n * operations) / least;
  };
  return {
    registers: () => best(loops.registers, 4000, 48),
    cached: () => best(loops.cached, 100, 64 * 32),
  };
}
