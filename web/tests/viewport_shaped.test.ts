import { expect, test } from "vitest";
import type { MeshInfo } from "../src/protocol/messages";
import type { MeshArrays } from "../src/viewport/mesh_arrays";
import { ShapedVertices } from "../src/viewport/shaped";

// Two joints at x = 0 and x = 1; the second vertex hangs on both and is puffed by a shape, the first stays as it is.
const INFO = { name: "cheek", joints: ["jaw", "skull"], shapes: ["puff"] } as MeshInfo;
const ARRAYS = {
  vertices: new Float32Array([0, 0, 0, 0.5, 0, 0]),
  influencesEach: 2,
  influences: new Uint32Array([0, 1, 0, 1]),
  weights: new Float32Array([1, 0, 0.25, 0.75]),
  jointFromMesh: new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, -1, 0, 1, 0, 0, 0, 0, 1, 0]),
  shapes: [new Float32Array([0, 0, 0, 0, 0.1, 0])],
} as unknown as MeshArrays;
// The jaw has gone up by 2; the skull is turned by a quarter about z.
const WORLD = new Float32Array([1, 0, 0, 0, 0, 1, 0, 2, 0, 0, 1, 0, 0, -1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0]);

test("vertices that shapes move are where skinning has them", () => {
  const { vertices, positions } = new ShapedVertices(INFO, ARRAYS, [0, 1], [3]).surface(WORLD, new Float32Array([0, 0, 0, 0.5]));
  expect([...vertices]).toEqual([1]);
  // Half puffed it is at (0.5, 0.05): by the jaw (0.5, 2.05), by the skull (1 − 0.05, −0.5).
  const wanted = [0.25 * 0.5 + 0.75 * 0.95, 0.25 * 2.05 - 0.75 * 0.5, 0];
  wanted.forEach((x, axis) => expect(positions[3 + axis]).toBeCloseTo(x, 6));
});

test("as a place, such a vertex is carried by its joints, the heaviest first, and moved by its shapes", () => {
  const { name, parts } = new ShapedVertices(INFO, ARRAYS, [0, 1], [3]).place(1);
  expect(name).toBe("cheek vertex 1");
  expect(parts.map(({ joint, weight }) => [joint, weight])).toEqual([
    ["skull", 0.75],
    ["jaw", 0.25],
  ]);
  expect(parts[0].offset).toEqual([-0.5, 0, 0]);
  expect(parts[1].shapes?.map(([channel]) => channel)).toEqual(["puff"]);
  expect(parts[1].shapes?.[0][1][1]).toBeCloseTo(0.1, 6);
});
