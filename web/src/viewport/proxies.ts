import { Vector3 } from "three";
import type { JointInfo } from "../protocol/messages";
import type { MeshArrays } from "./mesh_arrays";

/** A capsule around a bone, in its joint's frame. `child` is the joint at the bone's other end, −1 for none. */
export interface BoneProxy {
  joint: number;
  child: number;
  /** From the joint's origin to the other end of the bone. */
  bone: Vector3;
  start: Vector3;
  end: Vector3;
  radius: number;
}

type Capsule = Pick<BoneProxy, "start" | "end" | "radius">;

/** A mesh with the numbers of the joints that carry it. */
export interface CarriedMesh {
  arrays: MeshArrays;
  joints: number[];
}

/** So few vertices tell nothing of a bone's girth. */
const ENOUGH = 8;
/** A bone without skin is this thick, in its own lengths. */
const SLIM = 0.12;
const MOST_VERTICES = 6000;

/** Capsules around all bones, as thick as the skin there; `world` holds any pose of the rig, 12 numbers a joint. */
export function proxiesOf(joints: readonly JointInfo[], world: Float32Array, meshes: readonly CarriedMesh[], height: number): BoneProxy[] {
  const children = joints.map((_, j) => joints.flatMap((each, c) => (each.parent === j ? [c] : [])));
  const skin = verticesByJoint(joints.length, meshes);
  return joints.flatMap((_, j) => {
    const bones = children[j]
      .map((child) => ({ child, bone: toJoint(world, j, new Vector3(...originOf(world, child))) }))
      .filter(({ bone }) => bone.length() > 1e-4 * height);
    const clusters = cluster(
      skin[j],
      bones.map((each) => each.bone),
    );
    if (
      bones.length === 0 ||
      isLump(
        skin[j],
        bones.map((each) => each.bone),
      )
    ) {
      return lumps(j, skin[j], joints[j].parent < 0 ? 0.1 * height : 0.02 * height);
    }
    const bare = clusters.every((points) => points.length < ENOUGH);
    return bones.flatMap(({ child, bone }, i) => {
      if (clusters[i].length >= ENOUGH) {
        const limb = { joint: j, child, bone, ...capsuleOf(clusters[i], bone) };
        return [limb, ...beyond(limb, clusters[i], height)];
      }
      return bare ? [{ joint: j, child, bone, start: new Vector3(), end: bone.clone(), radius: SLIM * bone.length() }] : [];
    });
  });
}

/** Whether skin goes far beyond the bones in it, as a head's does beyond the short bones to its eyes. */
function isLump(points: readonly Vector3[], bones: readonly Vector3[]): boolean {
  if (points.length < ENOUGH) return false;
  const usual = quantile(
    points.map((point) => point.length()),
    0.5,
  );
  return bones.every((bone) => bone.length() < usual);
}

/** The skin of a joint that is a lump, or of the last bone of a chain, which ends where its skin does. */
function lumps(joint: number, points: Vector3[], size: number, depth = 0): BoneProxy[] {
  if (points.length < ENOUGH) {
    return [{ joint, child: -1, bone: new Vector3(), start: new Vector3(), end: new Vector3(), radius: size }];
  }
  const along = points.reduce((sum, point) => sum.add(point), new Vector3()).divideScalar(points.length);
  const directions = [along, new Vector3(1, 0, 0), new Vector3(0, 1, 0), new Vector3(0, 0, 1)].filter((each) => each.length() > 1e-9);
  const capsules = directions.map((direction) => capsuleOf(points, direction));
  const errors = capsules.map((capsule) => misfit(points, capsule));
  const best = capsules[errors.indexOf(Math.min(...errors))];
  const found = { joint, child: -1, bone: best.end.clone(), ...best };
  return [found, ...beyond(found, points, size, depth)];
}

/** What sticks far out of a capsule, as hair and belts do, gets capsules of its own. */
function beyond(capsule: BoneProxy, points: Vector3[], size: number, depth = 0): BoneProxy[] {
  const outside = points.filter((point) => apart(point, capsule) > 1.25 * capsule.radius);
  if (depth >= 2 || outside.length < Math.max(ENOUGH, 0.04 * points.length)) return [];
  return lumps(capsule.joint, outside, size, depth + 1);
}

/** How far points are from a capsule's surface, on average. */
function misfit(points: readonly Vector3[], capsule: Capsule): number {
  return points.reduce((sum, point) => sum + Math.abs(apart(point, capsule) - capsule.radius), 0) / points.length;
}

