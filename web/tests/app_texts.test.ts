import { describe, expect, it } from "vitest";
import { hitCount, obstacleDetails, obstacleLine } from "../src/app/obstacle_text";
import { findCommands, findGestures, rank } from "../src/app/sheet_search";
import { milliseconds, pinError, selectionText, warmingText } from "../src/app/status_text";
import { Commands } from "../src/commands/commands";
import type { Model } from "../src/model/model";

describe("status", () => {
  it("rounds as one reads", () => {
    expect([0.61, 12.3].map(milliseconds)).toEqual(["0.6 ms", "12 ms"]);
    expect([0, 0.000021, 0.0123].map(pinError)).toEqual(["0 mm", "0.02 mm", "12 mm"]);
  });

  it("names what is selected, be it on the body or a control", () => {
    expect(selectionText([], [])).toBe("nothing selected");
    expect(selectionText(["hand", "head"], [])).toBe("head + 1");
    expect(selectionText([], ["smile"])).toBe("smile");
    expect(selectionText(["hand"], ["smile", "open"])).toBe("hand + 2");
  });

  it("speaks of compiling only while it goes on", () => {
    expect(warmingText(null)).toBeNull();
    expect(warmingText({ type: "warming", ready: 12, total: 37 })).toBe("compiling 12/37");
    expect(warmingText({ type: "warming", ready: 37, total: 37 })).toBeNull();
  });
});

describe("obstacles", () => {
  const items = [
    { name: "ball", clearance: -0.123, frames: [4, 5, 6] },
    { name: "post", clearance: 0.042, frames: [] },
    { name: "sign", clearance: -0.001, frames: [9] },
  ];

  it("are counted in words", () => {
    expect([hitCount(items), hitCount([])].map(obstacleLine)).toEqual(["2 obstacles hit", "0 obstacles hit"]);
    expect(obstacleLine(1)).toBe("1 obstacle hit");
  });

  it("tell clearances in centimetres and frames as read", () => {
    expect(obstacleDetails(items, (frame) => frame + 100).split("\n")).toEqual([
      "ball: hit, 12 cm deep, frames 104 to 106",
      "post: 4.2 cm clear",
      "sign: hit, 0.1 cm deep, frame 109",
    ]);
  });
});

describe("the shortcut sheet", () => {
  const run = (): void => {};
  const commands = new Commands({} as Model);
  commands.add(
    { id: "a", label: "Pin point", group: "Constraints" as const, keys: ["P"], run },
    { id: "b", label: "Undo", group: "Edit" as const, keys: ["Ctrl+Z"], run },
    { id: "c", label: "About", group: "Help" as const, run },
    { id: "d", label: "Key a pin", group: "Keys" as const, run, enabled: () => false, why: () => "No key" },
  );

  it("lists what has keys, by group in a fixed order", () => {
    expect(findCommands(commands, "").map((each) => each.group)).toEqual(["Edit", "Constraints"]);
  });

  it("finds by all words, in label, key or group", () => {
    expect(findCommands(commands, "ctrl+z")).toHaveLength(1);
    expect(findCommands(commands, "PIN constr")[0].commands[0].label).toBe("Pin point");
    expect(findCommands(commands, "pin undo")).toEqual([]);
    expect(findGestures("wheel graph").map((each) => each.does)).toEqual(["Zoom at the pointer"]);
  });

  it("offers all by name in the palette: what can be done first, then what begins so", () => {
    expect(rank(commands, "").map(({ id }) => id)).toEqual(["a", "b", "c", "d"]);
    expect(rank(commands, "pin").map(({ id, reason }) => [id, reason])).toEqual([
      ["a", ""],
      ["d", "No key"],
    ]);
    expect(rank(commands, "nothing of the kind")).toEqual([]);
  });
});
