import { Ray, Vector3 } from "three";
import { expect, test } from "vitest";
import { alongBent, pickBent } from "../src/viewport/picking";

const STEPS = 12;
/** Half a circle of radius one in the xy plane, which was a bone along x at rest. */
const ARCH = {
  joint: "arm",
  points: Array.from({ length: STEPS + 1 }, (_, i) => [-Math.cos((Math.PI * i) / STEPS), Math.sin((Math.PI * i) / STEPS), 0]).flat(),
  end: [2, 0, 0] as [number, number, number],
  bent: true,
};
const GIRTH = 0.1;
const from = (x: number, y: number): Ray => new Ray(new Vector3(x, y, 5), new Vector3(0, 0, -1));
const pick = (ray: Ray) =>
  pickBent(
    ray,
    [ARCH],
    () => GIRTH,
    () => 0,
  );

test("a bent bone is hit where it is, not where it was", () => {
  expect(pick(from(0, 1))?.place.parts[0].offset[0]).toBeCloseTo(1, 2);
  expect(pick(from(0, 1))?.distance).toBeCloseTo(5 - GIRTH, 2);
  expect(pick(from(0, 0))).toBeNull();
});

test("the spot that was hit is under the pointer again", () => {
  for (const turn of [0.6, 1.2, 2.5]) {
    const [x, y] = [-Math.cos(turn), Math.sin(turn)];
    const hit = pick(from(x, y));
    expect(hit?.joint).toBe("arm");
    const at = alongBent(ARCH, hit?.place.parts[0].offset ?? [], new Vector3());
    expect(Math.hypot(at.x - x, at.y - y)).toBeLessThan(0.02);
  }
});

test("near its start the joint is meant", () => {
  expect(pick(from(-0.99, 0.1))?.place.parts[0].offset).toEqual([0, 0, 0]);
});

test("places beyond the ends are at the ends", () => {
  expect(alongBent(ARCH, [9, 0, 0], new Vector3()).distanceTo(new Vector3(1, 0, 0))).toBeCloseTo(0, 9);
  expect(alongBent(ARCH, [-9, 0, 0], new Vector3()).distanceTo(new Vector3(-1, 0, 0))).toBeCloseTo(0, 9);
});
