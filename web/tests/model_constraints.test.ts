import { expect, test } from "vitest";
import { withHalf } from "../src/model/constraints";

test("one half of a state joins the other, leaves it, or stays where it is all that is held", () => {
  expect(withHalf("position", "orientation")).toBe("both");
  expect(withHalf("orientation", "position")).toBe("both");
  expect(withHalf("both", "orientation")).toBe("position");
  expect(withHalf("both", "position")).toBe("orientation");
  expect(withHalf("position", "position")).toBeNull();
});
