import { type Ray, Vector3 } from "three";
import { jointPlace } from "../model/selection";
import type { BoneShape, JointInfo, Place, PointInfo, VertexPlace } from "../protocol/messages";
import type { ToPixels } from "./arc_geometry";
import { type BoneProxy, originOf, toJoint, transformed } from "./proxies";

/** A spot on the body under the pointer. */
export interface BodyHit {
  place: Place;
  /** The joint that carries the spot. */
  joint: string;
  /** Metres from the eye. */
  distance: number;
}

/** A click so near to a joint or a named point means it; in lengths of the bone. */
const SNAP = 0.12;
const MOST_SNAP = 0.3;

const [start, end, hit, spot, nearest, axis, away, toStart] = Array.from({ length: 8 }, () => new Vector3());

/** The spot of the body that a ray meets first; `slack` makes all bones thicker, for thin ones that are hard to hit. */
export function pickBody(
  ray: Ray,
  proxies: readonly BoneProxy[],
  world: Float32Array,
  joints: readonly JointInfo[],
  points: readonly PointInfo[],
  slack: (distance: number) => number,
): BodyHit | null {
  const found = first(ray, proxies, world, () => 0) ?? first(ray, proxies, world, slack);
  if (!found) return null;
  const { proxy, distance } = found;
  ray.at(distance, hit);
  const size = Math.max(proxy.bone.length(), proxy.radius) * scaleOf(world, proxy.joint);
  // From afar a hand's breadth on the screen counts as near too, as long as the rest of the bone can still be hit.
  const near = Math.max(SNAP * size, Math.min(2 * slack(distance), MOST_SNAP * size));
  const place = namedNear(ray, proxy, world, joints, points, near) ?? jointNear(ray, proxy, world, joints, near);
  const joint = joints[proxy.joint].name;
  if (place) return { place, joint: place.parts[0].joint, distance };
  const offset = toJoint(world, proxy.joint, hit.clone()).toArray();
  return { place: { parts: [{ joint, offset, weight: 1 }], name: "" }, joint, distance };
}

function first(
  ray: Ray,
  proxies: readonly BoneProxy[],
  world: Float32Array,
  slack: (distance: number) => number,
): { proxy: BoneProxy; distance: number } | null {
  let best: { proxy: BoneProxy; distance: number } | null = null;
  for (const proxy of proxies) {
    transformed(world, 12 * proxy.joint, start.copy(proxy.start));
    transformed(world, 12 * proxy.joint, end.copy(proxy.end));
    const radius = proxy.radius * scaleOf(world, proxy.joint) + slack(start.distanceTo(ray.origin));
    const distance = hitCapsule(ray, start, end, radius);
    if (distance !== null && (best === null || distance < best.distance)) best = { proxy, distance };
  }
  return best;
}

function namedNear(ray: Ray, proxy: BoneProxy, world: Float32Array, joints: readonly JointInfo[], points: readonly PointInfo[], near: number): Place | null {
  let [best, least]: [PointInfo | null, number] = [null, near];
  for (const point of points) {
    // A point at the joint's own origin says nothing that the joint's name does not.
    if (point.joint !== joints[proxy.joint].name || point.offset.every((x) => x === 0)) continue;
    transformed(world, 12 * proxy.joint, spot.set(...point.offset));
    const apart = Math.sqrt(ray.distanceSqToPoint(spot));
    if (apart <= least && isWithin(ray, proxy)) [best, least] = [point, apart];
  }
  return best && { parts: [{ joint: best.joint, offset: best.offset, weight: 1, shapes: best.shapes }], name: best.name };
}

function jointNear(ray: Ray, proxy: BoneProxy, world: Float32Array, joints: readonly JointInfo[], near: number): Place | null {
  let [best, least] = [-1, near];
  // All bones of a joint meet there: whichever was hit, the joint at the end of another may be the one that is meant.
  for (let joint = 0; joint < joints.length; joint++) {
    if (joint !== proxy.joint && joints[joint].parent !== proxy.joint) continue;
    spot.set(...originOf(world, joint));
    const apart = Math.sqrt(ray.distanceSqToPoint(spot));
    if (apart <= least && isWithin(ray, proxy)) [best, least] = [joint, apart];
  }
  return best < 0 ? null : jointPlace(joints[best].name);
}

/** Whether `spot` is in the flesh behind the hit, not far behind the limb that was hit. */
function isWithin(ray: Ray, proxy: BoneProxy): boolean {
  ray.closestPointToPoint(spot, nearest);
  return nearest.distanceTo(hit) <= 2.5 * proxy.radius + proxy.bone.length() * SNAP;
}

function scaleOf(world: Float32Array, joint: number): number {
  const m = 12 * joint;
  return Math.hypot(world[m], world[m + 4], world[m + 8]);
}

