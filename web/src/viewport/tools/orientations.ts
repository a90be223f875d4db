import { type Camera, Matrix4, Quaternion, Vector3 } from "three";
import type { Model } from "../../model/model";
import { samePlace } from "../../model/selection";
import type { Place } from "../../protocol/messages";

export type Wxyz = [number, number, number, number];

/** Radians for a pixel of a free turn: across a hand's width about half a turn. */
const RADIANS_PER_PIXEL = 0.01;

/** How a place is turned on a frame: as its arc says, else as its joint; null while neither is known. */
export function startTurn(model: Model, place: Place, frame: number): Wxyz | null {
  const known = model.selection.points.value.find((each) => samePlace(each.place, place));
  const arc = known ? model.arcs.get(known.arc) : null;
  if (arc?.turns) {
    const at = 4 * Math.min(arc.samples - 1, frame * arc.perFrame);
    return [...arc.turns.subarray(at, at + 4)] as Wxyz;
  }
  const world = model.frames.world(frame);
  const joint = model.jointIndex(place.parts[0].joint);
  return world && joint >= 0 ? jointTurn(world, joint) : null;
}

/** The rotation within a 3×4 matrix, whatever its scale. */
export function jointTurn(world: Float32Array, joint: number): Wxyz {
  const [a, b, c, d, e, f, g, h, i, j, k, l] = world.subarray(12 * joint, 12 * joint + 12);
  const turn = new Quaternion();
  new Matrix4().set(a, b, c, d, e, f, g, h, i, j, k, l, 0, 0, 0, 1).decompose(new Vector3(), turn, new Vector3());
  return [turn.w, turn.x, turn.y, turn.z];
}

/** Turn as a ball under the hand: sideways about the camera's up, up and down about its right. */
export function freeTurn(camera: Camera, start: Wxyz, x: number, y: number): (x: number, y: number) => Wxyz {
  const right = new Vector3().setFromMatrixColumn(camera.matrixWorld, 0);
  const up = new Vector3().setFromMatrixColumn(camera.matrixWorld, 1);
  const [w, i, j, k] = start;
  return (nowX, nowY) => {
    const axis = right
      .clone()
      .multiplyScalar(nowY - y)
      .addScaledVector(up, nowX - x);
    const pixels = axis.length();
    const turn = new Quaternion(i, j, k, w);
    if (pixels > 0) turn.premultiply(new Quaternion().setFromAxisAngle(axis.divideScalar(pixels), pixels * RADIANS_PER_PIXEL));
    return [turn.w, turn.x, turn.y, turn.z];
  };
}
