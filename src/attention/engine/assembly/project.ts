// The product of all tokens with one D × D matrix. The tokens come in strips, and so does the matrix: of four columns.

import { columnsToStrips, stripBytes } from "./strips";
import { tiles } from "./tile";

/** How many tokens share each strip of the matrix while both are near. */
const BLOCK: usize = 64;

/** `to[c][t] = Σ_k w[k][c] · x[t][k]`, in strips of tokens as x itself. */
export function projectToStrips(x: usize, N: usize, D: usize, w: usize, packed: usize, to: usize): void {
  columnsToStrips(w, D, D, D, packed);
  const next = stripBytes(D);
  for (let first: usize = 0; first < N; first += BLOCK) {
    const count = (min(BLOCK, N - first) + 3) >> 2;
    const tokens = (first >> 2) * next;
    for (let c: usize = 0; c < D; c += 4) {
      const columns = packed + ((c * D) << 3);
      tiles(count, D, columns, 0, x + tokens, next, to + tokens + (c << 5), 32, next);
    }
  }
}

/**
 * `to[t][c] = Σ_k x[t][k] · w[k][c]`, row-major.
 *
 * The last columns first: what a tile writes past the end of a row is overwritten by the beginning of the next one.
 */
export function projectToRows(x: usize, N: usize, D: usize, w: usize, packed: usize, to: usize): void {
  columnsToStrips(w, D, D, D, packed);
  const next = stripBytes(D);
  for (let first: usize = 0; first < N; first += BLOCK) {
    const count = (min(BLOCK, N - first) + 3) >> 2;
    const tokens = (first >> 2) * next;
    for (let c = (D + 3) & ~3; c > 0; ) {
      c -= 4;
      const columns = packed + ((c * D) << 3);
      tiles(count, D, x + tokens, next, columns, 0, to + ((first * D + c) << 3), D << 3, D << 5);
    }
  }
}
