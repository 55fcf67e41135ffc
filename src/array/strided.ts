// Reading a strided view into row-major order. Element (i0, i1, ...) of a view lies at offset + Σ i·stride.

/** Copies the view's elements, in the order of their indices, to the start of `out`. */
export function gather(
  source: ArrayLike<number>,
  shape: readonly number[],
  strides: readonly number[],
  offset: number,
  out: Float64Array,
): void {
  if (shape.length === 0) {
    out[0] = source[offset];
    return;
  }
  const last = shape.length - 1;
  const step = strides[last];
  let written = 0;
  const visit = (axis: number, start: number): void => {
    if (axis < last) {
      for (let i = 0; i < shape[axis]; i++) visit(axis + 1, start + i * strides[axis]);
      return;
    }
    for (let i = 0, from = start; i < shape[last]; i++, from += step) out[written++] = source[from];
  };
  visit(0, offset);
}
