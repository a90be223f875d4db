import { expect, test } from "vitest";
import { TimeAxis } from "../src/canvas/time_axis";
import { APART, keyMarks } from "../src/timeline/key_marks";
import { KeyTimesCache } from "../src/timeline/key_times";
import { curveAt } from "./timeline_curves";

const WIDTH = 500;

function axisOver(from: number, to: number): TimeAxis {
  const axis = new TimeAxis();
  axis.fit(from, to, WIDTH, 10);
  return axis;
}

const dense = new KeyTimesCache().of("dense", [curveAt(Array.from({ length: 10_000 }, (_, i) => i / 24))]);

test("keys that can be told apart are marks of their own", () => {
  const times = new KeyTimesCache().of("row", [curveAt([0, 1, 2, 3])]);
  const marks = keyMarks(times, null, axisOver(0, 3), WIDTH);
  expect(marks).toEqual([0, 1, 2, 3].map((i) => ({ first: i, last: i, chosen: "none" })));
});

test("a dense capture is one run, and every key is in a mark at any zoom", () => {
  expect(keyMarks(dense, null, axisOver(0, 10_000 / 24), WIDTH).length).toBe(1);
  for (const seconds of [1, 5, 20, 100, 400]) {
    const axis = axisOver(0, seconds);
    const marks = keyMarks(dense, null, axis, WIDTH);
    expect(marks.length).toBeLessThanOrEqual(WIDTH / APART + 2);
    marks.forEach((mark, i) => i > 0 && expect(mark.first).toBe(marks[i - 1].last + 1));
    const [first, last] = [marks[0].first, marks.at(-1)?.last ?? -1];
    expect(first).toBe(0);
    expect(axis.x(dense.times[last])).toBeLessThanOrEqual(WIDTH + 5);
    expect(last === 9999 || axis.x(dense.times[last + 1]) >= WIDTH).toBe(true);
  }
});

test("a selection shows within a run: all, some or none", () => {
  const times = { times: dense.times.slice(0, 100), counts: new Uint32Array(100).fill(2) };
  const chosen = new Uint32Array(100);
  chosen.fill(2, 40, 50);
  chosen[60] = 1;
  const marks = keyMarks(times, chosen, axisOver(0, 400), WIDTH);
  expect(marks.map(({ first, last, chosen: state }) => [first, last, state])).toEqual([
    [0, 39, "none"],
    [40, 49, "all"],
    [50, 59, "none"],
    [60, 60, "some"],
    [61, 99, "none"],
  ]);
});
