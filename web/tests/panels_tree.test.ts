import { expect, test } from "vitest";
import { flatten, inView, type Node, openAtFirst, pathTo } from "../src/panels/outliner/tree";

/** "hips(spine(arm_l arm_r) leg)" as nodes. */
function grow(text: string): Node<null>[] {
  const top: Node<null>[] = [];
  const stack = [top];
  for (const token of text.match(/[^\s()]+|[()]/g) ?? []) {
    const here = stack[stack.length - 1];
    if (token === "(") stack.push(here[here.length - 1].children);
    else if (token === ")") stack.pop();
    else here.push({ id: token, name: token, item: null, children: [] });
  }
  return top;
}

const BODY = grow("hips(spine(arm_l(hand_l) arm_r(hand_r)) leg_l) ground");
const names = (rows: { node: Node<null> }[]): string[] => rows.map((row) => row.node.name);

test("closed branches are not listed", () => {
  expect(names(flatten(BODY, () => false))).toEqual(["hips", "ground"]);
  expect(names(flatten(BODY, (id) => id === "hips"))).toEqual(["hips", "spine", "leg_l", "ground"]);
});

test("depth, parents and branches are told", () => {
  const rows = flatten(BODY, () => true);
  expect(names(rows)).toEqual(["hips", "spine", "arm_l", "hand_l", "arm_r", "hand_r", "leg_l", "ground"]);
  expect(rows.map((row) => row.depth)).toEqual([0, 1, 2, 3, 2, 3, 1, 0]);
  expect(rows.map((row) => row.parent)).toEqual([-1, 0, 1, 2, 1, 4, 0, -1]);
  expect(rows.map((row) => row.open)).toEqual([true, true, true, null, true, null, null, null]);
});

test("a search keeps what matches and all above it, whatever is closed", () => {
  const rows = flatten(BODY, () => false, " HAND_r ");
  expect(names(rows)).toEqual(["hips", "spine", "arm_r", "hand_r"]);
  expect(rows.map((row) => row.found)).toEqual([-1, -1, -1, 0]);
});

test("below a match, what does not match is left out", () => {
  expect(names(flatten(BODY, () => true, "spine"))).toEqual(["hips", "spine"]);
  expect(flatten(BODY, () => true, "spine")[1].open).toBeNull();
  expect(flatten(BODY, () => true, "elbow")).toEqual([]);
});

test("a heading is not found by its own name", () => {
  const forest: Node<null>[] = [{ id: "s", name: "Arms", item: null, heading: true, children: grow("arm_l leg_l") }];
  expect(names(flatten(forest, () => true, "arm"))).toEqual(["Arms", "arm_l"]);
  expect(flatten(forest, () => true, "arms")).toEqual([]);
});

test("at first two levels are open, and those below as far as they fit", () => {
  expect([...openAtFirst(BODY, 6)]).toEqual(["hips", "spine"]);
  expect([...openAtFirst(BODY, 7)]).toEqual(["hips", "spine"]);
  expect([...openAtFirst(BODY, 8)]).toEqual(["hips", "spine", "arm_l", "arm_r"]);
  expect([...openAtFirst(BODY, 1)]).toEqual(["hips", "spine"]);
});

test("finds the way to a node", () => {
  expect(pathTo(BODY, "hand_r")).toEqual(["hips", "spine", "arm_r"]);
  expect(pathTo(BODY, "ground")).toEqual([]);
  expect(pathTo(BODY, "tail")).toBeNull();
});

test("lists only the lines in view", () => {
  expect(inView(0, 220, 22, 1500, 0)).toEqual([0, 10]);
  expect(inView(2200, 220, 22, 1500, 6)).toEqual([94, 116]);
  expect(inView(32_900, 220, 22, 1500, 6)).toEqual([1489, 1500]);
  expect(inView(500, 220, 22, 3, 0)).toEqual([3, 3]);
  expect(inView(0, 220, 22, 0)).toEqual([0, 0]);
});
