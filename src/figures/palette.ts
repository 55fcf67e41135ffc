// The colours of every figure.
//
// Eight head colours that stay apart for readers with protanopia, deuteranopia and tritanopia (found by search under the
// simulation of Machado, Oliveira and Fernandes, 2009; the test recomputes the distances). A head keeps its colour
// through every figure; from head 8 on the colours repeat, so a head is always labelled as well.

/** The eight head colours: head h has `headColors[h % 8]`. */
export const headColors: readonly string[] = [
  "#1F4FD8",
  "#E69F00",
  "#1A7F62",
  "#A3279B",
  "#35B1F5",
  "#B3300F",
  "#9DAE68",
  "#3F3150",
];

/** Text and thin lines. */
export const ink = "#22262B";
/** Text that explains: units, what was left out. */
export const softInk = "#5A616B";
/** The page under every figure: its own, so that a figure reads the same on a dark page. */
export const paper = "#FFFFFF";
/** Cells that belong to no head. */
export const neutral = "#E8EBEF";
/** The thin line between cells. */
export const cellLine = "#E3DFD6";
/** Cells that hold no finite number. */
export const noNumber = "#B4B8BE";
/** Cells that are wrong. */
export const wrong = "#C8102E";

/** The colour of head h. */
export function headColor(head: number): string {
  return headColors[head % headColors.length];
}

/** From negative (teal) over 0 (pale) to positive (brown), for arrays with signs. */
export const signedScale: readonly (readonly [number, string])[] = [
  [0, "#01665E"],
  [0.25, "#6FBFB2"],
  [0.5, "#F7F7F5"],
  [0.75, "#DDB56B"],
  [1, "#8C510A"],
];

/** Red, green and blue of a `#RRGGBB` colour, 0 to 255. */
export function channels(color: string): [number, number, number] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16)) as [number, number, number];
}

/** `color` mixed with the paper: `share` 1 keeps the colour, 0 gives the paper. */
export function tint(color: string, share: number): string {
  const under = channels(paper);
  return hex(channels(color).map((value, at) => value * share + under[at] * (1 - share)));
}

function hex(values: readonly number[]): string {
  const pairs = values.map((value) => Math.round(value).toString(16).padStart(2, "0"));
  return `#${pairs.join("").toUpperCase()}`;
}

/** The relative luminance of WCAG 2, 0 (black) to 1 (white). */
export function luminance(color: string): number {
  const [r, g, b] = channels(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The text colour, ink or paper, that stands out more on `background`. */
export function inkOn(background: string): string {
  const under = luminance(background) + 0.05;
  return under / (luminance(ink) + 0.05) >= (luminance(paper) + 0.05) / under ? ink : paper;
}

// From pale to dark, one hue after another, lightness falling all the way.
const paleToDark = ["#FBF6EA", "#F3C98B", "#DE7F6B", "#95387B", "#2B0F54"];
const steps = 50;

/** The colour at `share` of the way from pale to dark. */
function weightColor(share: number): string {
  const at = Math.min(share * (paleToDark.length - 1), paleToDark.length - 1 - 1e-9);
  const [from, to] = [paleToDark[Math.floor(at)], paleToDark[Math.floor(at) + 1]].map(channels);
  return hex(from.map((value, channel) => value + (to[channel] - value) * (at % 1)));
}

/** The scale of weights, 0 to 1, in steps of 0.02: no eye tells it from a smooth one, and a picture packs to half the size. */
export const weightScale: readonly (readonly [number, string])[] = Array.from({ length: steps }, (_, step) => {
  const color = weightColor(step / (steps - 1));
  return [[step / steps, color] as const, [(step + 1) / steps, color] as const];
}).flat();
