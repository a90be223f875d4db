import { type Camera, Matrix4, OrthographicCamera, PerspectiveCamera, Raycaster, Vector2, Vector3 } from "three";
import { describe, expect, test } from "vitest";
import { handleOf, MOVE_PARTS, outlines, partUnder, TURN_PARTS } from "../src/viewport/gizmo_shape";
import type { Lens } from "../src/viewport/tools/lens";
import { acrossView, alongAxis, inPlane } from "../src/viewport/tools/pulls";
import { aboutAxis, jointTurn, turnedBy } from "../src/viewport/tools/turns";

const [WIDTH, HEIGHT] = [800, 600];

function lookFrom(eye: Vector3, camera: Camera = new PerspectiveCamera(35, WIDTH / HEIGHT, 0.01, 100)): Lens {
  camera.position.copy(eye);
  if (Math.abs(eye.x) + Math.abs(eye.z) < 1e-9) camera.up.set(0, 0, -1);
  camera.lookAt(0, 0, 0);
  camera.updateMatrixWorld();
  const toPixels = (position: Vector3, into: Vector3): Vector3 => {
    into.copy(position).project(camera);
    return into.set((0.5 + 0.5 * into.x) * WIDTH, (0.5 - 0.5 * into.y) * HEIGHT, into.z);
  };
  return {
    toPixels,
    ray: (x, y) => {
      const caster = new Raycaster();
      caster.setFromCamera(new Vector2((2 * x) / WIDTH - 1, 1 - (2 * y) / HEIGHT), camera);
      return caster.ray.clone();
    },
    forward: (into) => camera.getWorldDirection(into),
    metresPerPixel: (position) => {
      const right = new Vector3().setFromMatrixColumn(camera.matrixWorld, 0);
      const [a, b] = [toPixels(position, new Vector3()), toPixels(position.clone().addScaledVector(right, 0.01), new Vector3())];
      return 0.01 / Math.hypot(a.x - b.x, a.y - b.y);
    },
  };
}

const EYES: [string, Lens][] = [
  ["three-quarter", lookFrom(new Vector3(2, 1.5, 3))],
  ["front", lookFrom(new Vector3(0, 0, 4))],
  ["side", lookFrom(new Vector3(4, 0, 0))],
  ["top", lookFrom(new Vector3(0, 5, 0))],
  ["orthographic", lookFrom(new Vector3(3, 2, 1), new OrthographicCamera(-2, 2, 1.5, -1.5, 0.01, 50))],
];
const POINT = new Vector3(0.1, 0.2, -0.1);

