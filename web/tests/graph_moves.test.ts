import { describe, expect, test } from "vitest";
import { edgesOf, exact, type Extent, handleEnd, type KeysMove, shift, stretch, tangentTo } from "../src/graph/moves";
import { typedTime, wished } from "../src/graph/key_fields";
import { BEZIER, type Key } from "../src/model/curves";

const KEY: Key = { time: 1, value: 2, inX: 0.25, inY: 0.5, outX: 0.5, outY: -1, interpolation: BEZIER, tied: false };

/** What the server makes of a move. */
function moved(time: number, value: number, [dt, dv, st, sv, pt, pv]: KeysMove): [number, number] {
  return [pt + st * (time - pt) + dt, pv + sv * (value - pv) + dv];
}

describe("shifting keys", () => {
  const from = { time: 1.01, value: 2.1 };

  test("brings the key that was taken hold of onto a whole frame", () => {
    const [time, value] = moved(KEY.time, KEY.value, shift(KEY, from, { time: 1.3, value: 2.6 }, 24, null));
    expect(time).toBeCloseTo(31 / 24, 12);
    expect(value).toBeCloseTo(2.5, 12);
  });

  test("follows the pointer between frames when it does not snap", () => {
    expect(shift(KEY, from, { time: 1.3, value: 2.1 }, null, null)[0]).toBeCloseTo(0.29, 12);
  });

  test("along one axis leaves the other alone", () => {
    expect(shift(KEY, from, { time: 1.5, value: 9 }, 24, "time")[1]).toBe(0);
    expect(shift(KEY, from, { time: 1.5, value: 9 }, 24, "value")[0]).toBe(0);
  });

  test("up and down leaves a key between frames where it is", () => {
    const between = { ...KEY, time: 1.02 };
    expect(shift(between, from, { time: 1.012, value: 5 }, 24, null)[0]).toBe(0);
  });

  test("by whole frames is exact, although keys arrive rounded to single precision", () => {
    const rounded = { ...KEY, time: Math.fround(29 / 24) };
    const [dt] = shift(rounded, { time: 1.2, value: 0 }, { time: 1.2 + 7 / 24, value: 0 }, 24, null);
    expect(dt).toBeCloseTo(7 / 24, 14);
  });
});

describe("stretching keys", () => {
  const extent: Extent = { start: 1, end: 2, low: -1, high: 3 };
  const from = { time: 0, value: 0 };

  test("brings the edge to the pointer and leaves the opposite edge where it is", () => {
    const right = stretch(extent, "right", from, { time: 0.51, value: 7 }, 24);
    expect(moved(2, 3, right)[0]).toBeCloseTo(2.5, 12);
    expect(moved(1, -1, right)).toEqual([1, -1]);
    const left = stretch(extent, "left", from, { time: -0.2, value: 0 }, null);
    expect(moved(1, 0, left)[0]).toBeCloseTo(0.8, 12);
    expect(moved(2, 0, left)[0]).toBeCloseTo(2, 12);
    const top = stretch(extent, "top", from, { time: 1, value: -2 }, 24);
    expect(moved(5, 3, top)).toEqual([5, 1]);
    expect(moved(5, -1, top)).toEqual([5, -1]);
    const bottom = stretch(extent, "bottom", from, { time: 0, value: -4 }, 24);
    expect(moved(5, -1, bottom)).toEqual([5, -5]);
    expect(moved(5, 3, bottom)).toEqual([5, 3]);
  });

  test("is offered where there is something to stretch", () => {
    expect(edgesOf(extent)).toEqual(["left", "right", "top", "bottom"]);
    expect(edgesOf({ ...extent, end: 1 })).toEqual(["top", "bottom"]);
    expect(edgesOf({ ...extent, low: null, high: null })).toEqual(["left", "right"]);
    expect(edgesOf({ ...extent, high: -1 })).toEqual(["left", "right"]);
  });
});

describe("handles", () => {
  test.each(["in", "out"] as const)("end where their tangent says, and back (%s)", (side) => {
    const end = handleEnd(KEY, side);
    expect(end).toEqual(side === "in" ? { time: 0.75, value: 1.5 } : { time: 1.5, value: 1 });
    expect(tangentTo(KEY, side, end)).toEqual(side === "in" ? [KEY.inX, KEY.inY] : [KEY.outX, KEY.outY]);
  });

  test("have no width on the wrong side of their key", () => {
    expect(tangentTo(KEY, "out", { time: 0.5, value: 3 })).toEqual([0, 1]);
  });
});

describe("typing a key's place", () => {
  test("takes frames, or seconds where those are shown", () => {
    expect([typedTime("36", 24, false), typedTime(" 1.5 s", 24, true), typedTime("1,5", 24, true)]).toEqual([1.5, 1.5, 1.5]);
    expect([typedTime("", 24, false), typedTime("soon", 24, false)]).toEqual([null, null]);
  });

  test("changes one and keeps the other", () => {
    expect(wished(KEY, "time", "48", "angle", 24, false)).toEqual({ time: 2, value: 2 });
    expect(wished(KEY, "value", "90°", "angle", 24, false)).toEqual({ time: 1, value: Math.PI / 2 });
    expect(wished(KEY, "value", "12.5 cm", "length", 24, false)).toEqual({ time: 1, value: 0.125 });
    expect(wished(KEY, "value", "high", "angle", 24, false)).toBeNull();
  });

  test("knows the frame of a rounded time", () => {
    expect([exact(Math.fround(53 / 24), 24), exact(1.02, 24)]).toEqual([53 / 24, 1.02]);
  });
});
