// The one product that everything here is made of: a 4 × 4 block of C = Aᵀ·B.
//
// A and B are strips: four numbers (32 bytes) a row, one row for each term of the sum. The sixteen sums stay in eight
// registers of two. Multiplying two numbers of A with two of B as they stand gives a0·b0 and a1·b1; with b's pair swapped,
// a0·b1 and a1·b0. So no number of A is spread over a register, and the sums are put in order once, at the end.

/**
 * `c[m][n] = Σ_k a[k][m] · b[k][n]` for m and n from 0 to 3, in the order of k; so many tiles, one after the other.
 *
 * @param count how many tiles
 * @param rows how many k there are
 * @param a a strip, row k holding a[k][0] to a[k][3]
 * @param nextA from a to that of the next tile, in bytes
 * @param b another strip
 * @param nextB from b to that of the next tile
 * @param c where the four rows of four sums go, `stepC` bytes apart, the first row first
 * @param stepC from one row of c to the next
 * @param nextC from c to that of the next tile
 */
export function tiles(
  count: usize,
  rows: usize,
  a: usize,
  nextA: usize,
  b: usize,
  nextB: usize,
  c: usize,
  stepC: usize,
  nextC: usize,
): void {
  const bytes = rows << 5;
  nextA -= bytes;
  nextB -= bytes;
  nextC -= 3 * stepC;
  for (; count > 0; count--) {
    let straight00 = f64x2.splat(0);
    let straight01 = straight00;
    let straight10 = straight00;
    let straight11 = straight00;
    let crossed00 = straight00;
    let crossed01 = straight00;
    let crossed10 = straight00;
    let crossed11 = straight00;
    const end = a + bytes;
    // Tested at the top: with the test at the bottom, or two rows in one turn, V8 runs out of registers and halves the speed.
    while (a < end) {
      const a0 = v128.load(a);
      const a1 = v128.load(a, 16);
      let pair = v128.load(b);
      straight00 = f64x2.add(straight00, f64x2.mul(a0, pair));
      straight10 = f64x2.add(straight10, f64x2.mul(a1, pair));
      pair = v128.shuffle<f64>(pair, pair, 1, 0);
      crossed00 = f64x2.add(crossed00, f64x2.mul(a0, pair));
      crossed10 = f64x2.add(crossed10, f64x2.mul(a1, pair));
      pair = v128.load(b, 16);
      straight01 = f64x2.add(straight01, f64x2.mul(a0, pair));
      straight11 = f64x2.add(straight11, f64x2.mul(a1, pair));
      pair = v128.shuffle<f64>(pair, pair, 1, 0);
      crossed01 = f64x2.add(crossed01, f64x2.mul(a0, pair));
      crossed11 = f64x2.add(crossed11, f64x2.mul(a1, pair));
      a += 32;
      b += 32;
    }
    v128.store(c, v128.shuffle<f64>(straight00, crossed00, 0, 2));
    v128.store(c, v128.shuffle<f64>(straight01, crossed01, 0, 2), 16);
    c += stepC;
    v128.store(c, v128.shuffle<f64>(crossed00, straight00, 1, 3));
    v128.store(c, v128.shuffle<f64>(crossed01, straight01, 1, 3), 16);
    c += stepC;
    v128.store(c, v128.shuffle<f64>(straight10, crossed10, 0, 2));
    v128.store(c, v128.shuffle<f64>(straight11, crossed11, 0, 2), 16);
    c += stepC;
    v128.store(c, v128.shuffle<f64>(crossed10, straight10, 1, 3));
    v128.store(c, v128.shuffle<f64>(crossed11, straight11, 1, 3), 16);
    a += nextA;
    b += nextB;
    c += nextC;
  }
}

/** The first row of a tile alone: `c[n] = Σ_k a[k][0] · b[k][n]`. */
export function row(a: usize, b: usize, rows: usize, c: usize): void {
  let sum01 = f64x2.splat(0);
  let sum23 = sum01;
  for (const end = a + (rows << 5); a < end; a += 32) {
    const factor = v128.load64_splat(a);
    sum01 = f64x2.add(sum01, f64x2.mul(factor, v128.load(b)));
    sum23 = f64x2.add(sum23, f64x2.mul(factor, v128.load(b, 16)));
    b += 32;
  }
  v128.store(c, sum01);
  v128.store(c, sum23, 16);
}
