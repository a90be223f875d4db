import { Matrix4, Vector3 } from "three";
import { expect, test } from "vitest";
import type { Curve, Key } from "../src/model/curves";
import { strengths } from "../src/model/onion_options";
import type { JointInfo } from "../src/protocol/messages";
import { sharesOf } from "../src/viewport/marks";
import { keyFrames, neighbours } from "../src/viewport/onion";
import { alarm, SIMMER } from "../src/viewport/props";
import { spread } from "../src/viewport/room";
import { layAlong, spansOf } from "../src/viewport/skeleton";
import { Pace } from "../src/viewport/stage";

test("an obstacle never hit is calm, one that is hit is reddest while it is hit, and cools down after", () => {
  expect(alarm([], 10, 24)).toBe(0);
  const hit = [10, 11, 12];
  expect(alarm(hit, 3, 24)).toBe(SIMMER);
  for (const frame of hit) expect(alarm(hit, frame, 24)).toBeGreaterThanOrEqual(0.6);
  const after = [13, 14, 16, 19].map((frame) => alarm(hit, frame, 24));
  after.forEach((now, i) => expect(now).toBeLessThan(after[i - 1] ?? 0.9));
  expect(alarm(hit, 40, 24)).toBe(SIMMER);
});

test("an obstacle that is hit twice flashes twice", () => {
  expect(alarm([5, 50], 30, 24)).toBe(SIMMER);
  expect(alarm([5, 50], 50, 24)).toBeGreaterThan(0.5);
});

function curve(...times: number[]): Curve {
  const key = (time: number): Key => ({ time, value: 0, inX: 0, inY: 0, outX: 0, outY: 0, interpolation: 2, tied: true });
  return { channel: 0, layer: 0, keys: times.map(key) };
}

test("key frames of all curves together, in order, only within the clip", () => {
  expect(keyFrames([curve(0, 1), curve(0.5, 1, 9)], (time) => 24 * time, 48)).toEqual([0, 12, 24]);
});

test("onion skins are the nearest keys on both sides, nearest first, never the shown frame", () => {
  expect(neighbours([0, 10, 24, 40, 60], 24, 61, 2)).toEqual({ before: [10, 0], after: [40, 60] });
  expect(neighbours([0, 10, 24, 40, 60], 5, 61, 2)).toEqual({ before: [0], after: [10, 24] });
});

test("a recording with keys everywhere, or a clip without keys, has onion skins at fixed steps", () => {
  const every = Array.from({ length: 30 }, (_, i) => i);
  expect(neighbours(every, 10, 30, 2)).toEqual({ before: [6, 2], after: [14, 18] });
  expect(neighbours([], 2, 30, 2)).toEqual({ before: [], after: [6, 10] });
});

test("bones go from parents to children and, at the ends of limbs, to named points", () => {
  const joint = (name: string, parent: number): JointInfo => ({ name, parent, order: "XYZ", rest: [0, 0, 0], mass: 1, centre: [0, 0, 0] });
  const joints = [joint("hips", -1), joint("leg", 0), joint("foot", 1)];
  const points = [
    { name: "toe", joint: "foot", offset: [0, 0, 0.1] as [number, number, number], shapes: [] },
    { name: "knee", joint: "leg", offset: [0, 0.2, 0] as [number, number, number], shapes: [] },
    { name: "ankle", joint: "foot", offset: [0, 0, 0] as [number, number, number], shapes: [] },
  ];
  expect(spansOf(joints, points)).toEqual([
    { joint: 0, child: 1, offset: [0, 0, 0] },
    { joint: 1, child: 2, offset: [0, 0, 0] },
    { joint: 2, child: -1, offset: [0, 0, 0.1] },
  ]);
});

test("a bone is laid from its start to its tip, right-handed and as thick as asked, in every direction", () => {
  for (const direction of [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, -1],
    [1, 2, -3],
    [-1, 1, 1],
  ]) {
    const start = new Vector3(1, 2, 3);
    const tip = start.clone().add(new Vector3(...direction));
    const matrix = layAlong(start, tip, 0.1, true, new Matrix4());
    expect(new Vector3(0, 0, 0).applyMatrix4(matrix).distanceTo(start)).toBeLessThan(1e-12);
    expect(new Vector3(0, 1, 0).applyMatrix4(matrix).distanceTo(tip)).toBeLessThan(1e-12);
    expect(new Vector3(1, 0, 0).applyMatrix4(matrix).distanceTo(start)).toBeCloseTo(0.1, 12);
    expect(matrix.determinant()).toBeCloseTo(0.01 * start.distanceTo(tip), 12);
  }
});

test("the joint that carries a place most counts as one, others by their share of that", () => {
  const part = (joint: string, weight: number) => ({ joint, weight, offset: [0, 0, 0] as [number, number, number] });
  const places = [
    { name: "", parts: [part("a", 0.6), part("b", 0.3)] },
    { name: "", parts: [part("b", 1)] },
  ];
  expect(sharesOf(places.slice(0, 1), (name) => "ab".indexOf(name)).get(1)).toBeCloseTo(0.5, 9);
  const shares = sharesOf(places, (name) => "ab".indexOf(name));
  expect([...shares]).toEqual([
    [0, 1],
    [1, 1],
  ]);
});

test("few frames stand for a long clip, all of them for a short one", () => {
  expect(spread(3)).toEqual([0, 1, 2]);
  const many = spread(1001);
  expect(many.length).toBe(24);
  expect([many[0], many.at(-1)]).toEqual([0, 1000]);
  expect(spread(0)).toEqual([]);
});

test("the pace counts drawings of the last second, starts anew after a rest, and is zero at rest", () => {
  const pace = new Pace();
  expect(pace.perSecond(0)).toBe(0);
  for (let i = 0; i <= 120; i++) pace.drew(1000 + (i * 1000) / 60);
  expect(pace.perSecond(3000)).toBeCloseTo(60, 6);
  expect(pace.perSecond(3400)).toBe(0);
  pace.drew(9000);
  expect(pace.perSecond(9000)).toBe(0);
  pace.drew(9040);
  expect(pace.perSecond(9040)).toBeCloseTo(25, 6);
});

test("onion skins come at the step and in the number that is wished for, and fade evenly", () => {
  expect(neighbours([], 20, 40, 3, 6)).toEqual({ before: [14, 8, 2], after: [26, 32, 38] });
  expect(strengths({ count: 1, opacity: 0.6 })).toEqual([0.6]);
  const clear = strengths({ count: 4, opacity: 0.9 });
  expect(clear[0]).toBe(0.9);
  expect(clear[3]).toBeCloseTo(0.3, 2);
  clear.slice(1).forEach((each, i) => expect(each).toBeLessThan(clear[i]));
});
