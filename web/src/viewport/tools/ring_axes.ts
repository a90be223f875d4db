import { Quaternion, type Vector3 } from "three";
import type { Model } from "../../model/model";
import type { Axes } from "../../model/posing";
import { type RingAxes, WORLD_AXES } from "../gizmo_shape";
import { jointTurn } from "./turns";

const LETTERS = "XYZ";

/**
 * The axes in the world about which a joint's rings turn on a frame. Those of its angles ("gimbal") lean with the angles
 * outside them: of an order "ZYX", z turns what the parent and rest give, y what z has turned, x what both have.
 */
export function ringAxes(model: Model, joint: string, frame: number, axes: Axes): RingAxes {
  const [world, index] = [model.frames.world(frame), model.jointIndex(joint)];
  const info = model.scene.value?.joints[index];
  if (axes === "world" || !world || !info) return WORLD_AXES;
  const own = quaternion(jointTurn(world, index));
  if (axes === "local") return WORLD_AXES.map((axis) => axis.clone().applyQuaternion(own)) as unknown as RingAxes;
  const angle = (letter: string): number => model.frames.channels(frame)?.[model.channelIndex(`${joint}.r${letter.toLowerCase()}`)] ?? 0;
  // Undo the turns from the inside out; what is left then is how the next one's axis stands.
  const found: Vector3[] = [];
  const left = own.clone();
  for (const letter of [...info.order].reverse()) {
    const axis = WORLD_AXES[LETTERS.indexOf(letter)];
    left.multiply(new Quaternion().setFromAxisAngle(axis, -angle(letter)));
    found[LETTERS.indexOf(letter)] = axis.clone().applyQuaternion(left);
  }
  return found as unknown as RingAxes;
}

function quaternion([w, x, y, z]: readonly number[]): Quaternion {
  return new Quaternion(x, y, z, w);
}
