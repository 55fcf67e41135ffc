// numpy-ts, by the formulas of the lesson.

import { type Competitor, runner } from "../competitor.mjs";
import { loadPeer, peerVersion } from "./peers.mjs";

interface Arr {
  readonly data: ArrayLike<number>;
  reshape(...shape: number[]): Arr;
}
interface NumpyTs {
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
  return {
    name: "numpy-ts",
    version: peerVersion("numpy-ts"),
    tolerance: 1e-12,
    prepare: async ({ B, T, D, H, x, wQ, wK, wV, wO }) => {
      const d = D / H;
      const given = np.array(x).reshape(B * T, D);
      const [q, k, v, o] = [wQ, wK, wV, wO].map((data) => np.array(data).reshape(D, D));
      const heads = (w: Arr): Arr => np.transpose(np.matmul(given, w).reshape(B, T, H, d), [0, 2, 1, 3]);
      return runner(() => {
        const scores = np.divide(np.matmul(heads(q), np.transpose(heads(k), [0, 1, 3, 2])), Math.sqrt(d));
        const powers = np.exp(np.subtract(scores, np.amax(scores, -1, true)));
        const weights = np.divide(powers, np.sum(powers, -1, true));
        const merged = np.ascontiguousarray(np.transpose(np.matmul(weights, heads(v)), [0, 2, 1, 3]));
        return { output: np.matmul(merged.reshape(B * T, D), o).data, weights: weights.data };
      });
    },
  };
}
