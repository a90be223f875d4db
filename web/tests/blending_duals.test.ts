import { Quaternion, Vector3 } from "three";
import { describe, expect, test } from "vitest";
import { multiplyDuals } from "../src/viewport/blending/duals";

/** A turn about an axis through a point, then a shift along it. */
function screw(axis: number[], angle: number, point: number[], along: number): Float64Array {
  const [c, s] = [Math.cos(angle / 2), Math.sin(angle / 2)];
  const length = Math.hypot(...axis);
  const [x, y, z] = axis.map((each) => each / length);
  const [px, py, pz] = point;
  const moment = [py * z - pz * y, pz * x - px * z, px * y - py * x];
  const half = along / 2;
  return Float64Array.of(c, s * x, s * y, s * z, -half * s, ...[x, y, z].map((each, i) => half * c * each + s * moment[i]));
}

/** r p r* + 2 d r*, by three.js. */
function moved([w, x, y, z, dw, dx, dy, dz]: Float64Array, [px, py, pz]: number[]): number[] {
  const turn = new Quaternion(x, y, z, w);
  const shift = new Quaternion(dx, dy, dz, dw).multiply(turn.clone().conjugate());
  return new Vector3(px, py, pz)
    .applyQuaternion(turn)
    .addScaledVector(new Vector3(shift.x, shift.y, shift.z), 2)
    .toArray();
}

const A = screw([1, 2, 3], 0.7, [0.3, -0.2, 1], 0.4);
const B = screw([-1, 0.5, 0.2], 1.9, [1, 1, 0], -0.3);
const POINT = [0.4, -1.2, 2.5];

function near(found: Iterable<number>, wanted: Iterable<number>, digits = 10): void {
  const [a, b] = [[...found], [...wanted]];
  expect(a.length).toBe(b.length);
  a.forEach((x, i) => expect(x).toBeCloseTo(b[i], digits));
}

describe("dual quaternions", () => {
  test("a screw leaves its axis where it is, but for the shift", () => {
    const axis = [1, 2, 3].map((x) => x / Math.sqrt(14));
    const on = [0.3, -0.2, 1].map((x, i) => x + 2 * axis[i]);
    near(
      moved(A, on),
      on.map((x, i) => x + 0.4 * axis[i]),
    );
  });

  test("a product moves by the right factor first", () => {
    const product = new Float64Array(8);
    multiplyDuals(A, 0, B, 0, product, 0);
    near(moved(product, POINT), moved(A, moved(B, POINT)));
  });

  test("a factor may be written over", () => {
    const [apart, over] = [new Float64Array(8), A.slice()];
    multiplyDuals(A, 0, B, 0, apart, 0);
    multiplyDuals(over, 0, B, 0, over, 0);
    near(over, apart, 15);
  });
});
