import { Vector3 } from "three";
import { describe, expect, test } from "vitest";
import { keysAround } from "../src/model/arcs";
import type { Arc } from "../src/protocol/binary";
import { atFrame, faded, frameCount, keyAt, nearestFrame, type Stretch, samplesOf, samplesWithin, stretchAround } from "../src/viewport/arc_geometry";

const RATE = 24;

/** An arc of 4 samples a frame through some positions in pixels of a flat screen. */
function arcThrough(at: (frame: number) => [number, number], frames: number, keys: number[] = []): Arc {
  const samples = 4 * (frames - 1) + 1;
  const positions = new Float32Array(Array.from({ length: samples }, (_, i) => [...at(i / 4), 0]).flat());
  return {
    type: "arc",
    revision: 1,
    arc: 1,
    perFrame: 4,
    start: 1,
    samples,
    positions,
    speeds: new Float32Array(samples),
    turns: null,
    keyTimes: new Float32Array(keys),
    keyPositions: new Float32Array(3 * keys.length),
  };
}

const whole = (arc: Arc): Stretch => ({ first: 0, last: frameCount(arc) - 1 });

const flat = (position: Vector3, into: Vector3): Vector3 => into.copy(position);

describe("the frame that the pointer means", () => {
  const line = arcThrough((frame) => [10 * frame, 0], 11);

  test("is the nearest along the curve, also between samples", () => {
    expect(nearestFrame(line, whole(line), flat, 33, 5, 8, 0)).toEqual({ frame: 3, apart: 5 });
    expect(nearestFrame(line, whole(line), flat, 36, 5, 8, 0)?.frame).toBe(4);
    expect(nearestFrame(line, whole(line), flat, 1000, 5, 8, 0)).toBeNull();
    expect(nearestFrame(line, whole(line), flat, 50, 9, 8, 0)).toBeNull();
  });

  test("is the shown one where the motion rests", () => {
    const resting = arcThrough((frame) => [frame < 4 ? 10 * frame : 40, 0], 20);
    expect(nearestFrame(resting, whole(resting), flat, 41, 1, 8, 13)?.frame).toBe(13);
    expect(nearestFrame(resting, whole(resting), flat, 12, 1, 8, 13)?.frame).toBe(1);
  });

  test("is never one behind the eye", () => {
    const behind = (position: Vector3, into: Vector3): Vector3 => into.set(position.x, position.y, position.x < 50 ? 2 : 0);
    expect(nearestFrame(line, whole(line), behind, 20, 0, 8, 10)).toBeNull();
    expect(nearestFrame(line, whole(line), behind, 70, 0, 8, 10)?.frame).toBe(7);
  });
});

test("an arc's frames are counted, and each is where its sample is", () => {
  const line = arcThrough((frame) => [10 * frame, 1], 11);
  expect(frameCount(line)).toBe(11);
  expect(atFrame(line, 7, new Vector3()).toArray()).toEqual([70, 1, 0]);
  expect(atFrame(line, 99, new Vector3()).toArray()).toEqual([100, 1, 0]);
});

test("a range in seconds covers the samples within it, ends included", () => {
  const line = arcThrough((frame) => [frame, 0], 25);
  expect(samplesWithin(line, RATE, null, null)).toEqual([0, 96]);
  expect(samplesWithin(line, RATE, 1 + 2 / RATE, 1 + 5 / RATE)).toEqual([8, 20]);
  expect(samplesWithin(line, RATE, 1.5, 1.5)).toEqual([48, 48]);
  expect(samplesWithin(line, RATE, 5, 6)).toBeNull();
});

test("keys are found at a time and around it", () => {
  const line = arcThrough((frame) => [frame, 0], 25, [1, 1.5, 2]);
  expect(keyAt(line, 1.5 + 0.4 / RATE, RATE)).toBe(1);
  expect(keyAt(line, 1.6, RATE)).toBe(-1);
  expect(keysAround(line, 1.6)).toEqual([1.5, 2]);
  expect(keysAround(line, 1.5)).toEqual([1.5, 2]);
  expect(keysAround(line, 2)).toEqual([1.5, 2]);
  expect(keysAround(line, 0.5)).toBeNull();
  expect(keysAround(line, 2.5)).toBeNull();
});

describe("of a long clip", () => {
  const line = arcThrough((frame) => [10 * frame, 0], 241);

  test("what lies around the frame that is shown is drawn, and all where nothing is said", () => {
    expect(stretchAround(line, 100, RATE, 2)).toEqual({ first: 52, last: 148 });
    expect(stretchAround(line, 10, RATE, 2)).toEqual({ first: 0, last: 58 });
    expect(stretchAround(line, 999, RATE, 2)).toEqual({ first: 192, last: 240 });
    expect(stretchAround(line, 100, RATE, null)).toEqual({ first: 0, last: 240 });
    expect(samplesOf(line, { first: 52, last: 148 })).toEqual([208, 592]);
    expect(samplesOf(line, { first: 192, last: 240 })).toEqual([768, 960]);
  });

  test("it fades where it goes on, not where the clip ends", () => {
    const [early, late] = [stretchAround(line, 10, RATE, 2), stretchAround(line, 230, RATE, 2)];
    expect([faded(early, line, 0), faded(early, line, 30), faded(early, line, 58)]).toEqual([1, 1, 0]);
    expect([faded(late, line, late.first), faded(late, line, 240)]).toEqual([0, 1]);
    expect(faded(early, line, 55)).toBeGreaterThan(0.2);
    expect(faded(early, line, 100)).toBe(0);
  });

  test("what is not drawn is not meant", () => {
    const around = stretchAround(line, 100, RATE, 2);
    expect(nearestFrame(line, around, flat, 1000, 3, 8, 100)?.frame).toBe(100);
    expect(nearestFrame(line, around, flat, 500, 3, 8, 100)).toBeNull();
    expect(nearestFrame(line, whole(line), flat, 500, 3, 8, 100)?.frame).toBe(50);
  });
});
