import { type BufferGeometry, CapsuleGeometry, Color, Group, Matrix4, Mesh, Quaternion, type ShaderMaterial, SphereGeometry, Vector3 } from "three";
import { RoundedBoxGeometry } from "three/addons/geometries/RoundedBoxGeometry.js";
import type { ObstacleInfo, PropInfo, Scene } from "../protocol/messages";
import { type Box, boxAround } from "./bounds";
import { ALARM, OBSTACLE } from "./colours";
import { caster, solid, type Uniforms, washOf } from "./surface";

interface Placed {
  info: PropInfo;
  /** The number of the joint that holds it; −1 for the world. */
  joint: number;
  local: Matrix4;
  shown: Mesh;
  caster: Mesh;
}

/** Props and obstacles, in the world or held by a joint. */
export class Props {
  readonly group = new Group();
  readonly casting = new Group();
  private placed: Placed[] = [];
  private readonly joint = new Matrix4();

  constructor(
    private readonly light: Uniforms,
    private readonly cast: Uniforms,
  ) {}

  load(scene: Scene): void {
    this.clear();
    this.placed = scene.props.map((info) =>
      this.place(
        info,
        scene.joints.findIndex((each) => each.name === info.joint),
      ),
    );
  }

  /** Where everything is in a pose: 12 numbers a joint. */
  pose(world: Float32Array | null): void {
    for (const { joint, local, shown, caster } of this.placed) {
      if (joint >= 0 && world) {
        const [a, b, c, d, e, f, g, h, i, j, k, l] = world.subarray(12 * joint, 12 * joint + 12);
        shown.matrix.multiplyMatrices(this.joint.set(a, b, c, d, e, f, g, h, i, j, k, l, 0, 0, 0, 1), local);
      } else {
        shown.matrix.copy(local);
      }
      caster.matrix.copy(shown.matrix);
      shown.matrixWorldNeedsUpdate = caster.matrixWorldNeedsUpdate = true;
    }
  }

  /** Redden the obstacles that are hit. */
  warn(obstacles: readonly ObstacleInfo[], frame: number, rate: number): void {
    for (const { info, shown } of this.placed) {
      if (info.role !== "obstacle") continue;
      const hit = obstacles.find((each) => each.name === info.name)?.frames ?? [];
      (shown.material as ShaderMaterial).uniforms.glow.value.w = alarm(hit, frame, rate);
    }
  }

  /** Boxes around all props that stand in the world; what a joint holds goes with the body. */
  boxes(): Box[] {
    return this.placed.flatMap(({ joint, local, shown }) => {
      shown.geometry.computeBoundingBox();
      const own = shown.geometry.boundingBox;
      if (joint >= 0 || !own) return [];
      const points: number[] = [];
      for (let corner = 0; corner < 8; corner++) {
        const at = new Vector3(corner & 1 ? own.max.x : own.min.x, corner & 2 ? own.max.y : own.min.y, corner & 4 ? own.max.z : own.min.z);
        points.push(...at.applyMatrix4(local).toArray());
      }
      const box = boxAround(points);
      return box ? [box] : [];
    });
  }

  clear(): void {
    for (const { shown, caster } of this.placed) {
      shown.geometry.dispose();
      for (const mesh of [shown, caster]) {
        mesh.removeFromParent();
        (mesh.material as ShaderMaterial).dispose();
      }
    }
    this.placed = [];
  }

  private place(info: PropInfo, joint: number): Placed {
    const geometry = shapeOf(info);
    const material = solid(this.light, {});
    material.uniforms.colour.value = info.role === "obstacle" ? new Color(OBSTACLE) : new Color(...info.colour);
    material.uniforms.glow.value = washOf(ALARM, 0);
    const [w, x, y, z] = info.rotation;
    const local = new Matrix4().compose(new Vector3(...info.translation), new Quaternion(x, y, z, w), new Vector3(...info.scale));
    const [shown, shadow] = [new Mesh(geometry, material), new Mesh(geometry, caster(this.cast, {}))];
    for (const mesh of [shown, shadow]) {
      mesh.matrixAutoUpdate = false;
      mesh.frustumCulled = false;
      mesh.name = info.name;
    }
    this.group.add(shown);
    this.casting.add(shadow);
    return { info, joint, local, shown, caster: shadow };
  }
}

/** The surface of a solid in its own frame; boxes have slightly rounded edges, which catch the light. */
function shapeOf({ solid: kind, sizes }: PropInfo): BufferGeometry {
  switch (kind) {
    case "sphere":
      return new SphereGeometry(sizes[0], 40, 24);
    case "capsule":
      return new CapsuleGeometry(sizes[0], 2 * sizes[1], 12, 36);
    case "box": {
      const [x, y, z] = sizes;
      return new RoundedBoxGeometry(2 * x, 2 * y, 2 * z, 3, 0.12 * Math.min(x, y, z));
    }
  }
}

/** How obstacles tell that they are hit; a matter of the shown frame alone, so a paused picture is still. */

const FADE_S = 0.3;
const PULSE_HZ = 3;
/** An obstacle that is hit somewhere in the clip keeps a breath of red. */
export const SIMMER = 0.16;

/** How red an obstacle is, from 0 to 1: full on frames on which it is hit, fading in the clip's time after them. */
export function alarm(hit: readonly number[], frame: number, rate: number): number {
  if (hit.length === 0) return 0;
  const last = hit.findLast((each) => each <= frame);
  if (last === undefined) return SIMMER;
  const since = (frame - last) / rate;
  if (since > 0) return Math.max(SIMMER, 0.8 * (1 - since / FADE_S));
  return 0.88 + 0.12 * Math.cos(2 * Math.PI * PULSE_HZ * (frame / rate));
}
