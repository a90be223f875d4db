import type { Blend } from "../protocol/binary";
import { Version } from "./changes";

/** What a mesh's plan blends on one frame: eight numbers a node, and twelve a joint where the rest shape is stretched. */
export interface MeshBlend {
  plan: number;
  differentials: Float32Array;
  stretches: Float32Array | null;
}

/** What the plans of the shown meshes blend, by frame; it comes right behind the poses of the same frames. */
export class Blends {
  private readonly version = new Version();
  private readonly byFrame = new Map<number, Map<number, MeshBlend>>();

  put({ mesh, plan, first, frames, nodes, joints, differentials, stretches }: Blend): void {
    for (let i = 0; i < frames; i++) {
      const meshes = this.byFrame.get(first + i) ?? new Map();
      this.byFrame.set(first + i, meshes);
      meshes.set(mesh, {
        plan,
        differentials: differentials.subarray(8 * nodes * i, 8 * nodes * (i + 1)),
        stretches: stretches?.subarray(12 * joints * i, 12 * joints * (i + 1)) ?? null,
      });
    }
    this.version.bump();
  }

  get(frame: number, mesh: number): MeshBlend | null {
    this.version.read();
    return this.byFrame.get(frame)?.get(mesh) ?? null;
  }

  clear(): void {
    this.byFrame.clear();
  }
}
