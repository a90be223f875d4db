import { describe, expect, test } from "vitest";
import type { Names } from "../src/model/key_refs";
import type { KeyRef } from "../src/protocol/messages";
import { ChosenKeys, includesAll, refsWithin, together, toggled } from "../src/timeline/chosen_keys";
import { KeyTimesCache } from "../src/timeline/key_times";
import { channel, curveAt } from "./timeline_curves";

const names: Names = {
  channels: [channel("a", ["x"]), channel("b", ["x"])],
  layers: [{ name: "loose", weight: 1, muted: false, override: false, solo: false, joints: [], weight_keys: [], weight_frames: [] }],
};
const [a, b, layered] = [curveAt([0, 1, 2], 0), curveAt([1, 3], 1), curveAt([1], 0, 1)];
const curves = [a, b, layered];

describe("keys within a stretch", () => {
  test("are named by channel, number and layer", () => {
    expect(refsWithin(curves, 1, 1, names)).toEqual([
      { channel: "a", key: 1, layer: null },
      { channel: "b", key: 0, layer: null },
      { channel: "a", key: 0, layer: "loose" },
    ]);
  });
});

describe("the selected keys", () => {
  test("are found on their curves, with the stretch of time they span", () => {
    const refs = refsWithin(curves, 1, 3, names);
    const chosen = new ChosenKeys(refs, curves, names);
    expect([chosen.from, chosen.to]).toEqual([1, 3]);
    expect(chosen.refs(names)).toEqual(refs);
  });

  test("may leave the layer out for the base", () => {
    const chosen = new ChosenKeys([{ channel: "a", key: 2 }], curves, names);
    expect([...chosen.byCurve]).toEqual([[a, [2]]]);
  });

  test("do not count when they are not there any more", () => {
    const gone: KeyRef[] = [
      { channel: "a", key: 7 },
      { channel: "nobody", key: 0 },
      { channel: "b", key: 0, layer: "loose" },
    ];
    expect(new ChosenKeys(gone, curves, names).isEmpty).toBe(true);
  });

  test("are counted at each time of a row", () => {
    const chosen = new ChosenKeys(
      [
        { channel: "a", key: 1 },
        { channel: "b", key: 1 },
        { channel: "a", key: 0, layer: "loose" },
      ],
      curves,
      names,
    );
    const times = new KeyTimesCache().of("row", curves);
    expect([...times.counts]).toEqual([1, 3, 1, 1]);
    expect([...(chosen.counts(curves, times) ?? [])]).toEqual([0, 2, 0, 1]);
    const own = new KeyTimesCache().of("row", [curveAt([5], 1)]);
    expect(chosen.counts([curveAt([5], 1)], own)).toBeNull();
  });
});

test("with Shift keys join the selection once, and leave it when all were in it", () => {
  const at1 = refsWithin(curves, 1, 1, names);
  const later = refsWithin(curves, 2, 3, names);
  const both = toggled(at1, later);
  expect(both.length).toBe(5);
  expect(together(both, at1)).toEqual(both);
  expect(includesAll(both, later)).toBe(true);
  expect(toggled(both, later)).toEqual(at1);
});
