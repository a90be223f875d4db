import { expect, test } from "vitest";
import { flagAt, givesWay } from "../src/canvas/ruler";

test("a flag stands about its pixel, and within the ruler at its ends", () => {
  expect(flagAt(200, "17", 12, 100, 500)).toEqual({ text: "17", from: 190, to: 210 });
  expect(flagAt(101, "0", 6, 100, 500)).toMatchObject({ from: 100, to: 118 });
  expect(flagAt(499, "1234", 30, 100, 500)).toMatchObject({ from: 462, to: 500 });
});

test("numbers that the flag or the edge would cut give way, others stay", () => {
  const flag = flagAt(200, "17", 12, 100, 500);
  expect(givesWay(205, 217, 500, flag)).toBe(true);
  expect(givesWay(180, 191, 500, flag)).toBe(true);
  expect(givesWay(211, 223, 500, flag)).toBe(false);
  expect(givesWay(211, 223, 500, null)).toBe(false);
  expect(givesWay(495, 507, 500, null)).toBe(true);
});
