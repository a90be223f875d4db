import { beforeEach, expect, test } from "vitest";
import type { Node } from "../src/panels/outliner/tree";
import { TreeView } from "../src/panels/outliner/tree_view";

const node = (name: string, ...children: Node<null>[]): Node<null> => ({ id: name, name, item: null, children });
const forest = [node("all", node("hips", node("spine", node("chest", node("hand"))), node("leg", node("foot"))), node("ground"))];
let view: TreeView<null>;

beforeEach(() => {
  view = new TreeView();
  view.show(forest, true, 4);
});

const shown = (): string[] => view.rows.map((row) => row.node.name);

test("arrows walk the shown lines and stop at the ends", () => {
  expect(shown()).toEqual(["all", "hips", "spine", "leg", "ground"]);
  const walked = ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown", "ArrowDown"].map((key) => [view.onKey(key), view.cursor]);
  expect(walked).toEqual([
    [true, "all"],
    [true, "hips"],
    [true, "spine"],
    [true, "leg"],
    [true, "ground"],
    [false, "ground"],
  ]);
  expect(view.onKey("ArrowUp")).toBe(true);
  expect(view.cursor).toBe("leg");
  expect([view.onKey("Home"), view.cursor]).toEqual([true, "all"]);
  expect([view.onKey("End"), view.cursor]).toEqual([true, "ground"]);
});

test("right opens, then enters; left closes, then leaves", () => {
  view.cursor = "spine";
  expect(view.onKey("ArrowRight")).toBe(false);
  expect(shown()).toEqual(["all", "hips", "spine", "chest", "leg", "ground"]);
  expect([view.onKey("ArrowRight"), view.cursor]).toEqual([true, "chest"]);
  expect([view.onKey("ArrowLeft"), view.cursor]).toEqual([true, "spine"]);
  expect(view.onKey("ArrowLeft")).toBe(false);
  expect(shown()).toEqual(["all", "hips", "spine", "leg", "ground"]);
  expect([view.onKey("ArrowLeft"), view.cursor]).toEqual([true, "hips"]);
});

test("keys that are not the tree's are left to others", () => {
  expect(view.onKey("p")).toBeNull();
  expect(view.onKey(" ")).toBeNull();
});

test("revealing opens all above", () => {
  view.reveal("hand");
  expect(shown()).toEqual(["all", "hips", "spine", "chest", "hand", "leg", "ground"]);
  expect(view.at("hand")).toBe(4);
});

test("a search is left as the tree was", () => {
  const before = shown();
  view.search = "hand";
  expect(shown()).toEqual(["all", "hips", "spine", "chest", "hand"]);
  view.cursor = "chest";
  expect([view.onKey("ArrowLeft"), view.cursor]).toEqual([true, "spine"]);
  view.search = "";
  expect(shown()).toEqual(before);
});

test("the same document told again keeps what is open, another does not", () => {
  view.reveal("hand");
  view.show(forest, false);
  expect(shown()).toContain("hand");
  expect(view.cursor).toBe("hand");
  view.show(forest, true, 4);
  expect(shown()).not.toContain("hand");
  expect(view.cursor).toBeNull();
});
