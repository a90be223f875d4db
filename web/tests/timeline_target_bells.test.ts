import { expect, test } from "vitest";
import { TimeAxis } from "../src/canvas/time_axis";
import { bellHeight } from "../src/model/bell";
import type { AimInfo, BellInfo } from "../src/protocol/messages";
import { partTime, pulledWidths, targetHit } from "../src/timeline/target_drags";

const aim = (name: string, time: number, bell?: BellInfo): AimInfo => ({ name, on: true, solved: false, target: { kind: "point", time, bell } });

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

test("a drawn bell goes through its own heights", () => {
  const bell: BellInfo = {
    before: 1,
    after: 1,
    drawn: [
      [-1, 0],
      [-0.5, 0.2],
      [0, 1],
      [1, 0],
    ],
  };
  expect([-0.75, -0.5, 0, 0.5].map((at) => bellHeight(bell, at))).toEqual([0.1, 0.2, 1, 0.5]);
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
