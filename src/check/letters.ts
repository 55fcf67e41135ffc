// Shapes with the letters of their axes, where the lengths leave no doubt.

import type { Sizes } from "./probes.js";

/**
 * A shape and, if each length is that of just one axis or pair of axes, and no two are batches or heads, what the axes are.
 *
 * @example
 * lettered([2, 5, 3, 4], { B: 2, T: 5, H: 3, d: 4 }); // "(2, 5, 3, 4) = (B, T, H, d)"
 */
export function lettered(shape: readonly number[], { B, T, H, d }: Sizes): string {
  const text = `(${shape.join(", ")}${shape.length === 1 ? "," : ""})`;
  const axes = { B, T, H, d, D: H * d, B·H: B * H, B·T: B * T, H·T: H * T, T·d: T * d, B·d: B * d, 1: 1 };
  const names = shape.map((length) => Object.keys(axes).filter((name) => axes[name as keyof typeof axes] === length));
  const read = names.join("·").replaceAll("D", "H·d").split("·");
  const once = ["B", "H"].every((letter) => read.filter((other) => other === letter).length < 2);
  const clear = names.length > 0 && once && names.every((candidates) => candidates.length === 1);
  return clear ? `${text} = (${names.join(", ")})` : text;
}
