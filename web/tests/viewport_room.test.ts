import { Matrix4, Vector3, Vector4 } from "three";
import { expect, test } from "vitest";
import { type Box, boxAround, diagonal, JointBoxes } from "../src/viewport/bounds";
import type { MeshArrays } from "../src/viewport/mesh_arrays";
import { floorHeight, gridStep, roomOf } from "../src/viewport/room";
import { castFromFloor, castFromLight, squareAround } from "../src/viewport/shadow_maps";

const PERSON: Box = { low: [-0.4, 0, -0.3], high: [0.4, 1.8, 0.3] };

test("the floor is at zero for who stands on it or flies, and under what was made elsewhere", () => {
  expect(floorHeight(-0.1, 1.8)).toBe(0);
  expect(floorHeight(3, 1.8)).toBe(0);
  expect(floorHeight(-5, 1.8)).toBe(-5);
  expect(floorHeight(90, 1.8)).toBe(90);
});

test.each([
  [1.8, 0.5],
  [0.02, 0.005],
  [78, 20],
  [1, 0.2],
])("a character of %f m stands on a grid of %f m", (size, step) => {
  expect(gridStep(size)).toBeCloseTo(step, 12);
});

test("a wall far larger than the motion does not count, a box beside it does", () => {
  const wall: Box = { low: [-50, 0, -1], high: [50, 20, -0.9] };
  const stool: Box = { low: [1, 0, 0], high: [1.5, 0.5, 0.5] };
  const room = roomOf(PERSON, PERSON, [wall, stool]);
  expect(room.box).toEqual({ low: [-0.4, 0, -0.3], high: [1.5, 1.8, 0.5] });
  expect(room.size).toBeCloseTo(diagonal(PERSON), 12);
});

test("a document without anything still has a room", () => {
  expect(roomOf(null, null, []).size).toBeGreaterThan(0);
});

test("boxes hold every vertex that follows a joint most, in any pose", () => {
  const mesh: MeshArrays = {
    vertices: Float32Array.from([1, 0, 0, 0, 2, 0, 0, 0, 3]),
    triangles: new Uint32Array(0),
    influencesEach: 2,
    influences: Uint32Array.from([0, 1, 0, 1, 0, 1]),
    weights: Float32Array.from([0.9, 0.1, 0.6, 0.4, 0.2, 0.8]),
    jointFromMesh: Float32Array.from([1, 0, 0, 5, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -1]),
    normals: null,
    uvs: null,
    colours: null,
    shapes: [],
  };
  const boxes = new JointBoxes(3);
  boxes.add(mesh, [2, 0]);
  expect([...boxes.numbers.subarray(12, 18)]).toEqual([0, 0, 0, 6, 2, 0]);
  expect([...boxes.numbers.subarray(0, 6)]).toEqual([0, 0, 0, 0, 0, 2]);
  // Joint 2 turned a quarter about z and raised by one.
  const world = new Float32Array(36);
  world.set([0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0], 24);
  const points: number[] = [];
  boxes.corners(world, points, [2]);
  expect(boxAround(points)).toEqual({ low: [-2, 1, 0], high: [0, 7, 0] });
});

test("the floor's shadow covers the body with room to spare, and far things only up to a reach", () => {
  const around: Box = { low: [-100, 0, -0.3], high: [2, 3, 0.3] };
  const size = diagonal(PERSON);
  const { x, z, width } = squareAround(PERSON, around, size);
  expect(x).toBeLessThan(-0.4 - 0.3 * size);
  expect(x).toBeGreaterThan(-6 * size);
  expect(x + width).toBeGreaterThan(2);
  expect(z + width / 2).toBeCloseTo(0, 9);
});

test("clip space of the floor's shadow spans the square, lowest nearest", () => {
  const into = castFromFloor({ x: 1, z: -2, width: 4 }, 0.5, 2, new Matrix4());
  expect(new Vector4(1, 0.5, -2, 1).applyMatrix4(into).toArray()).toEqual([-1, -1, -1, 1]);
  expect(new Vector4(5, 8.5, 2, 1).applyMatrix4(into).toArray()).toEqual([1, 1, 0, 1]);
});

test("the key light's map holds the whole box, nearer to the light in front", () => {
  const into = new Matrix4();
  const towards = new Vector3(-0.8, 0.8, 0.38).normalize();
  castFromLight(PERSON, towards, 1.8, into);
  for (let corner = 0; corner < 8; corner++) {
    const at = [0, 1, 2].map((axis) => ((corner >> axis) & 1 ? PERSON.high[axis] : PERSON.low[axis]));
    const p = new Vector3(...at).applyMatrix4(into);
    for (const x of p.toArray()) expect(Math.abs(x)).toBeLessThanOrEqual(1);
  }
  const here = new Vector3(0, 1, 0);
  const nearer = here.clone().addScaledVector(towards, 0.1).applyMatrix4(into);
  here.applyMatrix4(into);
  expect(nearer.z).toBeLessThan(here.z);
  expect(nearer.x).toBeCloseTo(here.x, 9);
  expect(nearer.y).toBeCloseTo(here.y, 9);
});
