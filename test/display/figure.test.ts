import { expect, test } from "vitest";
import { Figure } from "../../src/index.js";

const bars = (alt = "Three bars, the second the tallest"): Figure =>
  new Figure({ data: [{ type: "bar", y: [1, 3, 2] }], layout: { width: 300, height: 200 }, alt });

test("a figure's PNG is twice as large as its layout says", () => {
  const png = Buffer.from(bars().toPng());
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([600, 400]);
});

test("two figures of equal content have equal bytes and equal HTML", () => {
  expect(Buffer.compare(bars().toPng(), bars().toPng())).toBe(0);
  expect(bars().toHtml()).toBe(bars().toHtml());
});

test("a figure's bundle holds HTML, Plotly's JSON, a PNG and the alt text", () => {
  const bundle = bars().toBundle();
  expect(Object.keys(bundle)).toEqual(["text/html", "application/vnd.plotly.v1+json", "image/png", "text/plain"]);
  expect(bundle["text/plain"]).toBe("Three bars, the second the tallest");
});
