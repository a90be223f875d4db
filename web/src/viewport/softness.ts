import { BufferAttribute, BufferGeometry, DynamicDrawUsage } from "three";
import type { Offsets } from "../model/soft_meshes";
import type { MeshArrays } from "./mesh_arrays";
import { vertexNormals } from "./skinning";

/** The geometry of one mesh in one pose: it shares all buffers with others until its vertices swing by themselves. */
export class Softness {
  readonly geometry = new BufferGeometry();
  private own: [BufferAttribute, BufferAttribute] | null = null;

  constructor(
    private readonly mesh: MeshArrays,
    private readonly source: BufferGeometry,
  ) {
    for (const [name, attribute] of Object.entries(source.attributes)) this.geometry.setAttribute(name, attribute);
    this.geometry.setIndex(source.getIndex());
  }

  /** Let some vertices be off, or none. */
  take(offsets: Offsets | null): void {
    const { vertices, triangles } = this.mesh;
    if (!offsets) return this.harden();
    this.own ??= [this.attribute("position"), this.attribute("normal")];
    const [places, facing] = this.own;
    const at = places.array as Float32Array;
    at.set(vertices);
    offsets.vertices.forEach((vertex, i) => {
      for (let axis = 0; axis < 3; axis++) at[3 * vertex + axis] += offsets.by[3 * i + axis];
    });
    facing.array.set(vertexNormals(at, triangles));
    places.needsUpdate = facing.needsUpdate = true;
  }

  dispose(): void {
    this.geometry.dispose();
  }

  private harden(): void {
    if (!this.own) return;
    this.own = null;
    for (const name of ["position", "normal"]) this.geometry.setAttribute(name, this.source.getAttribute(name));
  }

  private attribute(name: "position" | "normal"): BufferAttribute {
    const made = new BufferAttribute(new Float32Array(this.mesh.vertices.length), 3).setUsage(DynamicDrawUsage);
    this.geometry.setAttribute(name, made);
    return made;
  }
}
