import type { Soft } from "../protocol/binary";
import { Cell } from "./cell";

/** How far the vertices of soft meshes are off, by frame; it comes right behind the poses of the same frames. */
export class SoftMeshes {
  /** Counts changes; watch it to draw anew. */
  readonly version = new Cell(0);
  private readonly byFrame = new Map<number, Map<number, Float32Array>>();

  put({ mesh, first, frames, vertices, offsets }: Soft): void {
    for (let i = 0; i < frames; i++) {
      let meshes = this.byFrame.get(first + i);
      if (!meshes) this.byFrame.set(first + i, (meshes = new Map()));
      meshes.set(mesh, offsets.subarray(3 * vertices * i, 3 * vertices * (i + 1)));
    }
    this.version.value++;
  }

  /** By the mesh's number in the scene; nothing where no mesh is soft. */
  get(frame: number): ReadonlyMap<number, Float32Array> {
    return this.byFrame.get(frame) ?? NOTHING;
  }

  clear(): void {
    if (this.byFrame.size === 0) return;
    this.byFrame.clear();
    this.version.value++;
  }
}

const NOTHING: ReadonlyMap<number, Float32Array> = new Map();
