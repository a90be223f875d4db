import type { MeshArrays } from "./mesh_arrays";

/** A box along the axes, in a joint's frame or in the world. */
export interface Box {
  low: [number, number, number];
  high: [number, number, number];
}

/** Six numbers a joint, low then high: the box, in the joint's frame, around all vertices that follow it most. */
export class JointBoxes {
  readonly numbers: Float32Array;

  constructor(readonly joints: number) {
    this.numbers = new Float32Array(6 * joints);
  }

  /** Grow by a mesh; `joints` are the rig's numbers of the mesh's joints. */
  add(mesh: MeshArrays, joints: readonly number[]): void {
    const { vertices, influences, weights, influencesEach: each, jointFromMesh } = mesh;
    for (let v = 0; v < vertices.length / 3; v++) {
      let most = v * each;
      for (let i = most + 1; i < (v + 1) * each; i++) if (weights[i] > weights[most]) most = i;
      const bone = influences[most];
      const joint = joints[bone];
      if (joint === undefined || joint < 0) continue;
      for (let row = 0; row < 3; row++) {
        const m = 12 * bone + 4 * row;
        const x =
          jointFromMesh[m] * vertices[3 * v] + jointFromMesh[m + 1] * vertices[3 * v + 1] + jointFromMesh[m + 2] * vertices[3 * v + 2] + jointFromMesh[m + 3];
        const at = 6 * joint + row;
        this.numbers[at] = Math.min(this.numbers[at], x);
        this.numbers[at + 3] = Math.max(this.numbers[at + 3], x);
      }
    }
  }

  /** The corners of some joints' boxes in a pose, added to a list of points: x, y, z, x, y, z … */
  corners(world: Float32Array, into: number[], joints?: Iterable<number>): void {
    for (const joint of joints ?? Array(this.joints).keys()) {
      for (let corner = 0; corner < 8; corner++) {
        for (let row = 0; row < 3; row++) {
          const m = 12 * joint + 4 * row;
          let x = world[m + 3];
          for (let axis = 0; axis < 3; axis++) {
            x += world[m + axis] * this.numbers[6 * joint + axis + ((corner >> axis) & 1 ? 3 : 0)];
          }
          into.push(x);
        }
      }
    }
  }
}

/** The box around points x, y, z, x, y, z …; null when there are none. */
export function boxAround(points: readonly number[]): Box | null {
  if (points.length < 3) return null;
  const box: Box = { low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] };
  points.forEach((x, i) => {
    box.low[i % 3] = Math.min(box.low[i % 3], x);
    box.high[i % 3] = Math.max(box.high[i % 3], x);
  });
  return box;
}

export function diagonal(box: Box): number {
  return Math.hypot(...box.high.map((x, i) => x - box.low[i]));
}
