import { Plane, type Ray, Vector3 } from "three";
import type { Lens } from "./lens";

/** What the pointer wishes for: a position in the world, without a jump when it takes hold. */
export type Pull = (x: number, y: number) => Vector3;

/** Nobody means to pull farther than this, in distances from the eye; near the horizon a plane has no end. */
const FARTHEST = 4;
/** Planes and axes seen flatter than this (the sine of the angle) cannot be aimed at. */
const FLAT = 0.1;

/** Pull a point in the plane through it that faces the camera. */
export function acrossView(lens: Lens, point: Vector3, x: number, y: number): Pull {
  return inPlane(lens, point, lens.forward(new Vector3()), x, y);
}

/** Pull a point in a plane; seen edge-on, the plane is pulled as if it faced the camera, but never left. */
export function inPlane(lens: Lens, point: Vector3, normal: Vector3, x: number, y: number): Pull {
  const ray = lens.ray(x, y);
  const limit = FARTHEST * Math.max(1e-3, point.distanceTo(ray.origin));
  if (Math.abs(ray.direction.dot(normal)) < FLAT) {
    const facing = acrossView(lens, point, x, y);
    return (x, y) => {
      const wish = facing(x, y);
      return wish.addScaledVector(normal, -wish.clone().sub(point).dot(normal));
    };
  }
  const plane = new Plane().setFromNormalAndCoplanarPoint(normal, point);
  const grabbed = ray.intersectPlane(plane, new Vector3()) ?? point.clone();
  const last = point.clone();
  return (x, y) => {
    const hit = lens.ray(x, y).intersectPlane(plane, new Vector3());
    if (hit) last.copy(point).add(hit.sub(grabbed).clampLength(0, limit));
    return last.clone();
  };
}

/** Pull a point along an axis (a unit vector); seen end-on, up is away from the eye. */
export function alongAxis(lens: Lens, point: Vector3, axis: Vector3, x: number, y: number): Pull {
  const start = lens.ray(x, y);
  const limit = FARTHEST * Math.max(1e-3, point.distanceTo(start.origin));
  if (1 - start.direction.dot(axis) ** 2 < FLAT * FLAT) {
    const away = axis.dot(lens.forward(new Vector3())) < 0 ? -1 : 1;
    const pixel = lens.metresPerPixel(point);
    return (_, up) => point.clone().addScaledVector(axis, away * (y - up) * pixel);
  }
  const grabbed = nearestOnAxis(start, point, axis) ?? 0;
  let last = 0;
  return (x, y) => {
    const now = nearestOnAxis(lens.ray(x, y), point, axis);
    if (now !== null) last = Math.min(limit, Math.max(-limit, now - grabbed));
    return point.clone().addScaledVector(axis, last);
  };
}

/** How far along an axis through a point it comes nearest to a ray; null when they are parallel. */
function nearestOnAxis(ray: Ray, point: Vector3, axis: Vector3): number | null {
  const between = ray.origin.clone().sub(point);
  const along = ray.direction.dot(axis);
  const across = 1 - along * along;
  if (across < 1e-6) return null;
  return (between.dot(axis) - along * between.dot(ray.direction)) / across;
}
