import { BufferAttribute, BufferGeometry, DynamicDrawUsage } from "three";
import type { MeshArrays } from "../mesh_arrays";
import type { Binding } from "../pose_texture";
import { blendRows } from "./blend_vertices";
import type { Nodes } from "./nodes";
import type { Plan } from "./plan";
import { MATRICES } from "./ways";

/** What a mesh is blended by in one pose; no plan where matrices are enough. */
interface Blended {
  way: number;
  plan: Plan | null;
  nodes: Nodes;
  stretched: boolean;
}

/** A mesh whose vertices the processor puts where they belong: slowly, for where textures of floats are missing. */
export class Placed {
  readonly geometry = new BufferGeometry();
  private readonly at: Float32Array;
  private readonly facing: Float32Array;
  private readonly marks: Float32Array;
  private readonly rows = new Float64Array(12);
  private readonly point = new Float64Array(3);
  private readonly normal = new Float64Array(3);

  constructor(
    private readonly mesh: MeshArrays,
    private readonly source: BufferGeometry,
    private readonly turns: readonly Float32Array[],
    private readonly binding: Binding,
  ) {
    const vertices = mesh.vertices.length / 3;
    [this.at, this.facing, this.marks] = [3, 3, 2].map((each) => new Float32Array(each * vertices));
    for (const [name, attribute] of Object.entries(source.attributes)) this.geometry.setAttribute(name, attribute);
    this.geometry.setIndex(source.getIndex());
    this.put("placedAt", this.at, 3);
    this.put("placedFacing", this.facing, 3);
    this.put("placedMarks", this.marks, 2);
  }

  /** Place all vertices, which start from `vertices`; `bones` are the numbers of the pose texture. */
  place(bones: Float32Array, by: Blended, vertices = this.mesh.vertices): void {
    for (let v = 0; v < vertices.length / 3; v++) {
      this.shape(v, vertices, bones);
      this.carry(v, bones);
      if (by.way !== MATRICES && by.plan) {
        if (by.stretched) this.through();
        blendRows(by.plan, by.nodes.numbers, by.way, v, this.rows);
      }
      this.through();
      this.at.set(this.point, 3 * v);
      this.facing.set(this.normal, 3 * v);
    }
    for (const name of ["placedAt", "placedFacing", "placedMarks"]) this.geometry.getAttribute(name).needsUpdate = true;
  }

  dispose(): void {
    this.geometry.dispose();
  }

  private put(name: string, array: Float32Array, each: number): void {
    this.geometry.setAttribute(name, new BufferAttribute(array, each).setUsage(DynamicDrawUsage));
  }

  private shape(v: number, vertices: Float32Array, bones: Float32Array): void {
    const normals = this.source.getAttribute("normal").array;
    for (let i = 0; i < 3; i++) [this.point[i], this.normal[i]] = [vertices[3 * v + i], normals[3 * v + i]];
    this.mesh.shapes.forEach((offsets, s) => {
      const share = bones[4 * (this.binding.firstShape + s)];
      if (share === 0) return;
      for (let i = 0; i < 3; i++) {
        this.point[i] += share * offsets[3 * v + i];
        this.normal[i] += share * this.turns[s][3 * v + i];
      }
    });
  }

  /** The mean of the bones' matrices, and how much of the vertex is marked. */
  private carry(v: number, bones: Float32Array): void {
    const { influencesEach: each, influences, weights } = this.mesh;
    this.rows.fill(0);
    this.marks[2 * v] = this.marks[2 * v + 1] = 0;
    for (let i = v * each; i < (v + 1) * each; i++) {
      const from = 16 * (this.binding.firstBone + influences[i]);
      for (let k = 0; k < 12; k++) this.rows[k] += weights[i] * bones[from + k];
      this.marks[2 * v] += weights[i] * bones[from + 12];
      this.marks[2 * v + 1] += weights[i] * bones[from + 13];
    }
  }

  /** Point and normal through the rows; cofactors carry normals through scales, their sign through mirrors. */
  private through(): void {
    const { rows: m, point, normal } = this;
    const [x, y, z] = point;
    const [nx, ny, nz] = normal;
    for (let r = 0; r < 3; r++) point[r] = m[4 * r] * x + m[4 * r + 1] * y + m[4 * r + 2] * z + m[4 * r + 3];
    let volume = 0;
    for (let r = 0; r < 3; r++) {
      const [s, t] = [4 * ((r + 1) % 3), 4 * ((r + 2) % 3)];
      const [cx, cy, cz] = [m[s + 1] * m[t + 2] - m[s + 2] * m[t + 1], m[s + 2] * m[t] - m[s] * m[t + 2], m[s] * m[t + 1] - m[s + 1] * m[t]];
      normal[r] = cx * nx + cy * ny + cz * nz;
      if (r === 0) volume = m[0] * cx + m[1] * cy + m[2] * cz;
    }
    if (volume < 0) for (let r = 0; r < 3; r++) normal[r] = -normal[r];
  }
}
