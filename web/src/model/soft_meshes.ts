import type { Soft } from "../protocol/binary";
import type { SoftInfo } from "../protocol/messages";
import { Version } from "./changes";

/** How far some vertices of a mesh are off, three numbers each. */
export interface Offsets {
  vertices: Uint32Array;
  by: Float32Array;
}

/** How far the vertices of soft meshes are off, by frame; it comes right behind the poses of the same frames. */
export class SoftMeshes {
  private readonly version = new Version();
  /** Which vertices are soft, by the mesh's number in the scene. */
  private vertices = new Map<number, Uint32Array>();
  private readonly byFrame = new Map<number, Map<number, Offsets>>();

  /** Which vertices are soft from now on; of others nothing is known yet. */
  follow(meshes: readonly SoftInfo[]): void {
    const same = meshes.length === this.vertices.size && meshes.every(({ mesh, vertices }) => isSame(this.vertices.get(mesh), vertices));
    if (same) return;
    this.vertices = new Map(meshes.map(({ mesh, vertices }) => [mesh, Uint32Array.from(vertices)]));
    this.clear();
  }

  get meshes(): ReadonlyMap<number, Uint32Array> {
    return this.vertices;
  }

  put({ mesh, first, frames, vertices: count, offsets }: Soft): void {
    const vertices = this.vertices.get(mesh);
    if (vertices?.length !== count) return;
    for (let i = 0; i < frames; i++) {
      const meshes = this.byFrame.get(first + i) ?? new Map();
      this.byFrame.set(first + i, meshes);
      meshes.set(mesh, { vertices, by: offsets.subarray(3 * count * i, 3 * count * (i + 1)) });
    }
    this.version.bump();
  }

  /** By the mesh's number in the scene; nothing where no mesh is soft. */
  get(frame: number): ReadonlyMap<number, Offsets> {
    this.version.read();
    return this.byFrame.get(frame) ?? NOTHING;
  }

  clear(): void {
    if (this.byFrame.size === 0) return;
    this.byFrame.clear();
    this.version.bump();
  }
}

const NOTHING: ReadonlyMap<number, Offsets> = new Map();

function isSame(known: Uint32Array | undefined, told: readonly number[]): boolean {
  return known?.length === told.length && told.every((vertex, i) => vertex === known[i]);
}
