import { describe, expect, test } from "vitest";
import { TimeAxis } from "../src/canvas/time_axis";
import { jointPlace } from "../src/model/selection";
import type { ConstraintInfo } from "../src/protocol/messages";
import { arrange, middleOf, RANGE_STRIP, RULER, TRACK } from "../src/timeline/arrangement";
import { type Hit, type HitSource, hitAt } from "../src/timeline/hits";
import { KeyTimesCache } from "../src/timeline/key_times";
import { lanesOf } from "../src/timeline/lanes";
import { keyRows, summaryRow } from "../src/timeline/rows";
import { kindData } from "./kinds";
import { channel, curveAt, joint } from "./timeline_curves";

const CLIP = { start: 0, end: 3 };
const constraint = (name: string, start: number | null, end: number | null, kind: ConstraintInfo["kind"] = "contact"): ConstraintInfo => ({
  name,
  ...kindData(kind),
  place: jointPlace("foot"),
  wanted: "position",
  start,
  end,
  on: true,
});
const curves = [curveAt([0, 1, 2, 3], 0), curveAt([1], 1)];
const rows = keyRows(
  { channels: [channel("hips.tx", ["hips"]), channel("foot.rx", ["foot"])], layers: [], joints: [joint("hips"), joint("foot", 0)], curves },
  null,
  new Set(),
);
const bars = [constraint("stand", 0.5, 1.5), constraint("hold", null, null, "pin"), constraint("lock", 2.5, 2.5, "lock")];
const place = arrange(640, 200, summaryRow(curves), rows, lanesOf(bars, jointPlace("foot"), CLIP), { rows: 0, lanes: 0 });
const axis = new TimeAxis();
axis.fit(0, 3, 640 - place.left, 16);
const cache = new KeyTimesCache();
const source: HitSource = { axis, clip: CLIP, chosen: { from: 1, to: 2 }, cameraKeys: [], timesOf: (row) => cache.of(row.id, row.curves) };
const at = (time: number, y: number, nudge = 0): Hit => hitAt(place.left + axis.x(time) + nudge, y, place, source);

describe("the ruler", () => {
  test("scrubs, but for the clip's ends on the strip at its top", () => {
    expect(at(0, RULER - 4)).toEqual({ kind: "ruler" });
    expect(at(0, RANGE_STRIP / 2)).toEqual({ kind: "clip-end", side: "start" });
    expect(at(3, RANGE_STRIP / 2, 4)).toEqual({ kind: "clip-end", side: "end" });
    expect(at(1.5, RANGE_STRIP / 2)).toEqual({ kind: "ruler" });
    expect(hitAt(10, 10, place, source)).toEqual({ kind: "corner" });
  });
});

describe("keys", () => {
  test("are hit by their diamond, in every row", () => {
    for (const row of [place.summary, ...place.rows]) {
      expect(at(1, middleOf(row), 5)).toMatchObject({ kind: "key", time: 1, crowded: false, row: { id: row.item.id } });
      expect(at(1, middleOf(row), 9)).toEqual({ kind: "keys" });
    }
    expect(at(2, middleOf(place.rows[1]))).toEqual({ kind: "keys" });
  });

  test("too close to be told apart say so", () => {
    const narrow = new TimeAxis();
    narrow.fit(0, 1000, 500);
    const hit = hitAt(place.left + narrow.x(1), middleOf(place.rows[0]), place, { ...source, axis: narrow });
    expect(hit).toMatchObject({ kind: "key", crowded: true });
  });

  test("selected at several times have two ends to stretch by", () => {
    const y = place.summary.y + 3;
    expect(at(1, y)).toEqual({ kind: "scale", side: "from" });
    expect(at(2, y, -3)).toEqual({ kind: "scale", side: "to" });
    const single = hitAt(place.left + axis.x(1), y, place, { ...source, chosen: { from: 1, to: 1 } });
    expect(single.kind).not.toBe("scale");
  });
});

describe("bars", () => {
  const [lane] = place.lanes;
  const track = (n: number): number => lane.y + (n + 0.5) * TRACK;

  test("are taken by either end or the body", () => {
    const parts = [
      [0.5, 2, "start"],
      [1.5, -2, "end"],
      [1, 0, "body"],
    ] as const;
    for (const [time, nudge, part] of parts) {
      expect(at(time, track(0), nudge)).toMatchObject({ kind: "bar", part, bar: { constraint: { name: "stand" } } });
    }
    expect(at(2, track(1))).toMatchObject({ kind: "bar", bar: { constraint: { name: "hold" } } });
  });

  test("leave a body to the shortest bar, and locks are all body", () => {
    const short = lanesOf([constraint("tap", 1, 1.03)], null, CLIP);
    const there = arrange(640, 200, summaryRow(curves), rows, short, { rows: 0, lanes: 0 });
    const hit = hitAt(there.left + axis.x(1.015), there.lanes[0].y + TRACK / 2, there, source);
    expect(hit).toMatchObject({ kind: "bar", part: "body" });
    expect(at(2.5, track(0), 4)).toMatchObject({ kind: "bar", part: "body", bar: { constraint: { name: "lock" } } });
  });

  test("leave the rest of the lane free", () => {
    expect(at(2, track(0))).toMatchObject({ kind: "lane", lane: { active: true } });
    expect(hitAt(20, track(0), place, source)).toMatchObject({ kind: "lane-name", lane: { name: "foot" } });
  });
});

test("names select, and their triangles open", () => {
  const [hips] = place.rows;
  expect(hitAt(9, middleOf(hips), place, source)).toMatchObject({ kind: "name", twisty: true, row: { joint: "hips" } });
  expect(hitAt(40, middleOf(hips), place, source)).toMatchObject({ kind: "name", twisty: false });
});
