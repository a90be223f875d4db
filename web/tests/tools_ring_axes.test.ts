import { Euler, type EulerOrder, Matrix4, Quaternion, Vector3 } from "three";
import { describe, expect, test } from "vitest";
import type { Model } from "../src/model/model";
import { ringAxes } from "../src/viewport/tools/ring_axes";

const PARENT = new Quaternion().setFromAxisAngle(new Vector3(1, 2, 3).normalize(), 0.7);
const ANGLES = { x: 0.4, y: -0.9, z: 1.3 };

/** How a joint is turned by angles in an order, after its parent and rest. */
function turned(order: EulerOrder, { x, y, z }: typeof ANGLES): Quaternion {
  return PARENT.clone().multiply(new Quaternion().setFromEuler(new Euler(x, y, z, order)));
}

function model(order: EulerOrder): Model {
  const rows = new Matrix4().makeRotationFromQuaternion(turned(order, ANGLES)).transpose().elements.slice(0, 12);
  return {
    frames: { world: () => Float32Array.from(rows), channels: () => Float32Array.of(ANGLES.x, ANGLES.y, ANGLES.z) },
    jointIndex: () => 0,
    channelIndex: (name: string) => ["hip.rx", "hip.ry", "hip.rz"].indexOf(name),
    scene: { value: { joints: [{ name: "hip", order }] } },
  } as unknown as Model;
}

describe("axes of rings", () => {
  test.each(["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"] as const)("of order %s: each gimbal axis is what its angle turns about", (order) => {
    const axes = ringAxes(model(order), "hip", 0, "gimbal");
    for (const [i, letter] of (["x", "y", "z"] as const).entries()) {
      // A small change of one angle, as a turn in the world.
      const step = 1e-4;
      const after = turned(order, { ...ANGLES, [letter]: ANGLES[letter] + step });
      const { x, y, z } = after.multiply(turned(order, ANGLES).invert());
      const seen = new Vector3(x, y, z).multiplyScalar(2 / step);
      expect(seen.distanceTo(axes[i])).toBeLessThan(1e-3);
    }
  });

  test("its own axes turn with it, and the world's stay", () => {
    const own = ringAxes(model("ZYX"), "hip", 0, "local");
    expect(own[1].distanceTo(new Vector3(0, 1, 0).applyQuaternion(turned("ZYX", ANGLES)))).toBeLessThan(1e-5);
    expect(ringAxes(model("ZYX"), "hip", 0, "world")[1].toArray()).toEqual([0, 1, 0]);
  });
});
