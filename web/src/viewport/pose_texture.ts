import { DataTexture, FloatType, NearestFilter, RGBAFormat } from "three";
import { multiply } from "./skinning";

/** Texels a row of the pose texture: 256 bones of four texels. */
export const POSE_COLUMNS = 1024;

/** A mesh's bones in the pose texture: which joints they are, and where each joint finds the mesh. */
export interface Binding {
  /** Numbers of joints; −1 for one that the rig does not have, which leaves its vertices in place. */
  joints: readonly number[];
  jointFromMesh: Float32Array;
  /** Numbers of the channels that weigh the blend shapes. */
  shapes: readonly number[];
  firstBone: number;
  firstShape: number;
}

/** Lay out the bones and shape weights of several meshes one after another; returns the texels needed. */
export function layOut(meshes: readonly Omit<Binding, "firstBone" | "firstShape">[]): { bindings: Binding[]; texels: number } {
  let bone = 0;
  const placed = meshes.map((mesh) => {
    const firstBone = bone;
    bone += mesh.joints.length;
    return { ...mesh, firstBone, firstShape: 0 };
  });
  let texel = 4 * bone;
  for (const each of placed) {
    each.firstShape = texel;
    texel += each.shapes.length;
  }
  return { bindings: placed, texels: texel };
}

/**
 * One pose of all meshes, for the vertex shader: four texels a bone (three rows of world_from_mesh; then how much the
 * joint is selected and hovered), then one texel a shape (its weight first).
 */
export class PoseTexture {
  readonly texture: DataTexture;
  readonly numbers: Float32Array;
  private readonly product = new Float32Array(12);

  constructor(
    private readonly bindings: readonly Binding[],
    texels: number,
  ) {
    const rows = Math.max(1, Math.ceil(texels / POSE_COLUMNS));
    this.numbers = new Float32Array(4 * POSE_COLUMNS * rows);
    this.texture = new DataTexture(this.numbers, POSE_COLUMNS, rows, RGBAFormat, FloatType);
    this.texture.minFilter = this.texture.magFilter = NearestFilter;
  }

  /** Take a pose: 12 numbers a joint, and all channels; a mesh that is stretched by other matrices has those instead. */
  pose(world: Float32Array, channels: Float32Array, stretches: (mesh: number) => Float32Array | null = () => null): void {
    this.bindings.forEach(({ joints, jointFromMesh, firstBone, shapes, firstShape }, mesh) => {
      const stretch = stretches(mesh);
      joints.forEach((joint, i) => {
        if (stretch) this.product.set(stretch.subarray(12 * i, 12 * i + 12));
        else if (joint >= 0) multiply(world, 12 * joint, jointFromMesh, 12 * i, this.product, 0);
        else this.product.set([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0]);
        this.numbers.set(this.product, 16 * (firstBone + i));
      });
      shapes.forEach((channel, i) => {
        this.numbers[4 * (firstShape + i)] = channel >= 0 ? channels[channel] : 0;
      });
    });
    this.texture.needsUpdate = true;
  }

  /** Which joints are selected and hovered, from 0 to 1. */
  mark(selected: (joint: number) => number, hovered: (joint: number) => number): void {
    for (const { joints, firstBone } of this.bindings) {
      joints.forEach((joint, i) => {
        this.numbers[16 * (firstBone + i) + 12] = selected(joint);
        this.numbers[16 * (firstBone + i) + 13] = hovered(joint);
      });
    }
    this.texture.needsUpdate = true;
  }

  /** The row-major 3×4 matrix of a bone, as the shader will find it. */
  bone(number: number): Float32Array {
    return this.numbers.subarray(16 * number, 16 * number + 12);
  }

  dispose(): void {
    this.texture.dispose();
  }
}
