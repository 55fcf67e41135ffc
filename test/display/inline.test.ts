import { describe, expect, test } from "vitest";
import { inlinePictures } from "../../src/display/inline.js";

const picture = (svg: string): string => `data:image/svg+xml;base64,${Buffer.from(svg).toString("base64")}`;
const cells =
  '<svg xmlns="http://www.w3.org/2000/svg" width="2" height="1" viewBox="0 0 2 1" preserveAspectRatio="none" shape-rendering="crispEdges"><rect width="1" height="1"/></svg>';

describe("inlinePictures()", () => {
  test("puts the marks of an SVG picture in the place of its image, moved and stretched alike", () => {
    const svg = `<svg><image x="10" y="20" width="40" height="30" xlink:href="${picture(cells)}"/><text>a</text></svg>`;
    expect(inlinePictures(svg)).toBe(
      '<svg><g transform="translate(10,20) scale(20,30)" shape-rendering="crispEdges">' +
        '<rect width="1" height="1"/></g><text>a</text></svg>',
    );
  });

  test("keeps the look of the image, such as its opacity", () => {
    const svg = `<image style="opacity:0.3" x="0" y="0" width="2" height="1" href="${picture(cells)}"/>`;
    expect(inlinePictures(svg)).toContain(' style="opacity:0.3"><rect');
  });

  test.each([
    '<image x="0" y="0" width="1" height="1" xlink:href="data:image/png;base64,AAAA"/>',
    `<image x="0" y="0" width="1" height="1" xlink:href="${picture("no picture")}"/>`,
    `<image x="0" y="0" width="9" height="9" xlink:href="${picture('<svg viewBox="0 0 2 1"><rect width="1" height="1"/></svg>')}"/>`,
    "<text>&lt;image/&gt;</text>",
  ])("leaves %s as it is", (svg) => {
    expect(inlinePictures(svg)).toBe(svg);
  });
});
