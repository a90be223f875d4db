import { expect, test } from "vitest";
import { massCentre, totalMass, weightText } from "../src/model/mass_centre";
import type { JointInfo } from "../src/protocol/messages";

const joint = (mass: number, centre: [number, number, number]): JointInfo => ({ name: "j", parent: -1, order: "ZYX", rest: [0, 0, 0], mass, centre });

test("the centre of mass is the mean of the joints' own centres, turned and carried by the pose", () => {
  const joints = [joint(3, [0, 0, 0]), joint(1, [1, 0, 0])];
  // The second joint is turned by a quarter about z and stands at (0, 2, 4): its centre is at (0, 3, 4).
  const world = new Float32Array([1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 1, 0, 0, 2, 0, 0, 1, 4]);
  expect(totalMass(joints)).toBe(4);
  expect(massCentre(joints, world)).toEqual([0.75, 0.75, 1]);
  expect(massCentre([joint(0, [0, 0, 0])], world.subarray(0, 12))).toBeNull();
  expect(massCentre(joints, new Float32Array(12))).toBeNull();
});

test("weights are read in kilograms, or in grams where they are light", () => {
  expect([29.754, 1, 0.85, 0.0042].map(weightText)).toEqual(["29.8 kg", "1.0 kg", "850 g", "4.2 g"]);
});