/**
 * The spot on a bent bone that a ray meets first. It lies on the bone itself, not on the skin, so that the server, which
 * bends what hangs on a bone by where along it that is, has it in the very same place.
 */
export function pickBent(ray: Ray, bones: readonly BoneShape[], girth: (joint: string) => number, slack: (distance: number) => number): BodyHit | null {
  let best: BodyHit | null = null;
  for (const { joint, points, end: tip } of bones) {
    const steps = points.length / 3 - 1;
    for (let i = 0; i < steps; i++) {
      start.fromArray(points, 3 * i);
      end.fromArray(points, 3 * i + 3);
      const distance = hitCapsule(ray, start, end, Math.max(girth(joint), slack(start.distanceTo(ray.origin))));
      if (distance === null || (best && distance >= best.distance)) continue;
      axis.subVectors(end, start);
      const share = Math.min(1, Math.max(0, ray.at(distance, away).sub(start).dot(axis) / Math.max(axis.lengthSq(), 1e-12)));
      const place = (i + share) / steps;
      const along = place < SNAP ? 0 : place;
      const offset = tip.map((x) => along * x) as [number, number, number];
      best = { place: { parts: [{ joint, offset, weight: 1 }], name: "" }, joint, distance };
    }
  }
  return best;
}

/** Where a spot of a bent bone is, by how far along the bone, at rest, it is. */
export function alongBent({ points, end: tip }: BoneShape, offset: readonly number[], into: Vector3): Vector3 {
  const length = tip.reduce((sum, x) => sum + x * x, 0);
  const along = length > 0 ? tip.reduce((sum, x, i) => sum + x * offset[i], 0) / length : 1;
  const at = Math.min(1, Math.max(0, along)) * (points.length / 3 - 1);
  const step = Math.min(Math.floor(at), points.length / 3 - 2);
  return into.fromArray(points, 3 * step).lerp(end.fromArray(points, 3 * step + 3), at - step);
}

/** Pixels by which a vertex may be missed: on dense meshes the next one is nearer than that. */
const REACH = 9;

/** Of a mesh whose vertices move by themselves, softly or by shapes: its name, where they are, and which they are. */
export interface Surface {
  mesh: string;
  positions: ArrayLike<number>;
  vertices: Iterable<number>;
}

/** The vertex under a pixel that is nearest to the eye; none that is farther from the eye than `farthest`. */
export function vertexUnder(surfaces: readonly Surface[], toPixels: ToPixels, eye: Vector3, farthest: number, x: number, y: number): VertexPlace | null {
  const [at, pixel] = [new Vector3(), new Vector3()];
  let [best, least]: [VertexPlace | null, number] = [null, Infinity];
  for (const { mesh, positions, vertices } of surfaces) {
    for (const vertex of vertices) {
      at.set(positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]);
      toPixels(at, pixel);
      const apart = Math.hypot(pixel.x - x, pixel.y - y);
      const away = at.distanceTo(eye);
      if (apart > REACH || away > farthest || pixel.z >= 1) continue;
      // Among those under the pointer the near side counts, and on it the one that is pointed at.
      const cost = away * (1 + 0.002 * apart);
      if (cost < least) [best, least] = [{ mesh, vertex }, cost];
    }
  }
  return best;
}

/** How far along a ray a capsule begins; null when the ray misses it or starts within. */
export function hitCapsule(ray: Ray, start: Vector3, end: Vector3, radius: number): number | null {
  axis.subVectors(end, start);
  toStart.subVectors(ray.origin, start);
  const long = axis.lengthSq();
  const [along, from] = long > 0 ? [ray.direction.dot(axis) / long, toStart.dot(axis) / long] : [0, 0];
  // What is across the axis of the ray's direction and origin makes a circle of the cylinder.
  const a = 1 - along * along * long;
  const b = toStart.dot(ray.direction) - from * along * long;
  const c = toStart.lengthSq() - from * from * long - radius * radius;
  let nearest = Infinity;
  const root = b * b - a * c;
  if (long > 0 && a > 1e-12 && root >= 0) {
    const t = (-b - Math.sqrt(root)) / a;
    const share = from + t * along;
    if (t >= 0 && share >= 0 && share <= 1) nearest = t;
  }
  nearest = Math.min(nearest, hitSphere(ray, start, radius), hitSphere(ray, end, radius));
  return Number.isFinite(nearest) ? nearest : null;
}

function hitSphere(ray: Ray, centre: Vector3, radius: number): number {
  toStart.subVectors(ray.origin, centre);
  const b = toStart.dot(ray.direction);
  const root = b * b - toStart.lengthSq() + radius * radius;
  if (root < 0) return Infinity;
  const t = -b - Math.sqrt(root);
  return t >= 0 ? t : Infinity;
}
