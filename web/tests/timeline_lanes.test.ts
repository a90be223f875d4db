import { describe, expect, test } from "vitest";
import { jointPlace } from "../src/model/selection";
import type { ConstraintInfo } from "../src/protocol/messages";
import { barLabel, lanesOf } from "../src/timeline/lanes";
import { kindData } from "./kinds";

const CLIP = { start: 0, end: 3 };

function constraint(name: string, joint: string, start: number | null, end: number | null, kind: ConstraintInfo["kind"] = "contact"): ConstraintInfo {
  return { name, ...kindData(kind), place: jointPlace(joint), wanted: "position", start, end, on: true };
}

describe("lanes", () => {
  test("are one a point, in the order of the constraints", () => {
    const lanes = lanesOf([constraint("a", "foot", 0, 1), constraint("b", "hand", 0, 1), constraint("c", "foot", 2, 3)], null, CLIP);
    expect(lanes.map(({ name, bars, tracks }) => [name, bars.length, tracks])).toEqual([
      ["foot", 2, 1],
      ["hand", 1, 1],
    ]);
  });

  test("give bars that overlap or touch tracks of their own", () => {
    const ranges: [number, number | null][] = [
      [0, 1],
      [0.5, 2],
      [1, 1.5],
      [2.5, null],
    ];
    const [lane] = lanesOf(
      ranges.map(([from, to], i) => constraint(String(i), "foot", from, to)),
      null,
      CLIP,
    );
    expect(lane.bars.map(({ track }) => track)).toEqual([0, 1, 2, 0]);
    for (const a of lane.bars) {
      for (const b of lane.bars) {
        if (a !== b && a.track === b.track) expect(a.to < b.from || b.to < a.from).toBe(true);
      }
    }
  });

  test("show endless pins to the clip's ends", () => {
    const [lane] = lanesOf([constraint("p", "head", null, null, "pin")], null, CLIP);
    expect([lane.bars[0].from, lane.bars[0].to]).toEqual([0, 3]);
  });
});

describe("the active point", () => {
  test("has a lane to drag on although nothing constrains it", () => {
    const lanes = lanesOf([constraint("a", "foot", 0, 1)], jointPlace("hand"), CLIP);
    expect(lanes.map(({ name, active, tracks }) => [name, active, tracks])).toEqual([
      ["foot", false, 1],
      ["hand", true, 1],
    ]);
  });

  test("has a free track beside a pin over the whole clip, and no more than needed", () => {
    const pinned = lanesOf([constraint("p", "head", null, null, "pin")], jointPlace("head"), CLIP)[0];
    expect([pinned.tracks, pinned.bars[0].track]).toEqual([2, 0]);
    const roomy = lanesOf([constraint("c", "head", 0, 1)], jointPlace("head"), CLIP)[0];
    expect(roomy.tracks).toBe(1);
  });
});

test("a bar's label leaves out the point's name, which stands beside the lane", () => {
  expect(barLabel(constraint("foot contact 2", "foot", 0, 1))).toBe("contact 2");
  expect(barLabel(constraint("landing", "foot", 0, 1))).toBe("landing");
});
