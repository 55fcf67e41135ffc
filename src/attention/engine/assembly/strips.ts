// Strips: four tokens, or four columns of a matrix, side by side. Row k of a strip holds number k of each of the four.

/** The bytes of a strip of tokens. Three rows more than D take what a tile writes past the last channel. */
// @ts-ignore: decorator
@inline
export function stripBytes(D: usize): usize {
  return (D + 3) << 5;
}

/** Lays N rows of D numbers out in strips of four rows; the last strip may hold rows past the end, of any value. */
export function rowsToStrips(from: usize, N: usize, D: usize, to: usize): void {
  const rowBytes = D << 3;
  for (let n: usize = 0; n < N; n += 4) {
    let row0 = from + n * rowBytes;
    const end = row0 + rowBytes;
    for (let at = to; row0 < end; at += 64) {
      const pair0 = v128.load(row0);
      const pair1 = v128.load(row0 + rowBytes);
      const pair2 = v128.load(row0 + 2 * rowBytes);
      const pair3 = v128.load(row0 + 3 * rowBytes);
      v128.store(at, v128.shuffle<f64>(pair0, pair1, 0, 2));
      v128.store(at, v128.shuffle<f64>(pair2, pair3, 0, 2), 16);
      v128.store(at, v128.shuffle<f64>(pair0, pair1, 1, 3), 32);
      v128.store(at, v128.shuffle<f64>(pair2, pair3, 1, 3), 48);
      row0 += 16;
    }
    to += stripBytes(D);
  }
}

/** Lays columns of a matrix with `width` numbers a row out in strips of four columns, one strip after the other. */
export function columnsToStrips(from: usize, width: usize, rows: usize, columns: usize, to: usize): void {
  for (let c: usize = 0; c < columns; c += 4) {
    const end = to + (rows << 5);
    for (let row = from + (c << 3); to < end; row += width << 3) {
      v128.store(to, v128.load(row));
      v128.store(to, v128.load(row, 16), 16);
      to += 32;
    }
  }
}

/** Fills the last strip up with zeros. */
export function clearPast(strips: usize, N: usize, D: usize): void {
  for (let n = N; (n & 3) != 0; n++) clearToken(token(strips, n, D), D);
}

/** From strips that run on through the batches to strips in which each batch begins a new one, filled up with zeros. */
export function align(running: usize, B: usize, T: usize, D: usize, aligned: usize): void {
  const padded = (T + 3) & ~3;
  for (let b: usize = 0; b < B; b++) {
    for (let t: usize = 0; t < padded; t++) {
      const to = token(aligned, b * padded + t, D);
      if (t < T) copyToken(token(running, b * T + t, D), to, D);
      else clearToken(to, D);
    }
  }
}

/** The inverse of align. */
export function runOn(aligned: usize, B: usize, T: usize, D: usize, running: usize): void {
  const batch = (T + 3) & ~3;
  for (let b: usize = 0; b < B; b++) {
    for (let t: usize = 0; t < T; t++) copyToken(token(aligned, b * batch + t, D), token(running, b * T + t, D), D);
  }
}

/** Where token n begins. */
// @ts-ignore: decorator
@inline
function token(strips: usize, n: usize, D: usize): usize {
  return strips + (n >> 2) * stripBytes(D) + ((n & 3) << 3);
}

function copyToken(from: usize, to: usize, D: usize): void {
  for (const end = from + (D << 5); from < end; from += 32) {
    store<f64>(to, load<f64>(from));
    to += 32;
  }
}

function clearToken(to: usize, D: usize): void {
  for (const end = to + (D << 5); to < end; to += 32) store<f64>(to, 0);
}
