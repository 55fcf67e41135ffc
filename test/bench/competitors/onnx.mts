// onnxruntime in float64 on one thread, on a graph of the lesson's formulas.

import { type Competitor, type Result, sink } from "../competitor.mjs";
import { attentionModel } from "./onnx-model.mjs";
import { loadPeer, peerVersion } from "./peers.mjs";

interface Session {
  run(feeds: Record<string, unknown>): Promise<Record<"output" | "weights", { data: Float64Array }>>;
  release(): Promise<void>;
}
interface Onnx {
  Tensor: new (type: "float64", data: Float64Array, shape: number[]) => object;
  InferenceSession: { create(model: Uint8Array, options: object): Promise<Session> };
}

export async function onnx(): Promise<Competitor> {
  const { InferenceSession, Tensor } = loadPeer<Onnx>("onnxruntime-node");
  return {
    name: "onnxruntime",
    version: peerVersion("onnxruntime-node"),
    tolerance: 1e-6, // its exp is one of float32
    prepare: async (problem) => {
      const { B, T, D, x, wQ, wK, wV, wO } = problem;
      const session = await InferenceSession.create(attentionModel(problem), {
        intraOpNumThreads: 1,
        interOpNumThreads: 1,
        executionMode: "sequential",
        graphOptimizationLevel: "all",
        executionProviders: ["cpu"],
      });
      const matrix = (data: Float64Array): object => new Tensor("float64", data, [D, D]);
      const feeds = {
        x: new Tensor("float64", x, [B, T, D]),
        wQ: matrix(wQ),
        wK: matrix(wK),
        wV: matrix(wV),
        wO: matrix(wO),
      };
      const call = async (): Promise<Result> => {
        const { output, weights } = await session.run(feeds);
        return { output: output.data, weights: weights.data };
      };
      return {
        result: call,
        time: async (calls) => {
          const start = process.hrtime.bigint();
          for (let n = 0; n < calls; n++) sink.value += (await call()).output[0];
          return Number(process.hrtime.bigint() - start);
        },
        close: () => void session.release(),
      };
    },
  };
}
