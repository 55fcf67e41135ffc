// The public names, as a tour of the rooms; the runner is a command and is left out.

// array: making, reading, computing, printing.
export { allClose, type Tolerances } from "./array/all-close.js";
export { array, type NDArrayLike, type StridedArray, type TypedArray } from "./array/array.js";
export { ValueError } from "./array/errors.js";
export { format } from "./array/format.js";
export { arange, eye, zeros } from "./array/make.js";
export { matmul } from "./array/matmul.js";
export { NDArray, type Nested, type NestedNumbers } from "./array/ndarray.js";
export type { PrintOptions } from "./array/print.js";
export { randomNormal } from "./array/random.js";
export { softmax } from "./array/softmax.js";

// attention: the three functions of the lesson, under both their names, and every step.
export {
  attentionSteps,
  multiHeadAttention,
  multiHeadAttention as multi_head_attention,
} from "./attention/attention.js";
export { mergeHeads, mergeHeads as merge_heads, splitHeads, splitHeads as split_heads } from "./attention/heads.js";
export type { AttentionSteps } from "./attention/steps.js";
// check: a learner's function judged, its mistake named.
export { checkMergeHeads } from "./check/check-merge-heads.js";
export { checkMultiHeadAttention } from "./check/check-multi-head-attention.js";
export { checkSplitHeads } from "./check/check-split-heads.js";
export { Verdict } from "./check/verdict.js";
// display: a Plotly figure that can show itself anywhere
export { Figure, type FigureParts } from "./display/figure.js";
export { Showable, show } from "./display/showable.js";
// figures: arrays as pictures of attention.
export { attentionMap } from "./figures/attention-map.js";
export { type CompareArraysOptions, compareArrays } from "./figures/compare-arrays.js";
export { type HeadSplitOptions, headSplit } from "./figures/head-split.js";
export { headView } from "./figures/head-view.js";
export { type SoftmaxBarsOptions, softmaxBars } from "./figures/softmax-bars.js";
export type { StepArrays } from "./figures/step-arrays.js";
export { type StepFiguresOptions, stepFigures } from "./figures/step-figures.js";
export type { Tokens, WeightFigureOptions } from "./figures/weights.js";
