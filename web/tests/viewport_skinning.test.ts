import { Matrix4, Vector3 } from "three";
import { expect, test } from "vitest";
import { layOut, PoseTexture } from "../src/viewport/pose_texture";
import { multiply, shapeNormals, strongest, vertexNormals } from "../src/viewport/skinning";

/** Numbers that look random and are always the same. */
function numbers(count: number, seed = 1): Float32Array {
  let state = seed;
  return Float32Array.from({ length: count }, () => {
    state = (state * 48271) % 2147483647;
    return state / 1073741823.5 - 1;
  });
}

function matrixOf(rows: Float32Array, at = 0): Matrix4 {
  const [a, b, c, d, e, f, g, h, i, j, k, l] = rows.subarray(at, at + 12);
  return new Matrix4().set(a, b, c, d, e, f, g, h, i, j, k, l, 0, 0, 0, 1);
}

test("the strongest eight influences are kept and weigh one together", () => {
  const weights = Float32Array.from([0.02, 0.3, 0.05, 0.1, 0.01, 0.2, 0.12, 0.08, 0.06, 0.06]);
  const {
    each,
    bones,
    weights: kept,
  } = strongest(
    10,
    Uint32Array.from({ length: 10 }, (_, i) => 20 + i),
    weights,
  );
  expect(each).toBe(8);
  expect([...bones]).toEqual([21, 25, 26, 23, 27, 28, 29, 22]);
  expect(kept.reduce((sum, x) => sum + x)).toBeCloseTo(1, 6);
  expect(kept[0] / kept[1]).toBeCloseTo(1.5, 5);
});

test("up to four influences stay as they are, and a vertex nobody carries follows its first joint", () => {
  const { each, bones, weights } = strongest(2, Uint32Array.from([3, 5, 1, 0]), Float32Array.from([0.25, 0.75, 0, 0]));
  expect(each).toBe(4);
  expect([...bones]).toEqual([3, 5, 0, 0, 1, 0, 0, 0]);
  expect([...weights]).toEqual([0.25, 0.75, 0, 0, 1, 0, 0, 0]);
});

test("3×4 matrices multiply as 4×4 ones do", () => {
  const [a, b, product] = [numbers(12, 3), numbers(12, 4), new Float32Array(12)];
  multiply(a, 0, b, 0, product, 0);
  const wanted = matrixOf(a).multiply(matrixOf(b));
  const found = matrixOf(product);
  wanted.elements.forEach((x, i) => expect(found.elements[i]).toBeCloseTo(x, 6));
});

test("a pose texture holds world_from_mesh of every bone, marks beside it, and shape weights after all bones", () => {
  const [world, jointFromMesh] = [numbers(36, 5), numbers(24, 6)];
  const { bindings, texels } = layOut([
    { joints: [0], jointFromMesh: numbers(12, 7), shapes: [] },
    { joints: [2, 1], jointFromMesh, shapes: [1, 0] },
  ]);
  expect(bindings.map((each) => [each.firstBone, each.firstShape])).toEqual([
    [0, 12],
    [1, 12],
  ]);
  expect(texels).toBe(14);
  const pose = new PoseTexture(bindings, texels);
  pose.pose(world, Float32Array.from([0.5, 0.25]));
  const wanted = matrixOf(world, 24).multiply(matrixOf(jointFromMesh));
  const found = matrixOf(pose.bone(1));
  wanted.elements.forEach((x, i) => expect(found.elements[i]).toBeCloseTo(x, 6));
  const data = pose.texture.image.data as Float32Array;
  expect([data[4 * 12], data[4 * 13]]).toEqual([0.25, 0.5]);
  pose.mark(
    (joint) => (joint === 2 ? 1 : 0),
    (joint) => (joint === 1 ? 0.5 : 0),
  );
  expect([data[16 + 12], data[16 + 13], data[32 + 12], data[32 + 13]]).toEqual([1, 0, 0, 0.5]);
});

test("a joint that the rig does not have leaves its vertices in place", () => {
  const { bindings, texels } = layOut([{ joints: [-1], jointFromMesh: numbers(12), shapes: [] }]);
  const pose = new PoseTexture(bindings, texels);
  pose.pose(new Float32Array(0), new Float32Array(0));
  expect([...pose.bone(0)]).toEqual([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
});

test("normals of a cube's corners point along its diagonals", () => {
  const corners = Float32Array.from(Array.from({ length: 8 }, (_, i) => [i & 1, (i >> 1) & 1, i >> 2].map((x) => 2 * x - 1)).flat());
  const faces = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ];
  // Both ways of cutting each face in two, so that no corner has more triangles than another.
  const triangles = Uint32Array.from(faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d, a, b, d, b, c, d]));
  const normals = vertexNormals(corners, triangles);
  for (let v = 0; v < 8; v++) {
    const outward = new Vector3().fromArray(corners, 3 * v).normalize();
    expect(new Vector3().fromArray(normals, 3 * v).dot(outward)).toBeCloseTo(1, 5);
  }
});

test("a shape that tilts a triangle turns its normals by as much", () => {
  const flat = Float32Array.from([0, 0, 0, 1, 0, 0, 0, 0, -1]);
  const [turns] = shapeNormals(flat, Uint32Array.from([0, 1, 2]), [Float32Array.from([0, 0, 0, 0, 1, 0, 0, 0, 0])]);
  const tilted = [0 + turns[0], 1 + turns[1], 0 + turns[2]];
  [-Math.SQRT1_2, Math.SQRT1_2, 0].forEach((x, i) => expect(tilted[i]).toBeCloseTo(x, 6));
});
