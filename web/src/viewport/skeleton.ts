import { Color, Group, InstancedMesh, LatheGeometry, Matrix4, type ShaderMaterial, SphereGeometry, Vector2, Vector3 } from "three";
import type { JointInfo, PointInfo } from "../protocol/messages";
import { BONE, HOVERED, JOINT } from "./colours";
import { selectionColour } from "./marks";

/** A bone from a joint to its child or, where a limb ends, to a point named on it. */
export interface Span {
  joint: number;
  /** −1 where the bone ends in `offset`, in the joint's frame. */
  child: number;
  offset: readonly [number, number, number];
}

export function spansOf(joints: readonly JointInfo[], points: readonly PointInfo[]): Span[] {
  const parents = new Set(joints.map((joint) => joint.parent));
  const inner = joints.flatMap((joint, child): Span[] => (joint.parent < 0 ? [] : [{ joint: joint.parent, child, offset: [0, 0, 0] }]));
  const ends = points.flatMap((point): Span[] => {
    const joint = joints.findIndex((each) => each.name === point.joint);
    return joint < 0 || parents.has(joint) || point.offset.every((x) => x === 0) ? [] : [{ joint, child: -1, offset: point.offset }];
  });
  return [...inner, ...ends];
}

/** Of a bone, relative to its length; held between two shares of the character's size. */
const [THICKNESS, THINNEST, THICKEST] = [0.1, 0.003, 0.017];
/** A bone of length and thickness one, from its joint to its tip: radius and height along the way. */
const PROFILE = [
  [0, 0],
  [0.45, 0.012],
  [0.78, 0.05],
  [1, 0.13],
  [0.93, 0.24],
  [0.62, 0.6],
  [0.4, 0.93],
  [0.25, 0.985],
  [0, 1],
];
let shapes: { bone: LatheGeometry; ball: SphereGeometry } | null = null;

/** What all skeletons share, made for the first. */
function shared(): NonNullable<typeof shapes> {
  const profile = PROFILE.map(([radius, height]) => new Vector2(radius, height));
  shapes ??= { bone: new LatheGeometry(profile, 10), ball: new SphereGeometry(1, 14, 10) };
  return shapes;
}
const [boneColour, jointColour, hoveredColour] = [BONE, JOINT, HOVERED].map((hex) => new Color(hex));

/** Tapered bones and a ball on every joint. */
export class Skeleton {
  readonly group = new Group();
  private readonly bones: InstancedMesh;
  private readonly balls: InstancedMesh;
  private readonly tip = new Vector3();
  private readonly start = new Vector3();
  private readonly matrix = new Matrix4();

  constructor(
    private readonly spans: readonly Span[],
    private readonly joints: number,
    material: ShaderMaterial,
    private readonly size: number,
  ) {
    const { bone, ball } = shared();
    this.bones = new InstancedMesh(bone, material, spans.length);
    this.balls = new InstancedMesh(ball, material, joints);
    this.bones.frustumCulled = this.balls.frustumCulled = false;
    this.group.add(this.bones, this.balls);
    this.mark(
      () => 0,
      () => 0,
    );
  }

  /** A second figure in another material that always has this one's pose. */
  twin(material: ShaderMaterial): Group {
    const group = new Group();
    for (const each of [this.bones, this.balls]) {
      const copy = new InstancedMesh(each.geometry, material, each.count);
      copy.instanceMatrix = each.instanceMatrix;
      copy.frustumCulled = false;
      group.add(copy);
    }
    return group;
  }

  pose(world: Float32Array): void {
    const radii = new Float32Array(this.joints).fill(1.2 * THINNEST * this.size);
    this.spans.forEach((span, i) => {
      origin(world, span.joint, this.start);
      if (span.child >= 0) origin(world, span.child, this.tip);
      else apply(world, span.joint, span.offset, this.tip);
      const length = this.start.distanceTo(this.tip);
      const thick = Math.min(Math.max(THICKNESS * length, THINNEST * this.size), THICKEST * this.size);
      layAlong(this.start, this.tip, thick, length > 1e-3 * this.size, this.matrix);
      this.bones.setMatrixAt(i, this.matrix);
      if (length > 1e-3 * this.size) radii[span.joint] = Math.max(radii[span.joint], 0.75 * thick);
    });
    for (let joint = 0; joint < this.joints; joint++) {
      origin(world, joint, this.start);
      this.matrix.makeScale(radii[joint], radii[joint], radii[joint]).setPosition(this.start);
      this.balls.setMatrixAt(joint, this.matrix);
    }
    this.bones.instanceMatrix.needsUpdate = this.balls.instanceMatrix.needsUpdate = true;
  }

  /** Which joints are selected and hovered; a bone goes with the joint that turns it. */
  mark(selected: (joint: number) => number, hovered: (joint: number) => number): void {
    const colourOf = (joint: number, own: Color): Color => (selected(joint) > 0 ? selectionColour : hovered(joint) > 0 ? hoveredColour : own);
    this.spans.forEach((span, i) => this.bones.setColorAt(i, colourOf(span.joint, boneColour)));
    for (let joint = 0; joint < this.joints; joint++) this.balls.setColorAt(joint, colourOf(joint, jointColour));
    for (const each of [this.bones, this.balls]) if (each.instanceColor) each.instanceColor.needsUpdate = true;
  }

  dispose(): void {
    this.bones.dispose();
    this.balls.dispose();
  }
}

function origin(world: Float32Array, joint: number, into: Vector3): void {
  into.set(world[12 * joint + 3], world[12 * joint + 7], world[12 * joint + 11]);
}

function apply(world: Float32Array, joint: number, [x, y, z]: readonly [number, number, number], into: Vector3): void {
  const row = (r: number): number => {
    const m = 12 * joint + 4 * r;
    return world[m] * x + world[m + 1] * y + world[m + 2] * z + world[m + 3];
  };
  into.set(row(0), row(1), row(2));
}

const [along, side, other] = [new Vector3(), new Vector3(), new Vector3()];

/** The matrix that lays the unit bone from start to tip; one without length vanishes. */
export function layAlong(start: Vector3, tip: Vector3, thick: number, seen: boolean, into: Matrix4): Matrix4 {
  if (!seen) return into.makeScale(0, 0, 0).setPosition(start);
  along.subVectors(tip, start);
  const length = along.length();
  along.divideScalar(length);
  const [x, y, z] = [Math.abs(along.x), Math.abs(along.y), Math.abs(along.z)];
  side.set(x <= y && x <= z ? 1 : 0, y < x && y <= z ? 1 : 0, z < x && z < y ? 1 : 0);
  side.cross(along).normalize();
  other.crossVectors(side, along);
  return into.makeBasis(side.multiplyScalar(thick), along.multiplyScalar(length), other.multiplyScalar(thick)).setPosition(start);
}
