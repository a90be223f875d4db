import { Plane, Quaternion, Vector3 } from "three";
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
