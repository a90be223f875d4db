import { type Ray, Vector3 } from "three";
import { jointPlace } from "../model/selection";
import type { JointInfo, Place, PointInfo } from "../protocol/messages";
import { hitCapsule } from "./capsules";
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

const [start, end, hit, spot, nearest] = Array.from({ length: 5 }, () => new Vector3());

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
  return best && { parts: [{ joint: best.joint, offset: best.offset, weight: 1 }], name: best.name };
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
