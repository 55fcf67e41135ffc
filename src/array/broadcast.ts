// NumPy's broadcasting: shapes are compared from the last axis; an axis of length 1, or none, is repeated.

/** The shape two shapes broadcast to, or undefined where they do not. */
export function broadcastShapes(a: readonly number[], b: readonly number[]): number[] | undefined {
  const ndim = Math.max(a.length, b.length);
  const shape: number[] = [];
  for (let axis = -ndim; axis < 0; axis++) {
    const m = a.at(axis) ?? 1;
    const n = b.at(axis) ?? 1;
    if (a.length + axis >= 0 && b.length + axis >= 0 && m !== n && m !== 1 && n !== 1) return undefined;
    shape.push(m === 1 ? n : m);
  }
  return shape;
}

/** The row-major strides of `shape` as part of `target`, 0 along repeated axes; the innermost step is `step`. */
export function broadcastStrides(shape: readonly number[], target: readonly number[], step: number): number[] {
  const strides = target.map(() => 0);
  const lead = target.length - shape.length;
  for (let axis = shape.length - 1, stride = step; axis >= 0; axis--) {
    strides[lead + axis] = shape[axis] === 1 ? 0 : stride;
    stride *= shape[axis];
  }
  return strides;
}
