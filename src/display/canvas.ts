// A canvas that remembers instead of painting.
//
// Plotly fills the cells of a heatmap on a canvas and then asks for the picture. This stand-in keeps the rectangles and
// answers with them as an SVG picture, so the cells stay sharp at every scale and no native canvas is needed. Pixels that
// are put down one by one (a heatmap without gaps, smoothed or not) come back as one rectangle each run of equal colour.
// Nothing else of a canvas is here: a trace that asks for more has no PNG.

/** The part of a canvas element that is read. */
interface Sized {
  width: number;
  height: number;
}

interface Pixels {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

/** The drawing context of one canvas, as far as Plotly's heatmaps and images use it. */
export class RecordingContext {
  fillStyle = "#000";
  readonly #canvas: Sized;
  readonly #marks: string[] = [];

  constructor(canvas: Sized) {
    this.#canvas = canvas;
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.#marks.push(`<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${this.fillStyle}"/>`);
  }

  createImageData(width: number, height: number): Pixels {
    return { width, height, data: new Uint8ClampedArray(width * height * 4) };
  }

  putImageData({ width, height, data }: Pixels, left: number, top: number): void {
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; ) {
        const from = x;
        const colour = data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4).join(",");
        do x++;
        while (x < width && data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4).join(",") === colour);
        const [r, g, b, alpha] = colour.split(",").map(Number);
        if (alpha === 0) continue;
        this.fillStyle = `rgba(${r},${g},${b},${alpha / 255})`;
        this.fillRect(left + from, top + y, x - from, 1);
      }
    }
  }

  /** Everything drawn so far, as the address of an SVG picture. */
  toDataURL(): string {
    const { width, height } = this.#canvas;
    const svg =
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" ` +
      `preserveAspectRatio="none" shape-rendering="crispEdges">${this.#marks.join("")}</svg>`;
    return `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
  }
}
