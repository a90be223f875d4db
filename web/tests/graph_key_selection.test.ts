import { describe, expect, test } from "vitest";
import { copiedKeys, drawnRows, extentOf, selectedRefs, still, toggled, without } from "../src/graph/key_selection";
import type { Row } from "../src/graph/rows";
import { DEGREES } from "../src/graph/units";
import { Curves } from "../src/model/curves";
import type { KeyRef } from "../src/protocol/messages";

function row(channel: number, name: string, layer = 0, layerName: string | null = null): Row {
  return { channel, info: { name } as Row["info"], layer, layerName, label: name, unit: DEGREES, axis: null };
}

function curves(...told: { channel: number; layer?: number; times: number[] }[]): Curves {
  const made = new Curves();
  const update = told.map(({ channel, layer = 0, times }) => {
    const rows = new Float32Array(8 * times.length);
    times.forEach((time, i) => rows.set([time, i, 0, 0, 0, 0, 2, 1], 8 * i));
    return { channel, layer, keys: times.length, rows };
  });
  made.put({ type: "curves", revision: 1, whole: true, curves: update });
  return made;
}

function ref(channel: string, key: number, layer: string | null = null): KeyRef {
  return { channel, key, layer };
}

const ROWS = [row(0, "rx"), row(0, "rx", 1, "tweak"), row(1, "ry"), row(2, "rz")];
const KNOWN = curves({ channel: 0, times: [0, 1, 2] }, { channel: 0, layer: 1, times: [0, 1] }, { channel: 1, times: [0, 3] });

describe("what is drawn", () => {
  test("is every row with a curve, with the keys selected on its own layer", () => {
    const drawn = drawnRows(ROWS, KNOWN, [ref("rx", 2), ref("rx", 0, "tweak"), ref("ry", 1), { channel: "ry", key: 0 }]);
    expect(drawn.map(({ selected }) => [...selected])).toEqual([[2], [0], [1, 0]]);
    expect(selectedRefs(drawn)).toEqual([ref("rx", 2), ref("rx", 0, "tweak"), ref("ry", 1), ref("ry", 0)]);
    expect(extentOf(drawn)).toEqual({ start: 0, end: 3, low: 0, high: 2 });
  });

  test("has no extent without selected keys, nor by numbers that are no keys", () => {
    expect(extentOf(drawnRows(ROWS, KNOWN, []))).toBeNull();
    expect(extentOf(drawnRows(ROWS, KNOWN, [ref("rx", 9)]))).toBeNull();
  });
});

describe("a selection", () => {
  test("gains keys, or loses them when it has them all", () => {
    const one = [ref("rx", 0)];
    expect(toggled(one, [ref("rx", 0), ref("ry", 1)])).toEqual([ref("rx", 0), ref("ry", 1)]);
    expect(toggled([...one, ref("ry", 1)], one)).toEqual([ref("ry", 1)]);
    expect(toggled(one, [{ channel: "rx", key: 0 }])).toEqual([]);
    expect(without(one, [ref("rx", 0, "tweak")])).toEqual(one);
  });

  test("forgets keys that are gone and stays the same list when none is", () => {
    const keys = [ref("rx", 2), ref("rx", 2, "tweak"), ref("elsewhere", 7)];
    expect(still(keys, ROWS, KNOWN)).toEqual([ref("rx", 2), ref("elsewhere", 7)]);
    const there = [ref("rx", 1)];
    expect(still(there, ROWS, KNOWN)).toBe(there);
  });

  test("finds copies by their times, whatever their numbers became", () => {
    const after = curves({ channel: 0, times: [0, 0.5, 1, 1.5, 2] });
    const copies = {
      from: [
        { row: ROWS[0], times: [0, 1] },
        { row: ROWS[2], times: [0] },
      ],
      move: [0.5, 3, 1, 1, 0, 0] as [number, number, number, number, number, number],
    };
    expect(copiedKeys(copies, after, 24)).toEqual([ref("rx", 1), ref("rx", 3)]);
  });
});
