import { expect, test } from "vitest";
import { corners, pathLength, pointAlong } from "../../src/display/paths.js";

test("corners() follows absolute and relative steps, and goes back to the start at Z", () => {
  expect(corners("M1,1H3v2l-2,0Z")).toEqual([
    { x: 1, y: 1 },
    { x: 3, y: 1 },
    { x: 3, y: 3 },
    { x: 1, y: 3 },
    { x: 1, y: 1 },
  ]);
});

test("corners() reads numbers as SVG writes them", () => {
  expect(corners("M.5-.5 1e1,2")).toEqual([
    { x: 0.5, y: -0.5 },
    { x: 10, y: 2 },
  ]);
});

test("a path is as long as its sides, and a curve about as long as it looks", () => {
  expect(pathLength("M0,0H3V4Z")).toBe(12);
  expect(pathLength("M0,0C0,0.5523 0.4477,1 1,1")).toBeCloseTo(Math.PI / 2, 2);
});

test("pointAlong() goes from the start to the end and no further", () => {
  const d = "M0,0H10V10";
  expect(pointAlong(d, 4)).toEqual({ x: 4, y: 0 });
  expect(pointAlong(d, 15)).toEqual({ x: 10, y: 5 });
  expect(pointAlong(d, -1)).toEqual({ x: 0, y: 0 });
  expect(pointAlong(d, 99)).toEqual({ x: 10, y: 10 });
});
