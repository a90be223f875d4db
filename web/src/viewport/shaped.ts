import type { MeshInfo, Part, Place } from "../protocol/messages";
import type { MeshArrays } from "./mesh_arrays";
import type { Surface } from "./picking";
import { multiply } from "./skinning";

/** Metres: a vertex that no shape moves farther has a place on its joints like any other. */
const LEAST = 5e-4;

type Vector = [number, number, number];

/** The vertices of a mesh that blend shapes move: where they are in a pose, and as places on the body. */
export class ShapedVertices {
  private readonly vertices: readonly number[];
  private readonly positions: Float32Array;
  private readonly matrices: Float32Array;

  constructor(
    private readonly info: MeshInfo,
    private readonly arrays: MeshArrays,
    /** Numbers of the mesh's joints and of its shapes' channels. */
    private readonly joints: readonly number[],
    private readonly channels: readonly number[],
  ) {
    const { vertices, shapes, jointFromMesh } = arrays;
    const moved = (v: number): boolean => shapes.some((shape) => Math.hypot(shape[3 * v], shape[3 * v + 1], shape[3 * v + 2]) > LEAST);
    this.vertices = Array.from({ length: vertices.length / 3 }, (_, v) => v).filter(moved);
    this.positions = new Float32Array(vertices.length);
    this.matrices = new Float32Array(jointFromMesh.length);
  }

  /** As linear skinning has them in a pose: 12 numbers a joint, and all channels. */
  surface(world: Float32Array, channels: Float32Array): Surface {
    const { vertices, shapes, influences, weights, influencesEach: each, jointFromMesh } = this.arrays;
    this.joints.forEach((joint, i) => {
      if (joint >= 0) multiply(world, 12 * joint, jointFromMesh, 12 * i, this.matrices, 12 * i);
    });
    const shares = this.channels.map((channel) => channels[channel] ?? 0);
    for (const v of this.vertices) {
      const p = [0, 1, 2].map((axis) => shapes.reduce((sum, shape, s) => sum + shares[s] * shape[3 * v + axis], vertices[3 * v + axis]));
      for (let row = 0; row < 3; row++) {
        let sum = 0;
        for (let i = each * v; i < each * (v + 1); i++) {
          const m = 12 * influences[i] + 4 * row;
          sum += weights[i] * (this.matrices[m] * p[0] + this.matrices[m + 1] * p[1] + this.matrices[m + 2] * p[2] + this.matrices[m + 3]);
        }
        this.positions[3 * v + row] = sum;
      }
    }
    return { mesh: this.info.name, positions: this.positions, vertices: this.vertices };
  }

  /** A vertex as the mean of points on its joints, the heaviest first, which shapes move. */
  place(vertex: number): Place {
    const { vertices, shapes, influences, weights, influencesEach: each } = this.arrays;
    const own = Array.from({ length: each }, (_, i) => each * vertex + i).filter((i) => weights[i] > 0);
    const moves = new Map<string, Vector>();
    shapes.forEach((shape, s) => {
      const before = moves.get(this.info.shapes[s]) ?? [0, 0, 0];
      moves.set(this.info.shapes[s], before.map((x, axis) => x + shape[3 * vertex + axis]) as Vector);
    });
    const at = [...vertices.subarray(3 * vertex, 3 * vertex + 3)] as Vector;
    const parts = own.map((i): Part => {
      const through = (v: Vector, whole: number): Vector => this.through(influences[i], v, whole);
      const shaped = [...moves].filter(([, move]) => move.some((x) => x !== 0)).map(([channel, move]): [string, Vector] => [channel, through(move, 0)]);
      return { joint: this.info.joints[influences[i]], offset: through(at, 1), weight: weights[i], shapes: shaped };
    });
    return { parts: parts.sort((a, b) => b.weight - a.weight), name: `${this.info.name} vertex ${vertex}` };
  }

  /** From the mesh into the frame of one of its joints: a place, or with 0 only a way. */
  private through(joint: number, [x, y, z]: Vector, whole: number): Vector {
    const m = this.arrays.jointFromMesh.subarray(12 * joint, 12 * joint + 12);
    return [0, 4, 8].map((r) => m[r] * x + m[r + 1] * y + m[r + 2] * z + whole * m[r + 3]) as Vector;
  }
}
