import type { BufferGeometry } from "three";
import type { Offsets } from "../model/soft_meshes";
import { Nodes } from "./blending/nodes";
import { Placed } from "./blending/placed";
import type { Plans } from "./blending/plans";
import { type Blending, MATRICES, WAYS } from "./blending/ways";
import type { BodyGeometry } from "./body_geometry";
import type { MeshArrays } from "./mesh_arrays";
import { type Binding, PoseTexture } from "./pose_texture";
import type { Pose } from "./rest_pose";
import { shapeNormals } from "./skinning";
import { Softness } from "./softness";
import type { Uniforms } from "./surface";

/** A mesh of the body: what it was fetched as, what it is drawn as, and where its bones are in a pose texture. */
export interface Flesh {
  arrays: MeshArrays;
  geometry: BodyGeometry;
  binding: Binding;
}

/** All meshes of a body in one pose: by the vertex shader from textures, or put into place by the processor. */
export class PosedBody {
  private readonly texture: PoseTexture;
  private readonly parts: Part[];

  constructor(flesh: readonly Flesh[], texels: number, private readonly plans: Plans, onProcessor: boolean) {
    this.texture = new PoseTexture(
      flesh.map((each) => each.binding),
      texels,
    );
    this.parts = flesh.map((each) => new Part(each, this.texture, onProcessor));
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
      part.blended = { way: WAYS[blending], plan: plan.plan, nodes: part.nodes, stretched: blend.stretches !== null };
      part.uniforms.blending.value = WAYS[blending];
      part.uniforms.stretched.value = blend.stretches !== null;
      if (!part.placed) [part.uniforms.plan.value, part.uniforms.nodes.value] = [plan.texture, part.nodes.texture];
    });
    this.place();
    return true;
  }

  /** Which joints are selected and hovered, from 0 to 1. */
  mark(selected: (joint: number) => number, hovered: (joint: number) => number): void {
    this.texture.mark(selected, hovered);
    this.place();
  }

  dispose(): void {
    this.texture.dispose();
    for (const part of this.parts) part.dispose();
  }

  private place(): void {
    for (const { placed, blended, softness } of this.parts) placed?.place(this.texture.numbers, blended, softness.at);
  }
}

class Part {
  readonly nodes = new Nodes();
  readonly placed: Placed | null;
  readonly geometry: BufferGeometry;
  readonly uniforms: Uniforms;
  blended: Parameters<Placed["place"]>[1] = { way: MATRICES, plan: null, nodes: this.nodes, stretched: false };

  readonly softness: Softness;

  constructor({ arrays, geometry, binding }: Flesh, texture: PoseTexture, onProcessor: boolean) {
    this.softness = new Softness(arrays, geometry.geometry);
    const turns = onProcessor ? shapeNormals(arrays.vertices, arrays.triangles, arrays.shapes) : [];
    this.placed = onProcessor ? new Placed(arrays, geometry.geometry, turns, binding) : null;
    this.geometry = this.placed?.geometry ?? this.softness.geometry;
    this.uniforms = {
      pose: { value: onProcessor ? null : texture.texture },
      blending: { value: MATRICES },
      stretched: { value: false },
      plan: { value: null },
      nodes: { value: null },
    };
  }

  /** Where vertices are off before joints carry them, or that they are not. */
  soften(offsets: Offsets | null): void {
    this.softness.take(offsets);
  }

  /** The matrices of the joints are all there is to know. */
  matrices(): void {
    this.uniforms.blending.value = MATRICES;
    this.blended = { way: MATRICES, plan: null, nodes: this.nodes, stretched: false };
  }

  dispose(): void {
    this.nodes.dispose();
    this.placed?.dispose();
    this.softness.dispose();
  }
}
