import { describe, expect, test } from "vitest";
import { type Mark, rulerMarks } from "../src/canvas/ruler";
import { TimeAxis } from "../src/canvas/time_axis";

const WIDTH = 500;

function marksOver(seconds: number, inSeconds: boolean, grid = { start: 0, end: seconds, rate: 24 }): { marks: Mark[]; axis: TimeAxis } {
  const axis = new TimeAxis();
  axis.fit(grid.start, grid.start + seconds, WIDTH, 16);
  return { marks: rulerMarks(axis, WIDTH, grid, inSeconds), axis };
}
const labelled = (marks: readonly Mark[]): Mark[] => marks.filter(({ label }) => label !== null);

describe.each([0.2, 1, 3, 10, 60, 417, 3600])("over %f seconds", (seconds) => {
  test.each([false, true])("labels do not collide and there are some (in seconds: %s)", (inSeconds) => {
    const { marks, axis } = marksOver(seconds, inSeconds);
    const xs = labelled(marks).map(({ time }) => axis.x(time));
    expect(xs.length).toBeGreaterThan(1);
    for (let i = 1; i < xs.length; i++) expect(xs[i] - xs[i - 1]).toBeGreaterThanOrEqual(40);
    expect(marks.length).toBeLessThanOrEqual(WIDTH / 3);
    const all = marks.map(({ time }) => axis.x(time));
    for (let i = 1; i < all.length; i++) expect(all[i] - all[i - 1]).toBeGreaterThanOrEqual(3.9);
  });

  test("a frame's label stands at the frame", () => {
    const { marks } = marksOver(seconds, false);
    for (const { time, label } of labelled(marks)) expect(Number(label?.replace("−", "-")) / 24).toBeCloseTo(time, 9);
  });

  test("a second's label stands at the second", () => {
    const { marks } = marksOver(seconds, true);
    for (const { time, label } of labelled(marks)) expect(Number.parseFloat(label?.replace("−", "-") ?? "")).toBeCloseTo(time, 9);
  });
});

test("a clip that starts late is labelled by its own frames, also between those of zero", () => {
  const grid = { start: 10.01, end: 12.01, rate: 24 };
  const { marks } = marksOver(2, false, grid);
  for (const { time, label } of labelled(marks)) {
    const frame = (time - grid.start) * grid.rate;
    expect(frame).toBeCloseTo(Math.round(frame), 9);
    expect(Number(label)).toBe(240 + Math.round(frame));
  }
});
