import { describe, expect, test } from "vitest";
import { keyRows, type RowSource, summaryRow } from "../src/timeline/rows";
import { channel, curveAt, joint } from "./timeline_curves";

const channels = [
  channel("hips.tx", ["hips"], "translation"),
  channel("hips.ry", ["hips"]),
  channel("arm.rx", ["arm"]),
  channel("curl", ["arm", "hand"], "control"),
  channel("smile", [], "shape"),
  channel("hand.rz", ["hand"]),
];
const source: RowSource = {
  channels,
  layers: [{ name: "loose", weight: 1, muted: false, override: false, solo: false, joints: [], weight_keys: [], weight_frames: [] }],
  joints: [joint("hips"), joint("arm", 0), joint("hand", 1)],
  curves: [curveAt([0], 1), curveAt([0, 1], 0), curveAt([2], 2), curveAt([1], 2, 1), curveAt([0], 3), curveAt([0], 4)],
};
const names = (rows: { name: string }[]): string[] => rows.map(({ name }) => name);

describe("with nothing selected", () => {
  test("everything that has keys is listed once, joints in the rig's order, then controls and shapes", () => {
    const rows = keyRows(source, null, new Set());
    expect(names(rows)).toEqual(["hips", "arm", "curl", "smile"]);
    expect(rows.flatMap((row) => row.curves).length).toBe(6);
    expect(rows.map(({ joint: own, control }) => own ?? control)).toEqual(["hips", "arm", "curl", "smile"]);
  });

  test("an open joint shows its curves in the rig's order, layers by name", () => {
    const rows = keyRows(source, null, new Set(["joint hips", "joint arm"]));
    expect(names(rows)).toEqual(["hips", "tx", "ry", "arm", "rx", "rx · loose", "curl", "smile"]);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  });
});

describe("with something selected", () => {
  test("a joint has every channel that moves it, also without keys of its own", () => {
    const [arm, hand] = keyRows(source, { joints: ["arm", "hand"], controls: [] }, new Set());
    expect(arm.curves.map((curve) => curve.channel)).toEqual([2, 2, 3]);
    expect(hand.curves.map((curve) => curve.channel)).toEqual([3]);
  });

  test("a joint selected by two points is listed once", () => {
    expect(names(keyRows(source, { joints: ["arm", "arm"], controls: ["smile"] }, new Set()))).toEqual(["arm", "smile"]);
  });
});

test("the summary has all curves", () => {
  expect(summaryRow(source.curves).curves).toEqual([...source.curves]);
});
