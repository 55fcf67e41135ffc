// The bank of wrong multiHeadAttentions, in the order of the steps.

import type { Mistake } from "../mistake.js";
import type { Changes } from "../steps.js";
import { afterMistakes } from "./after-weights.js";
import { headMistakes } from "./heads.js";
import { oneHeadMistakes } from "./one-head.js";
import { projectionMistakes } from "./projections.js";
import { scoreMistakes } from "./scores.js";
import { softmaxMistakes } from "./softmax.js";

let bank: readonly Mistake<Changes>[] | undefined;

/** The bank, put together when it is first asked for. */
export function attentionMistakes(): readonly Mistake<Changes>[] {
  bank ??= [
    ...projectionMistakes,
    ...oneHeadMistakes,
    ...headMistakes(),
    ...scoreMistakes,
    ...softmaxMistakes,
    ...afterMistakes,
  ];
  return bank;
}
