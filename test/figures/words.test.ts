import { expect, test } from "vitest";
import { many, named, range, span } from "../../src/figures/words.js";

test("a count has the form of its noun that fits it", () => {
  expect([0, 1, 2].map((count) => many(count, "key"))).toEqual(["0 keys", "1 key", "2 keys"]);
  expect(many(1, "query", "queries")).toBe("1 query");
  expect(many(2, "query", "queries")).toBe("2 queries");
});

test("positions are named one by one, or as a run", () => {
  expect(span([0, 1])).toBe("0, 1");
  expect(span([3, 4, 5])).toBe("3 to 5");
  expect(named("head", [7])).toBe("head 7");
  expect(named("batch", [1, 3], "batches")).toBe("batches 1, 3");
  expect(range("column", 0, 1)).toBe("column 0");
  expect(range("column", 4, 8)).toBe("columns 4 to 7");
});
