import type { BufferGeometry } from "three";
import type { Offsets } from "../model/soft_meshes";
import { Nodes } from "./blending/nodes";
import type { Plans } from "./blending/plans";
import { type Blending, MATRICES, WAYS } from "./blending/ways";
import type { BodyGeometry } from "./body_geometry";
import type { MeshArrays } from "./mesh_arrays";
import type { Pose } from "./pose";
import { type Binding, PoseTexture } from "./pose_texture";
import { Softness } from "./softness";
import type { Uniforms } from "./surface";

/** A mesh of the body: what it was fetched as, what it is drawn as, and where its bones are in a pose texture. */
export interface Flesh {
  arrays: MeshArrays;
  geometry: BodyGeometry;
  binding: Binding;
}

/** All meshes of a body in one pose: textures that the vertex shader reads. */
export class PosedBody {
  private readonly texture: PoseTexture;
  private readonly parts: Part[];

  constructor(
    flesh: readonly Flesh[],
    texels: number,
    private readonly plans: Plans,
  ) {
    this.texture = new PoseTexture(
      flesh.map((each) => each.binding),
      texels,
    );
    this.parts = flesh.map((each) => new Part(each, this.texture));
  }

  geometry(mesh: number): BufferGeometry {
    return this.parts[mesh].geometry;
  }

  uniforms(mesh: number): Uniforms {
    return this.parts[mesh].uniforms;
  }

  /** Take a pose; false, and as before, while a plan that it needs has not arrived. */
  pose(pose: Pose, blending: Blending): boolean {
    const steps = WAYS[blending] === WAYS.differential;
    for (const { plan } of pose.blends.values()) {
      const found = this.plans.get(plan);
      if (!found || steps !== (found.plan.fractions === null)) return false;
    }
    this.texture.pose(pose.world, pose.channels, (mesh) => pose.blends.get(mesh)?.stretches ?? null);
    this.parts.forEach((part, mesh) => {
      part.soften(pose.soft.get(mesh) ?? null);
      const blend = pose.blends.get(mesh);
      const plan = blend && this.plans.get(blend.plan);
      if (!blend || !plan) return part.matrices();
      part.nodes.pose(plan.plan, blend.differentials);
      part.uniforms.blending.value = WAYS[blending];
      part.uniforms.stretched.value = blend.stretches !== null;
      [part.uniforms.plan.value, part.uniforms.nodes.value] = [plan.texture, part.nodes.texture];
    });
    return true;
  }

  /** Which joints are selected and hovered, from 0 to 1. */
  mark(selected: (joint: number) => number, hovered: (joint: number) => number): void {
    this.texture.mark(selected, hovered);
  }

  dispose(): void {
    this.texture.dispose();
    for (const part of this.parts) part.dispose();
  }
}

class Part {
  readonly nodes = new Nodes();
  readonly uniforms: Uniforms;
  private readonly softness: Softness;

  constructor({ arrays, geometry }: Flesh, texture: PoseTexture) {
    this.softness = new Softness(arrays, geometry.geometry);
    this.uniforms = {
      pose: { value: texture.texture },
      blending: { value: MATRICES },
      stretched: { value: false },
      plan: { value: null },
      nodes: { value: null },
    };
  }

  get geometry(): BufferGeometry {
    return this.softness.geometry;
  }

  /** Where vertices are off before joints carry them, or that they are not. */
  soften(offsets: Offsets | null): void {
    this.softness.take(offsets);
  }

  /** The matrices of the joints are all there is to know. */
  matrices(): void {
    this.uniforms.blending.value = MATRICES;
  }

  dispose(): void {
    this.nodes.dispose();
    this.softness.dispose();
  }
}
