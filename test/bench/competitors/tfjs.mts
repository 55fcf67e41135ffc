// TensorFlow.js on its WebAssembly backend, by the formulas of the lesson. It knows float32 alone.

import { type Competitor, runner } from "../competitor.mjs";
import { loadPeer, peerFolder, peerVersion } from "./peers.mjs";

interface Tensor {
  reshape(shape: number[]): Tensor;
  transpose(axes: number[]): Tensor;
  div(by: number): Tensor;
  dataSync(): Float32Array;
  dispose(): void;
}
interface Tfjs {
  setBackend(name: string): Promise<boolean>;
  ready(): Promise<void>;
  tensor(data: Float32Array, shape: number[]): Tensor;
  matMul(a: Tensor, b: Tensor, transposeA?: boolean, transposeB?: boolean): Tensor;
  softmax(a: Tensor): Tensor;
  tidy<T>(fn: () => T): T;
}

export async function tfjs(): Promise<Competitor> {
  const print = console.warn; // it advises installing another backend
  console.warn = () => {};
  const tf = loadPeer<Tfjs>("@tensorflow/tfjs");
  const backend = loadPeer<{ setWasmPaths(folder: string): void }>("@tensorflow/tfjs-backend-wasm");
  backend.setWasmPaths(`${peerFolder("@tensorflow/tfjs-backend-wasm")}dist/`);
  await tf.setBackend("wasm");
  await tf.ready();
  console.warn = print;
  return {
    name: "tfjs wasm (float32)",
    version: peerVersion("@tensorflow/tfjs"),
    tolerance: 1e-4,
    prepare: async ({ B, T, D, H, x, wQ, wK, wV, wO }) => {
      const d = D / H;
      const given = tf.tensor(Float32Array.from(x), [B * T, D]);
      const matrices = [wQ, wK, wV, wO].map((data) => tf.tensor(Float32Array.from(data), [D, D]));
      const [q, k, v, o] = matrices;
      const heads = (w: Tensor): Tensor => tf.matMul(given, w).reshape([B, T, H, d]).transpose([0, 2, 1, 3]);
      return {
        ...runner(() =>
          tf.tidy(() => {
            const weights = tf.softmax(tf.matMul(heads(q), heads(k), false, true).div(Math.sqrt(d)));
            const merged = tf
              .matMul(weights, heads(v))
              .transpose([0, 2, 1, 3])
              .reshape([B * T, D]);
            return { output: tf.matMul(merged, o).dataSync(), weights: weights.dataSync() };
          }),
        ),
        close: () => {
          for (const tensor of [given, ...matrices]) tensor.dispose();
        },
      };
    },
  };
}
