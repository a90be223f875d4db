import { expect, test } from "vitest";
import { TimeAxis } from "../src/canvas/time_axis";
import { bellHeight, drawnHeights, drawnOver } from "../src/model/bell";
import type { AimInfo, BellInfo } from "../src/protocol/messages";
import { partTime, pulledWidths, targetHit } from "../src/timeline/target_drags";

const aim = (name: string, time: number, bell?: BellInfo): AimInfo => ({
  name,
  on: true,
  solved: false,
  gives: [],
  could: [],
  target: { kind: "point", time, bell },
});

test("a bell is whole at its target, nothing beyond its widths, and as wide on each side as it says", () => {
  for (const shape of ["gaussian", "polynomial"] as const) {
    const bell = { before: 0.2, after: 0.8, shape };
    expect(bellHeight(bell, 0)).toBe(1);
    expect(bellHeight(bell, -0.2)).toBe(0);
    expect(bellHeight(bell, 0.8)).toBe(0);
    expect(bellHeight(bell, 0.4)).toBeCloseTo(bellHeight(bell, -0.1), 12);
  }
  expect(bellHeight({ shape: "gaussian" }, 0.5 / 3)).toBeCloseTo(Math.exp(-0.5), 12);
  expect(bellHeight({ shape: "polynomial" }, 0.25)).toBeCloseTo(0.75 ** 2, 12);
});

const drawn: BellInfo = {
  before: 0.4,
  after: 0.2,
  drawn: [
    [-1, 0],
    [-0.5, 0.1],
    [-0.25, 0.7],
    [0, 1],
    [0.5, 0.75],
    [1, 0],
  ],
};

test("a drawn bell goes through its own heights, and between them as the server's does", () => {
  expect([-0.4, -0.2, -0.1, 0, 0.1, 0.2].map((at) => bellHeight(drawn, at))).toEqual([0, 0.1, 0.7, 1, 0.75, 0]);
  // Read off the curves that inbetweener.kinodynamics.Bell makes of the same heights.
  const server = [0.006073113, 0.05571934, 0.362735849, 0.9, 0.921875, 0.328125];
  [-0.35, -0.25, -0.15, -0.05, 0.05, 0.15].forEach((at, i) => {
    expect(bellHeight(drawn, at)).toBeCloseTo(server[i], 8);
  });
});

test("a pen that goes over a bell changes what it passes, and neither the top nor the rest", () => {
  const before = drawnHeights({ shape: "polynomial" });
  expect(before[3]).toBe(1);
  const after = drawnOver(before, [-0.8, 0.9], [-0.2, 0.3]);
  expect(after.slice(3)).toEqual(before.slice(3));
  [0.85, 0.6, 0.35].forEach((height, i) => {
    expect(after[i]).toBeCloseTo(height, 12);
  });
  expect(drawnOver(before, [0.2, 0.3], [-0.2, 2])[3], "the top stays").toBe(1);
  expect(Math.max(...drawnOver(before, [0.5, 0.3], [0.5, 2])), "no higher than the top").toBe(1);
});

test("diamonds are taken before the ends of bells, and the nearer end before the other", () => {
  const axis = new TimeAxis();
  [axis.start, axis.scale] = [0, 100];
  const [first, second] = [aim("a", 1, { before: 0.5, after: 0.5 }), aim("b", 1.54, { before: 0.3, after: 0.3 })];
  expect(targetHit([first, second], axis, 100)).toEqual({ aim: first, part: "time" });
  // The end of a's bell is at 150, b's diamond at 154.
  expect(targetHit([first, second], axis, 151)).toEqual({ aim: second, part: "time" });
  expect(targetHit([first], axis, 151)).toEqual({ aim: first, part: "after" });
  expect(targetHit([first, second], axis, 125)).toEqual({ aim: second, part: "before" });
  expect(targetHit([first, second], axis, 75)).toBeNull();
});

test("an end that is pulled leaves the other where it is, and never comes nearer than a frame", () => {
  const target = aim("a", 1, { before: 0.5, after: 0.25 });
  expect(partTime(target, "before")).toBe(0.5);
  expect(partTime(target, "after")).toBe(1.25);
  expect(pulledWidths(target, "before", 0.2, 0.04)).toEqual([0.8, 0.25]);
  expect(pulledWidths(target, "after", 1.75, 0.04)).toEqual([0.5, 0.75]);
  expect(pulledWidths(target, "after", 0.9, 0.04)).toEqual([0.5, 0.04]);
});
