import { describe, expect, test } from "vitest";
import { brightest, heatOf } from "../src/graph/draw_guidance";
import type { GuidanceHeat } from "../src/protocol/messages";

const heat: GuidanceHeat = {
  type: "guidance-heat",
  gesture: 1,
  times: [0, 1, 2],
  rows: [
    { term: "torque", label: "arm", values: [1, 2, 3] },
    { term: "torque", label: "leg", values: [10, 10, 10] },
    { term: "jerk", label: "arm.rx", values: [0, 5, 0] },
    { term: "path", label: "arm", values: [100, 100, 100] },
  ],
};

describe("cost over time", () => {
  test("is that of what is shown, all terms together, without the regularisers", () => {
    expect(heatOf(heat, new Set(["arm", "arm.rx"]))).toEqual({ times: [0, 1, 2], values: [1, 7, 3], term: null, isWhole: false });
  });

  test("is the whole body's where nothing shown costs anything", () => {
    expect(heatOf(heat, new Set(["head"]))).toEqual({ times: [0, 1, 2], values: [11, 17, 13], term: null, isWhole: true });
  });

  test("is one term's where one is chosen and counts", () => {
    expect(heatOf(heat, new Set(["arm", "arm.rx"]), "jerk")).toEqual({ times: [0, 1, 2], values: [0, 5, 0], term: "jerk", isWhole: false });
    expect(heatOf(heat, new Set(["leg"]), "jerk")).toEqual({ times: [0, 1, 2], values: [0, 5, 0], term: "jerk", isWhole: true });
    expect(heatOf(heat, new Set(["leg"]), "balance")).toEqual({ times: [0, 1, 2], values: [10, 10, 10], term: null, isWhole: false });
  });

  test("is not darkened by a single moment", () => {
    const values = Array.from({ length: 100 }, (_, i) => (i === 50 ? 1000 : 1));
    expect(brightest({ times: values, values, term: null, isWhole: true })).toBe(1);
    expect(brightest({ times: [], values: [], term: null, isWhole: true })).toBeGreaterThan(0);
  });
});
