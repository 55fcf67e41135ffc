// numpy-ts, by the formulas of the lesson.

import { type Competitor, runner } from "../competitor.mjs";
import { loadPeer, peerVersion } from "./peers.mjs";

interface Arr {
  readonly data: Float64Array;
  reshape(...shape: number[]): Arr;
  dispose(): void;
}
interface NumpyTs {
  configureWasm(options: { maxMemory: number }): void;
  array(data: Float64Array): Arr;
  matmul(a: Arr, b: Arr): Arr;
  transpose(a: Arr, axes: number[]): Arr;
  divide(a: Arr, b: Arr | number): Arr;
  subtract(a: Arr, b: Arr): Arr;
  exp(a: Arr): Arr;
  amax(a: Arr, axis: number, keepdims: boolean): Arr;
  sum(a: Arr, axis: number, keepdims: boolean): Arr;
  ascontiguousarray(a: Arr): Arr;
}

export async function numpyTs(): Promise<Competitor> {
  const np = loadPeer<NumpyTs>("numpy-ts");
  np.configureWasm({ maxMemory: 2 ** 31 });
  return {
    name: "numpy-ts",
    version: peerVersion("numpy-ts"),
    tolerance: 1e-12,
    prepare: async ({ B, T, D, H, x, wQ, wK, wV, wO }) => {
      const d = D / H;
      const given = np.array(x).reshape(B * T, D);
      const [q, k, v, o] = [wQ, wK, wV, wO].map((data) => np.array(data).reshape(D, D));
      // Its arrays lie in memory of its own until they are disposed of; what comes back is copied out of it.
      const kept: Arr[] = [];
      const keep = (a: Arr): Arr => {
        kept.push(a);
        return a;
      };
      const heads = (w: Arr, order: number[]): Arr =>
        keep(np.transpose(keep(keep(np.matmul(given, w)).reshape(B, T, H, d)), order));
      return runner(() => {
        const scores = keep(np.divide(keep(np.matmul(heads(q, [0, 2, 1, 3]), heads(k, [0, 2, 3, 1]))), Math.sqrt(d)));
        const powers = keep(np.exp(keep(np.subtract(scores, keep(np.amax(scores, -1, true))))));
        const weights = keep(np.divide(powers, keep(np.sum(powers, -1, true))));
        const sums = keep(np.transpose(keep(np.matmul(weights, heads(v, [0, 2, 1, 3]))), [0, 2, 1, 3]));
        const merged = keep(keep(np.ascontiguousarray(sums)).reshape(B * T, D));
        const result = { output: keep(np.matmul(merged, o)).data.slice(), weights: weights.data.slice() };
        for (const array of kept) array.dispose();
        kept.length = 0;
        return result;
      });
    },
  };
}
