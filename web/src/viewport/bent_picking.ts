import { type Ray, Vector3 } from "three";
import type { BoneShape } from "../protocol/messages";
import { hitCapsule } from "./capsules";
import type { BodyHit } from "./picking";

const [start, end, axis, away] = Array.from({ length: 4 }, () => new Vector3());

/** A click so near to where a bent bone starts, in its lengths, means its joint. */
const SNAP = 0.12;

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
