import { parseHTML } from "linkedom";
import { describe, expect, test } from "vitest";
import { box } from "../../src/display/boxes.js";

function boxOf(inside: string): { left: number; top: number; right: number; bottom: number } {
  const { document } = parseHTML(`<svg><g>${inside}</g></svg>`);
  const { left, top, right, bottom } = box(document.querySelector("g") as unknown as Element);
  return { left, top, right, bottom };
}

describe("the box of a group", () => {
  const rect = (transform: string): string => `<rect x="1" y="2" width="30" height="4" transform="${transform}"/>`;
  test.each([
    ["as it stands", "", [1, 2, 31, 6]],
    ["moved", "translate(10,-5)", [11, -3, 41, 1]],
    ["turned", "rotate(90)", [-6, 1, -2, 31]],
    ["turned around a point of its own", "rotate(-90,1,2)", [1, -28, 5, 2]],
    ["turned, then moved", "translate(100,0) rotate(90)", [94, 1, 98, 31]],
  ])("has what is in it %s", (_, transform, [left, top, right, bottom]) => {
    const found = boxOf(rect(transform));
    expect(found.left).toBeCloseTo(left, 9);
    expect(found.top).toBeCloseTo(top, 9);
    expect(found.right).toBeCloseTo(right, 9);
    expect(found.bottom).toBeCloseTo(bottom, 9);
  });

  test("is the union of its parts", () => {
    expect(boxOf(rect("") + rect("translate(50,50)"))).toEqual({ left: 1, top: 2, right: 81, bottom: 56 });
  });
});