describe.each(EYES)("seen from %s", (_, lens) => {
  const at = lens.toPixels(POINT, new Vector3());
  const [x, y] = [at.x + 4, at.y - 3];

  test("a pull keeps the offset between pointer and point, and follows the pointer", () => {
    const pull = acrossView(lens, POINT, x, y);
    expect(pull(x, y).distanceTo(POINT)).toBeLessThan(1e-9);
    const pixel = lens.toPixels(pull(x + 120, y - 80), new Vector3());
    expect([pixel.x - at.x, pixel.y - at.y]).toEqual([expect.closeTo(120, 0), expect.closeTo(-80, 0)]);
  });

  test.each([new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)])("pulls stay on axis and plane of %o", (axis) => {
    const limit = 30;
    for (const [dx, dy] of [
      [0, 0],
      [60, 20],
      [-300, 250],
      [5000, -5000],
    ]) {
      const along = alongAxis(lens, POINT, axis, x, y)(x + dx, y + dy).sub(POINT);
      expect(along.clone().cross(axis).length()).toBeLessThan(1e-9);
      const across = inPlane(lens, POINT, axis, x, y)(x + dx, y + dy).sub(POINT);
      expect(Math.abs(across.dot(axis))).toBeLessThan(1e-6);
      expect(Math.max(along.length(), across.length())).toBeLessThan(limit);
      if (dx === 0) expect(along.length() + across.length()).toBeLessThan(1e-9);
    }
  });

  test.each([new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)])("a ring about %o turns with the pointer", (axis) => {
    const radius = 60 * lens.metresPerPixel(POINT);
    // The side of the ring that faces the eye; any side of one seen from above.
    const start = new Vector3().crossVectors(lens.forward(new Vector3()), axis);
    const east = start.length() > 0.1 ? start.cross(axis).normalize() : new Vector3(axis.y, axis.z, axis.x);
    const north = new Vector3().crossVectors(axis, east);
    const spot = (angle: number): [number, number] => {
      const on = POINT.clone()
        .addScaledVector(east, radius * Math.cos(angle))
        .addScaledVector(north, radius * Math.sin(angle));
      const { x, y } = lens.toPixels(on, new Vector3());
      return [x, y];
    };
    const turn = aboutAxis(lens, POINT, axis, radius, ...spot(0));
    expect(turn(...spot(0))).toBeCloseTo(0, 6);
    // Exact where the ring can be aimed at, and at least the right way round where it is seen from its edge.
    const facing = Math.abs(lens.ray(...spot(0)).direction.dot(axis)) >= 0.35;
    if (facing) for (const angle of [0.5, 1.5, 2.5, 3.5]) expect(turn(...spot(angle))).toBeCloseTo(angle, 4);
    else expect(turn(...spot(0.2))).toBeCloseTo(0.2, 1);
  });

  test("every handle that is shown can be taken where it says", () => {
    for (const parts of [MOVE_PARTS, TURN_PARTS]) {
      const shapes = outlines(parts, POINT, lens);
      expect(shapes.length).toBeGreaterThan(2);
      for (const { part } of shapes) expect(partUnder(shapes, ...(handleOf(shapes, part) ?? [0, 0]))).toBe(part);
      for (const { part } of shapes) expect(partUnder(shapes, ...(handleOf(shapes, part) ?? [0, 0]), true)).toBe(part);
      expect(partUnder(shapes, at.x + 300, at.y)).toBeNull();
    }
  });
});

test("seen end-on, an arrow is not offered, and a square from its edge neither", () => {
  const parts = outlines(MOVE_PARTS, new Vector3(), EYES[3][1]).map(({ part }) => part);
  expect(parts).not.toContain("y");
  expect(parts).not.toContain("xy");
  expect(parts).toContain("zx");
});

test("the shaft of an arrow gives way, its head does not", () => {
  const shapes = outlines(MOVE_PARTS, new Vector3(), EYES[1][1]);
  const [fromX, fromY, toX, toY] = shapes.find(({ part }) => part === "x")?.line ?? [];
  const shaft: [number, number] = [(fromX + toX) / 2, (fromY + toY) / 2];
  expect([partUnder(shapes, ...shaft), partUnder(shapes, ...shaft, true), partUnder(shapes, toX, toY, true)]).toEqual(["x", null, "x"]);
});

test("an orientation is turned about an axis of the world", () => {
  const start = [Math.SQRT1_2, Math.SQRT1_2, 0, 0];
  const [w, x, y, z] = turnedBy(start, new Vector3(0, 1, 0), Math.PI / 2);
  // A quarter about X, then a quarter about the world's Y.
  [w - 0.5, x - 0.5, y - 0.5, z + 0.5].forEach((rest) => expect(rest).toBeCloseTo(0, 12));
});

test("a joint's orientation is read from its matrix, whatever its scale", () => {
  const turned = new Matrix4()
    .makeRotationY(0.8)
    .scale(new Vector3(2, 2, 2))
    .transpose().elements;
  const [w, x, y, z] = jointTurn(new Float32Array(turned.slice(0, 12)), 0);
  expect([w, x, y, z]).toEqual([Math.cos(0.4), 0, Math.sin(0.4), 0].map((part) => expect.closeTo(part, 6)));
});
