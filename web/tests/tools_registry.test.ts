// @vitest-environment happy-dom
import { expect, test } from "vitest";
import { findGestures } from "../src/app/sheet_search";
import { Model } from "../src/model/model";
import { jointPlace } from "../src/model/selection";
import { firstTool, toolCommands, toolOf, tools } from "../src/viewport/tools/registry";
import type { StageTool } from "../src/viewport/tools/tool";
import type { Under } from "../src/viewport/tools/under";

const [BODY, TICK, NOTHING]: Under[] = [
  { kind: "body", hit: { joint: "hand", place: jointPlace("hand"), distance: 1 } as Extract<Under, { kind: "body" }>["hit"] },
  { kind: "tick", arc: 1, frame: 7 },
  { kind: "nothing" },
];

test("no two tools share a name or a key", () => {
  for (const each of ["name", "key", "label"] as const) expect(new Set(tools.map((tool) => tool[each])).size).toBe(tools.length);
});

test("every tool has a command that chooses it", () => {
  const model = new Model("ws://nowhere", firstTool);
  for (const [i, tool] of tools.entries()) {
    expect(toolCommands[i]).toMatchObject({ id: `tool-${tool.name}`, keys: [tool.key], label: tool.label });
    toolCommands[i].run(model);
    expect(toolOf(model)).toBe(tool);
    expect(toolCommands.filter((each) => each.checked?.(model))).toEqual([toolCommands[i]]);
  }
});

test("what a tool does with the mouse is found on the shortcut sheet, with its key where it has to be chosen first", () => {
  for (const { gestures, key } of tools) {
    expect(gestures.length).toBeGreaterThan(0);
    for (const each of gestures) expect(findGestures(each.does)).toContainEqual(each);
    expect(gestures.every(({ gesture }) => !/^[A-Z],/.test(gesture) || gesture.startsWith(key))).toBe(true);
  }
});

test("the pointer says what a tool would do with what is under it", () => {
  const looks = (name: string): string[] => {
    const tool = tools.find((each) => each.name === name) as StageTool;
    return [BODY, TICK, NOTHING].map((what) => tool.cursor(what));
  };
  for (const name of ["pose", "move", "rotate"]) expect(looks(name)).toEqual(["pointer", "grab", ""]);
  expect(looks("timing")).toEqual(["pointer", "ew-resize", ""]);
  expect(looks("sketch")).toEqual(["crosshair", "crosshair", "crosshair"]);
  expect(looks("target")).toEqual(["crosshair", "crosshair", ""]);
  const target = tools.find(({ name }) => name === "target");
  expect([BODY, NOTHING].map((what) => target?.words?.(what, "hand"))).toEqual(["target: hand", "hand"]);
});
