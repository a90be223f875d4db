import { type Camera, Matrix4, Plane, Quaternion, Vector3 } from "three";
import type { Model } from "../../model/model";
import { samePlace } from "../../model/selection";
import type { Place } from "../../protocol/messages";
import type { Lens } from "./lens";

/** What the pointer wishes for: an angle about the ring's axis, from 0 where it took hold; goes on beyond a full turn. */
type Turn = (x: number, y: number) => number;

/** Rings seen flatter than this (the sine of the angle) are turned by pulling along them on the screen. */
const FLAT = 0.35;

/** Turn about an axis (a unit vector) through a centre, by its ring of some radius. */
export function aboutAxis(lens: Lens, centre: Vector3, axis: Vector3, radius: number, x: number, y: number): Turn {
  const ray = lens.ray(x, y);
  const plane = new Plane().setFromNormalAndCoplanarPoint(axis, centre);
  const grabbed = ray.intersectPlane(plane, new Vector3());
  if (Math.abs(ray.direction.dot(axis)) < FLAT || !grabbed) return alongTangent(lens, centre, axis, radius, x, y);
  const [east, north] = basis(axis);
  const angleOf = (spot: Vector3): number => {
    spot.sub(centre);
    return Math.atan2(spot.dot(north), spot.dot(east));
  };
  let before = angleOf(grabbed);
  let turned = 0;
  return (x, y) => {
    const hit = lens.ray(x, y).intersectPlane(plane, new Vector3());
    if (!hit) return turned;
    const angle = angleOf(hit);
    // The shorter way round since the last look, so that turns add up.
    turned += Math.atan2(Math.sin(angle - before), Math.cos(angle - before));
    before = angle;
    return turned;
  };
}

/** The ring's tangent at the grabbed side, as the screen shows it; as many pixels along it as the radius is one radian. */
function alongTangent(lens: Lens, centre: Vector3, axis: Vector3, radius: number, x: number, y: number): Turn {
  const toEye = lens.forward(new Vector3()).negate();
  const side = toEye.addScaledVector(axis, -toEye.dot(axis));
  const tangent = new Vector3().crossVectors(axis, side.lengthSq() > 1e-9 ? side.normalize() : basis(axis)[0]);
  const [from, to] = [lens.toPixels(centre, new Vector3()), new Vector3()];
  lens.toPixels(to.copy(centre).addScaledVector(tangent, radius), to);
  const [alongX, alongY] = [to.x - from.x, to.y - from.y];
  const long = Math.max(1, alongX * alongX + alongY * alongY);
  return (nowX, nowY) => ((nowX - x) * alongX + (nowY - y) * alongY) / long;
}

/** Two unit vectors across an axis, right-handed with it. */
export function basis(axis: Vector3): [Vector3, Vector3] {
  const helper = Math.abs(axis.y) < 0.9 ? new Vector3(0, 1, 0) : new Vector3(1, 0, 0);
  const east = new Vector3().crossVectors(helper, axis).normalize();
  return [east, new Vector3().crossVectors(axis, east)];
}

/** A start orientation (wxyz), turned about an axis of the world. */
export function turnedBy(start: readonly number[], axis: Vector3, angle: number): [number, number, number, number] {
  const [w, x, y, z] = start;
  const turned = new Quaternion(x, y, z, w).premultiply(new Quaternion().setFromAxisAngle(axis, angle));
  return [turned.w, turned.x, turned.y, turned.z];
}

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
