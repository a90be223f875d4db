import { Group, Mesh, type ShaderMaterial } from "three";
import type { Character } from "./character";
import { PoseTexture } from "./pose_texture";
import { Skeleton } from "./skeleton";
import { glass, washOf } from "./surface";

/** The body once more, translucent, at a frame of its own: onion skins and the ghost under the pointer. */
export class Likeness {
  readonly group = new Group();
  private pose: PoseTexture | null = null;
  private skeleton: Skeleton | null = null;

  constructor(
    private readonly character: Character,
    private readonly colour: number,
    private readonly opacity: number,
    private readonly forget: () => void,
  ) {
    this.group.visible = false;
  }

  /** Show it in a pose: 12 numbers a joint, and all channels. */
  show(world: Float32Array, channels: Float32Array, hidden?: ReadonlySet<string>): void {
    this.group.visible = true;
    this.pose?.pose(world, channels);
    this.skeleton?.pose(world);
    for (const mesh of this.group.children) if (mesh.name) mesh.visible = !hidden?.has(mesh.name);
  }

  hide(): void {
    this.group.visible = false;
  }

  /** How far behind itself it is drawn, relative to the distance from the eye */
  set push(share: number) {
    this.group.traverse((each) => {
      if (each instanceof Mesh) (each.material as ShaderMaterial).uniforms.push.value = share;
    });
  }

  /** The character is another one. */
  rebuild(): void {
    this.empty();
    const anatomy = this.character.anatomy;
    if (!anatomy) return;
    if (anatomy.parts.length === 0) {
      const material = this.tinted(glass(this.character.light, {}));
      this.skeleton = new Skeleton(anatomy.spans, anatomy.joints, material, anatomy.height);
      this.group.add(this.skeleton.group);
      return;
    }
    const pose = new PoseTexture(
      anatomy.parts.map((part) => part.binding),
      anatomy.texels,
    );
    this.pose = pose;
    for (const { make, geometry, info } of anatomy.parts) {
      const own = { ...make, uniforms: { ...make.uniforms, pose: { value: pose.texture } } };
      const mesh = new Mesh(geometry.geometry, this.tinted(glass(this.character.light, own)));
      mesh.name = info.name;
      mesh.frustumCulled = false;
      mesh.renderOrder = 1;
      this.group.add(mesh);
    }
  }

  dispose(): void {
    this.forget();
    this.empty();
    this.group.removeFromParent();
  }

  private tinted(material: ShaderMaterial): ShaderMaterial {
    material.uniforms.wash.value = washOf(this.colour, 0.8);
    material.uniforms.opacity.value = this.opacity;
    return material;
  }

  private empty(): void {
    this.pose?.dispose();
    this.skeleton?.dispose();
    this.group.traverse((each) => {
      if (each instanceof Mesh) (each.material as ShaderMaterial).dispose();
    });
    this.group.clear();
    this.pose = this.skeleton = null;
    this.group.visible = false;
  }
}
