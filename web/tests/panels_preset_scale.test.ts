import { expect, test } from "vitest";
import { PresetScale } from "../src/panels/dynamics/preset_scale";

const PRESETS = [
  { name: "tight", frequency: 12, damping: 0.9 },
  { name: "firm", frequency: 6, damping: 0.7 },
  { name: "drunk", frequency: 1.5, damping: 0.3 },
];
const scale = new PresetScale(PRESETS);

test("every preset has a stop, and near a stop the slider is on it", () => {
  PRESETS.forEach((preset, i) => {
    expect(scale.share(preset.frequency)).toBeCloseTo(i / 2, 12);
    for (const off of [-0.06, 0, 0.06]) expect(scale.springAt(i / 2 + off)).toBe(PRESETS[Math.min(2, Math.max(0, i))]);
    expect(scale.nameOf({ ...preset, name: "arm" })).toBe(preset.name);
  });
});

test("between stops springs go evenly in ratios, and have no name", () => {
  const middle = scale.springAt(0.75);
  expect(middle?.frequency).toBeCloseTo(3, 12);
  expect(middle?.damping).toBeCloseTo(0.5, 12);
  expect(scale.share(3)).toBeCloseTo(0.75, 12);
  expect(middle && scale.nameOf(middle)).toBe("own");
});

test("springs beyond the presets stand at the ends, and without presets there is nothing to slide", () => {
  expect(scale.share(100)).toBe(0);
  expect(scale.share(0.1)).toBe(1);
  expect(new PresetScale([]).springAt(0.5)).toBeNull();
  expect(new PresetScale([]).share(3)).toBe(0);
});
