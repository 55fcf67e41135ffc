// Pictures inside a picture, put in its own lines.
//
// Plotly lays a heatmap's cells on its plot as one image each, and the canvas of this room gives them as SVG. The rasteriser
// draws an image by itself on a layer as large as the whole picture; its marks among the other marks give the same pixels and
// take a tenth of the time where there are many. Images of any other kind, and SVG that is not the canvas's, stay as they are.

/** How the canvas begins the picture of what was drawn on it. */
const canvas =
  /^<svg [^>]*width="([\d.]+)" height="([\d.]+)"[^>]*preserveAspectRatio="none" shape-rendering="crispEdges">(.*)<\/svg>$/s;

/** `svg` with the marks of each embedded canvas in the place of its image. */
export function inlinePictures(svg: string): string {
  return svg.replace(/<image\b([^>]*?)(?:\/>|><\/image>)/g, (image: string, listed: string) => {
    const given = attributes(listed);
    const picture = /^data:image\/svg\+xml;base64,(.*)$/.exec(given["xlink:href"] ?? given.href ?? "");
    if (picture === null) return image;
    const [, width, height, marks] = canvas.exec(Buffer.from(picture[1], "base64").toString()) ?? [];
    if (marks === undefined) return image;
    const scale = [Number(given.width) / Number(width), Number(given.height) / Number(height)];
    const look = given.style === undefined ? "" : ` style="${given.style}"`;
    return `<g transform="translate(${given.x},${given.y}) scale(${scale})" shape-rendering="crispEdges"${look}>${marks}</g>`;
  });
}

function attributes(text: string): Record<string, string | undefined> {
  return Object.fromEntries(Array.from(text.matchAll(/([\w:-]+)="([^"]*)"/g), ([, name, value]) => [name, value]));
}
