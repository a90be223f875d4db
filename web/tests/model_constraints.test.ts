import { expect, test } from "vitest";
import { groupsOf, withHalf } from "../src/model/constraints";
import { jointPlace } from "../src/model/selection";
import type { ConstraintInfo } from "../src/protocol/messages";

test("one half of a state joins the other, leaves it, or stays where it is all that is held", () => {
  expect(withHalf("position", "orientation")).toBe("both");
  expect(withHalf("orientation", "position")).toBe("both");
  expect(withHalf("both", "orientation")).toBe("position");
  expect(withHalf("both", "position")).toBe("orientation");
  expect(withHalf("position", "position")).toBeNull();
});

test("constraints stand together by their places, in the order of the first of each", () => {
  const of = (joint: string, name: string): ConstraintInfo => ({ name, place: jointPlace(joint) }) as ConstraintInfo;
  const items = [of("toe_l", "a"), of("toe_r", "b"), of("toe_l", "c"), of("head", "d"), of("toe_r", "e")];
  expect(groupsOf(items).map((group) => group.map(({ name }) => name))).toEqual([["a", "c"], ["b", "e"], ["d"]]);
});
