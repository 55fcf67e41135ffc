import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { array, ValueError } from "../../src/index.js";

function caught(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}

describe("errors", () => {
  it("ValueError is a RangeError with a name, a message and a stack", () => {
    const error = caught(() => array([[1, 2], [3]]));
    expect(error).toBeInstanceOf(ValueError);
    expect(error).toBeInstanceOf(RangeError);
    expect(error).toMatchObject({ name: "ValueError", message: expect.stringContaining("x[1]") });
    expect((error as Error).stack).toContain("errors.test");
    expect(Object.keys(error as object)).toEqual([]);
  });

  it("show as one line, a wrong value and a wrong type alike", () => {
    expect(inspect(new ValueError("no"))).toBe("ValueError: no");
    expect(inspect(caught(() => array([1, "2" as unknown as number])))).toBe(
      'TypeError: Cannot make an array: x[1] must be a number, got "2"',
    );
    expect(String(new ValueError("no"))).toBe("ValueError: no");
  });

  it("leave the errors of others as they were", () => {
    expect(inspect(new TypeError("theirs"))).toContain("errors.test");
    expect(inspect(new RangeError("theirs"))).toContain("errors.test");
  });
});
