import { describe, expect, test } from "vitest";
import { frameFrom, momentText, shiftText, snapped, spanText } from "../src/canvas/frames";

const GRID = { start: 0, end: 3, rate: 24 };
const LATE = { start: 1.01, end: 3.01, rate: 30 };

test("snapping goes to the nearest frame of the clip and stays there", () => {
  for (const grid of [GRID, LATE]) {
    for (let time = 0; time < 3; time += 0.0137) {
      const there = snapped(time, grid);
      const frame = (there - grid.start) * grid.rate;
      expect(frame).toBeCloseTo(Math.round(frame), 9);
      expect(Math.abs(there - time)).toBeLessThanOrEqual(0.5 / grid.rate + 1e-9);
      expect(snapped(there, grid)).toBeCloseTo(there, 12);
    }
  }
});

describe("what people read", () => {
  test("moments", () => {
    expect(momentText(17 / 24, GRID, false)).toBe("17");
    expect(momentText(17.5 / 24, GRID, false)).toBe("17.5");
    expect(momentText(17 / 24, GRID, true)).toBe("0.71 s");
    expect(momentText(LATE.start, LATE, false)).toBe("30");
    expect(momentText(-2 / 24, GRID, false)).toBe("−2");
    expect(momentText(-1e-9, GRID, true)).toBe("0.00 s");
  });

  test("stretches and shifts", () => {
    expect(spanText(12 / 24, 20 / 24, GRID, false)).toBe("frames 12–20");
    expect(spanText(0.5, 1, GRID, true)).toBe("0.50–1.00 s");
    expect([5, 1, -1, 0, 2.5].map((frames) => shiftText(frames / 24, GRID, false))).toEqual(["+5 frames", "+1 frame", "−1 frame", "+0 frames", "+2.5 frames"]);
    expect(shiftText(-0.25, GRID, true)).toBe("−0.25 s");
  });
});

describe("what people type", () => {
  test("a frame by its label, or seconds", () => {
    expect(frameFrom("17", GRID, false)).toBe(17);
    expect(frameFrom(" 0,5 s", GRID, false)).toBe(12);
    expect(frameFrom("0.5", GRID, true)).toBe(12);
    expect(frameFrom("12 f", GRID, true)).toBe(12);
    expect(frameFrom("30", LATE, false)).toBe(0);
    expect(frameFrom("−3", GRID, false)).toBe(-3);
  });

  test("what is no number is refused", () => {
    for (const text of ["", "abc", "1e3x", "12 m", "--2", "1.2.3"]) expect(frameFrom(text, GRID, false)).toBeNull();
  });

  test("what is shown can be typed back", () => {
    for (let frame = 0; frame <= 60; frame++) {
      const time = LATE.start + frame / LATE.rate;
      expect(frameFrom(momentText(time, LATE, false), LATE, false)).toBe(frame);
      expect(frameFrom(momentText(time, LATE, true), LATE, true)).toBe(frame);
    }
  });
});
