import { describe, expect, test } from "vitest";
import { timeText, typedTime, wished } from "../src/graph/key_fields";
import { type Extent, edgesOf, exact, handleEnd, type KeysMove, shift, stretch, tangentTo } from "../src/graph/moves";
import { BEZIER, type Key } from "../src/model/curves";

const GRID = { start: 0, end: 3, rate: 24 };
/** A clip that starts between the frames of the clock. */
const LATE = { start: 0.51, end: 3, rate: 24 };
const KEY: Key = { time: 1, value: 2, inX: 0.25, inY: 0.5, outX: 0.5, outY: -1, interpolation: BEZIER, tied: false };

/** What the server makes of a move. */
function moved(time: number, value: number, [dt, dv, st, sv, pt, pv]: KeysMove): [number, number] {
  return [pt + st * (time - pt) + dt, pv + sv * (value - pv) + dv];
}

describe("shifting keys", () => {
  const from = { time: 1.01, value: 2.1 };

  test("brings the key that was taken hold of onto a whole frame", () => {
    const [time, value] = moved(KEY.time, KEY.value, shift(KEY, from, { time: 1.3, value: 2.6 }, GRID, null));
    expect(time).toBeCloseTo(31 / 24, 12);
    expect(value).toBeCloseTo(2.5, 12);
  });

  test("follows the pointer between frames when it does not snap", () => {
    expect(shift(KEY, from, { time: 1.3, value: 2.1 }, null, null)[0]).toBeCloseTo(0.29, 12);
  });

  test("along one axis leaves the other alone", () => {
    expect(shift(KEY, from, { time: 1.5, value: 9 }, GRID, "time")[1]).toBe(0);
    expect(shift(KEY, from, { time: 1.5, value: 9 }, GRID, "value")[0]).toBe(0);
  });

  test("up and down leaves a key between frames where it is", () => {
    const between = { ...KEY, time: 1.02 };
    expect(shift(between, from, { time: 1.012, value: 5 }, GRID, null)[0]).toBe(0);
  });

  test("by whole frames is exact, although keys arrive rounded to single precision", () => {
    const rounded = { ...KEY, time: Math.fround(29 / 24) };
    const [dt] = shift(rounded, { time: 1.2, value: 0 }, { time: 1.2 + 7 / 24, value: 0 }, GRID, null);
    expect(dt).toBeCloseTo(7 / 24, 14);
  });
});

test("a shift passes other keys and is counted in the frames of the clip", () => {
  const pull = (frames: number, time = 1, grid = GRID): number => {
    const to = { time: frames / 24, value: 0 };
    return shift({ time, value: 0 }, { time: 0, value: 0 }, to, grid, null)[0] * 24;
  };
  expect(pull(9.3)).toBeCloseTo(9, 9);
  expect(pull(-30)).toBeCloseTo(-30, 9);
  expect((1 + pull(2, 1, LATE) / 24 - LATE.start) * 24).toBeCloseTo(14, 9);
});

describe("stretching keys", () => {
  const extent: Extent = { start: 1, end: 2, low: -1, high: 3 };
  const from = { time: 0, value: 0 };

  test("brings the edge to the pointer and leaves the opposite edge where it is", () => {
    const right = stretch(extent, "right", from, { time: 0.51, value: 7 }, GRID);
    expect(moved(2, 3, right)[0]).toBeCloseTo(2.5, 12);
    expect(moved(1, -1, right)).toEqual([1, -1]);
    const left = stretch(extent, "left", from, { time: -0.2, value: 0 }, null);
    expect(moved(1, 0, left)[0]).toBeCloseTo(0.8, 12);
    expect(moved(2, 0, left)[0]).toBeCloseTo(2, 12);
    const top = stretch(extent, "top", from, { time: 1, value: -2 }, GRID);
    expect(moved(5, 3, top)).toEqual([5, 1]);
    expect(moved(5, -1, top)).toEqual([5, -1]);
    const bottom = stretch(extent, "bottom", from, { time: 0, value: -4 }, GRID);
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
    expect([typedTime("36", GRID, false), typedTime(" 1.5 s", GRID, true), typedTime("1,5", GRID, true)]).toEqual([1.5, 1.5, 1.5]);
    expect([typedTime("", GRID, false), typedTime("soon", GRID, false)]).toEqual([null, null]);
  });

  test("counts frames as the ruler does, and back", () => {
    for (const grid of [GRID, LATE]) expect(typedTime(timeText(1.26, grid, false), grid, false)).toBeCloseTo(1.26, 3);
    expect([timeText(1.5, GRID, false), timeText(1.25, GRID, true), timeText(LATE.start, LATE, false)]).toEqual(["36", "1.25 s", "12"]);
  });

  test("changes one and keeps the other", () => {
    expect(wished(KEY, "time", "48", "angle", GRID, false)).toEqual({ time: 2, value: 2 });
    expect(wished(KEY, "value", "90°", "angle", GRID, false)).toEqual({ time: 1, value: Math.PI / 2 });
    expect(wished(KEY, "value", "12.5 cm", "length", GRID, false)).toEqual({ time: 1, value: 0.125 });
    expect(wished(KEY, "value", "high", "angle", GRID, false)).toBeNull();
  });

  test("knows the frame of a rounded time", () => {
    expect([exact(Math.fround(53 / 24), GRID), exact(1.02, GRID)]).toEqual([53 / 24, 1.02]);
  });
});
