import { expect, test } from "vitest";
import { farthestParts, hitOrMiss, isHit } from "../src/model/target_words";
import type { TargetState } from "../src/protocol/messages";

const state = (parts: Partial<TargetState>): TargetState => ({
  name: "hand target",
  position: null,
  wish: null,
  distance: null,
  turn: null,
  speed: null,
  pose: null,
  ...parts,
});

test("a miss is told with everything that is missed, in people's units", () => {
  expect(hitOrMiss(state({ distance: 0.0421 }))).toBe("misses by 4.2 cm");
  expect(hitOrMiss(state({ distance: 0.0005 }))).toBe("misses by 0.05 cm");
  expect(hitOrMiss(state({ distance: 0.0421, turn: Math.PI / 60, speed: 0.5 }))).toBe("misses by 4.2 cm, 3.0°, 50 cm/s");
});

test("a pose is missed by its farthest part, in that part's unit", () => {
  const far = (kind: "rotation" | "translation", by: number) => ({ channel: "hips.rx", kind, joint: "hips", by });
  expect(hitOrMiss(state({ pose: [far("rotation", Math.PI / 30), far("rotation", 0.01)] }))).toBe("misses by 6.0°");
  expect(hitOrMiss(state({ pose: [far("translation", 0.02)] }))).toBe("misses by 2.0 cm");
  expect(hitOrMiss(state({ pose: [far("rotation", 1e-5)] }))).toBe("hit");
  expect(hitOrMiss(state({ pose: [] }))).toBe("hit");
});

test("parts of a pose that are missed are named by their joint, or by the control that they are", () => {
  const pose = [
    { channel: "thumb.rx", kind: "rotation", joint: "thumb", by: Math.PI / 18 },
    { channel: "curl", kind: "control", joint: null, by: 0.25 },
    { channel: "eye.ry", kind: "rotation", joint: "eye", by: 1e-6 },
  ] as const;
  expect(farthestParts(state({ pose: [...pose] }))).toEqual([
    { name: "thumb", joint: "thumb", by: "10.0°" },
    { name: "curl", joint: null, by: "0.25" },
  ]);
  expect(farthestParts(state({ distance: 1 }))).toEqual([]);
  expect(farthestParts(null)).toEqual([]);
});

test("it is hit when nothing that is wanted is missed to the eye, and nothing is said while nothing is known", () => {
  expect(hitOrMiss(state({ distance: 1e-8, turn: 1e-9 }))).toBe("hit");
  expect(isHit(state({ distance: 1e-8, speed: 1 }))).toBe(false);
  expect(hitOrMiss(null)).toBe("");
  expect(hitOrMiss(state({}))).toBe("");
});