function apart(point: Vector3, { start, end }: Capsule): number {
  const axis = end.clone().sub(start);
  const from = point.clone().sub(start);
  const share = axis.lengthSq() > 0 ? Math.min(1, Math.max(0, from.dot(axis) / axis.lengthSq())) : 0;
  return from.addScaledVector(axis, -share).length();
}

/** The capsule along a direction through the middle of points that holds most of them. */
function capsuleOf(points: Vector3[], along: Vector3): Capsule {
  const direction = along.clone().normalize();
  const middle = points.reduce((sum, point) => sum.add(point), new Vector3()).divideScalar(points.length);
  middle.addScaledVector(direction, -middle.dot(direction));
  const lengths = points.map((point) => point.dot(direction));
  const girths = points.map((point, i) => point.clone().sub(middle).addScaledVector(direction, -lengths[i]).length());
  const radius = quantile(girths, 0.85);
  const [low, high] = [quantile(lengths, 0.02), quantile(lengths, 0.98)];
  const ends = [low + radius, high - radius];
  if (ends[0] > ends[1]) ends.fill((low + high) / 2);
  const [start, end] = ends.map((length) => middle.clone().addScaledVector(direction, length));
  return { start, end, radius };
}

function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.round(share * (sorted.length - 1))];
}

/** Every vertex with the joint that carries it most, in that joint's frame. */
function verticesByJoint(count: number, meshes: readonly CarriedMesh[]): Vector3[][] {
  const found: Vector3[][] = Array.from({ length: count }, () => []);
  for (const { arrays, joints } of meshes) {
    const each = arrays.influencesEach;
    const vertices = arrays.vertices.length / 3;
    const step = Math.max(1, Math.ceil(vertices / MOST_VERTICES));
    for (let v = 0; v < vertices; v += step) {
      let most = v * each;
      for (let i = most + 1; i < (v + 1) * each; i++) if (arrays.weights[i] > arrays.weights[most]) most = i;
      const bone = arrays.influences[most];
      const point = new Vector3().fromArray(arrays.vertices, 3 * v);
      found[joints[bone]]?.push(transformed(arrays.jointFromMesh, 12 * bone, point));
    }
  }
  return found;
}

/** Points by the bone that they are nearest to; all bones begin at the origin. */
function cluster(points: readonly Vector3[], bones: readonly Vector3[]): Vector3[][] {
  const clusters: Vector3[][] = bones.map(() => []);
  if (bones.length === 0) return clusters;
  for (const point of points) {
    let [best, least] = [0, Infinity];
    bones.forEach((bone, i) => {
      const share = Math.min(1, Math.max(0, point.dot(bone) / bone.lengthSq()));
      const apart = Math.hypot(point.x - share * bone.x, point.y - share * bone.y, point.z - share * bone.z);
      if (apart < least) [best, least] = [i, apart];
    });
    clusters[best].push(point);
  }
  return clusters;
}

export function originOf(world: Float32Array, joint: number): [number, number, number] {
  return [world[12 * joint + 3], world[12 * joint + 7], world[12 * joint + 11]];
}

/** A 3×4 matrix, row by row from `at`, applied to a point in place. */
export function transformed(m: Float32Array, at: number, point: Vector3): Vector3 {
  const { x, y, z } = point;
  return point.set(
    m[at] * x + m[at + 1] * y + m[at + 2] * z + m[at + 3],
    m[at + 4] * x + m[at + 5] * y + m[at + 6] * z + m[at + 7],
    m[at + 8] * x + m[at + 9] * y + m[at + 10] * z + m[at + 11],
  );
}

/** A point of the world in a joint's frame, in place; scaled joints too. */
export function toJoint(world: Float32Array, joint: number, point: Vector3): Vector3 {
  const m = 12 * joint;
  const [a, b, c, d, e, f, g, h, i] = [0, 1, 2, 4, 5, 6, 8, 9, 10].map((k) => world[m + k]);
  const [x, y, z] = [point.x - world[m + 3], point.y - world[m + 7], point.z - world[m + 11]];
  const volume = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  return point
    .set(
      (e * i - f * h) * x + (c * h - b * i) * y + (b * f - c * e) * z,
      (f * g - d * i) * x + (a * i - c * g) * y + (c * d - a * f) * z,
      (d * h - e * g) * x + (b * g - a * h) * y + (a * e - b * d) * z,
    )
    .divideScalar(volume || 1);
}
