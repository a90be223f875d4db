import { BufferAttribute, BufferGeometry, Group, LineSegments, Mesh, type Object3D, type ShaderMaterial } from "three";
import type { Character } from "./character";
import type { MeshArrays } from "./mesh_arrays";
import type { Pose } from "./pose";
import { PosedBody } from "./posed_body";
import { Skeleton } from "./skeleton";
import { glass, washOf } from "./surface";
import { wireNet } from "./wire_net";

/** The body once more, translucent, at a frame of its own: onion skins and the ghost under the pointer. */
export class Likeness {
  readonly group = new Group();
  private posed: PosedBody | null = null;
  private skeleton: Skeleton | null = null;

  constructor(
    private readonly character: Character,
    private readonly colour: number,
    private opacity: number,
    private readonly forget: () => void,
    /** A net of lines over its skin instead. */
    private readonly wire = false,
  ) {
    this.group.visible = false;
  }

  /** Show it in a pose; hidden while a plan that the pose needs has not arrived. */
  show(pose: Pose, hidden?: ReadonlySet<string>): void {
    const blending = this.character.anatomy?.blending ?? "linear";
    this.group.visible = this.posed?.pose(pose, blending) ?? true;
    this.skeleton?.pose(pose.world);
    for (const mesh of this.group.children) if (mesh.name) mesh.visible = !hidden?.has(mesh.name);
  }

  hide(): void {
    this.group.visible = false;
  }

  /** How clear it is. */
  set strength(opacity: number) {
    this.opacity = opacity;
    this.group.traverse((each) => {
      if (isDrawn(each)) each.material.uniforms.opacity.value = opacity;
    });
  }

  /** How far behind itself it is drawn, relative to the distance from the eye */
  set push(share: number) {
    this.group.traverse((each) => {
      if (isDrawn(each)) each.material.uniforms.push.value = share;
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
    const posed = new PosedBody(anatomy.parts, anatomy.texels, this.character.plans);
    this.posed = posed;
    anatomy.parts.forEach(({ make, info, arrays }, number) => {
      const own = { ...make, uniforms: { ...make.uniforms, ...posed.uniforms(number) } };
      const material = this.tinted(glass(this.character.light, own));
      const geometry = posed.geometry(number);
      const mesh = this.wire ? new LineSegments(netted(geometry, arrays, NET * anatomy.height), material) : new Mesh(geometry, material);
      mesh.name = info.name;
      mesh.frustumCulled = false;
      mesh.renderOrder = 1;
      this.group.add(mesh);
    });
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
    this.posed?.dispose();
    this.skeleton?.dispose();
    this.group.traverse((each) => {
      if (isDrawn(each)) each.material.dispose();
      if (each instanceof LineSegments) each.geometry.dispose();
    });
    this.group.clear();
    this.posed = this.skeleton = null;
    this.group.visible = false;
  }
}

/** The width of a net's meshes, relative to the character's height. */
const NET = 0.035;

function isDrawn(each: Object3D): each is Mesh<BufferGeometry, ShaderMaterial> {
  return each instanceof Mesh || each instanceof LineSegments;
}

/** The same vertices, joined by lines of a coarse net. */
function netted(source: BufferGeometry, { vertices, triangles }: MeshArrays, cell: number): BufferGeometry {
  const geometry = new BufferGeometry();
  for (const [name, attribute] of Object.entries(source.attributes)) geometry.setAttribute(name, attribute);
  return geometry.setIndex(new BufferAttribute(wireNet(vertices, triangles, cell), 1));
}
