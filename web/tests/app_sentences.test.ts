import { expect, test } from "vitest";
import { sentence } from "../src/model/notices";

test("a line that stands alone begins with a capital", () => {
  expect(sentence("there is nothing to undo")).toBe("There is nothing to undo");
  expect(sentence("windows leave 0.1 cm at most")).toBe("Windows leave 0.1 cm at most");
});

test("names keep their letters", () => {
  for (const text of ["walk.bvh: 2 things were mended", "hand_l is pinned", "flying-robot has changes", "4 contacts found", "'jab' is under way"]) {
    expect(sentence(text)).toBe(text);
  }
});
