import { describe, expect, it } from "vitest";
import { MENUS, sections } from "../src/app/menus";
import { Commands } from "../src/commands/commands";
import { startingWith, stepTo } from "../src/elements/menu_steps";
import type { Model } from "../src/model/model";

const commands = new Commands({} as Model);
const run = (): void => {};
commands.add(
  { id: "smooth", label: "Smooth tangents", group: "Keys", run },
  { id: "undo", label: "Undo", group: "Edit", keys: ["Ctrl+Z"], run, enabled: () => false, why: () => "Nothing to undo" },
  { id: "onion", label: "Onion skins", group: "Show", run, checked: () => true },
  { id: "turns", label: "Orientations", group: "Show", run, checked: () => false },
  { id: "next", label: "Next frame", group: "Time", keys: ["ArrowRight"], run },
);

describe("sections", () => {
  it("follows the menu's groups, leaves empty ones out and says what stands in the way", () => {
    expect(sections(commands, ["Edit", "Keys", "Constraints"])).toEqual([
      { group: "Edit", items: [{ id: "undo", label: "Undo", key: "Ctrl+Z", checked: null, reason: "Nothing to undo" }] },
      { group: "Keys", items: [{ id: "smooth", label: "Smooth tangents", key: "", checked: null, reason: "" }] },
    ]);
  });

  it("ticks what is on", () => {
    const [{ items }] = sections(commands, ["Show"]);
    expect(items.map(({ checked }) => checked)).toEqual([true, false]);
  });

  it("shows every group of commands in exactly one menu", () => {
    const all = MENUS.flatMap((menu) => menu.columns.flat());
    expect([...all].sort()).toEqual([
      "Camera",
      "Character",
      "Clips",
      "Constraints",
      "Edit",
      "File",
      "Guidance",
      "Help",
      "Keys",
      "Library",
      "Look",
      "Looseness",
      "Panels",
      "Pose",
      "Show",
      "Skin",
      "Time",
      "Tools",
    ]);
  });
});

describe("moving in a menu", () => {
  it("goes round with the arrows", () => {
    expect(stepTo("ArrowDown", 2, 3)).toBe(0);
    expect(stepTo("ArrowUp", 0, 3)).toBe(2);
    expect(stepTo("ArrowDown", -1, 3)).toBe(0);
    expect(stepTo("ArrowUp", -1, 3)).toBe(2);
    expect(stepTo("End", 0, 3)).toBe(2);
    expect(stepTo("Enter", 0, 3)).toBeNull();
    expect(stepTo("ArrowDown", -1, 0)).toBeNull();
  });

  it("finds the next item by its letter", () => {
    const labels = ["Save", "Open", "Save as"];
    expect(startingWith("s", labels, 0)).toBe(2);
    expect(startingWith("s", labels, 2)).toBe(0);
    expect(startingWith("x", labels, 0)).toBeNull();
  });
});
