import { expect, test } from "vitest";
import { LogScale, REGULARISE, STIFFNESS } from "../src/panels/fields/scales";

test("equal ways on the slider are equal ratios", () => {
  const scale = new LogScale(0.1, 10);
  expect(scale.value(0)).toBeCloseTo(0.1, 12);
  expect(scale.value(0.5)).toBeCloseTo(1, 12);
  expect(scale.value(1)).toBeCloseTo(10, 12);
  expect(scale.value(0.75) / scale.value(0.5)).toBeCloseTo(scale.value(0.5) / scale.value(0.25), 12);
});

test("a value keeps its place", () => {
  for (const value of [0.1, 0.37, 1, 12.5, 30]) expect(STIFFNESS.value(STIFFNESS.share(value))).toBeCloseTo(value, 10);
});

test("beyond the ends is at the ends", () => {
  expect(STIFFNESS.share(1e-3)).toBe(0);
  expect(STIFFNESS.share(1e3)).toBe(1);
  expect(STIFFNESS.value(-1)).toBeCloseTo(0.1, 12);
  expect(STIFFNESS.value(2)).toBeCloseTo(30, 12);
});

test("guidance can be told not to keep to the motion at all", () => {
  expect(REGULARISE.value(0)).toBe(0);
  expect(REGULARISE.share(0)).toBe(0);
  for (const value of [0.02, 0.3, 10]) expect(REGULARISE.value(REGULARISE.share(value))).toBeCloseTo(value, 10);
});
