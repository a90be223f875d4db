import { Color, Group, Mesh, type ShaderMaterial } from "three";
import type { Display } from "../model/model";
import type { MeshInfo, Scene } from "../protocol/messages";
import type { Plans } from "./blending/plans";
import type { Blending } from "./blending/ways";
import { bodyGeometry } from "./body_geometry";
import { JointBoxes } from "./bounds";
import { GHOST } from "./colours";
import { Likeness } from "./likeness";
import type { MeshArrays, MeshStore } from "./mesh_arrays";
import { loadPictures, NO_PICTURES, type Pictures } from "./pictures";
import type { Pose } from "./pose";
import { layOut } from "./pose_texture";
import { type Flesh, PosedBody } from "./posed_body";
import { Skeleton, type Span, spansOf } from "./skeleton";
import { caster, glass, type Make, solid, type Uniforms, washOf } from "./surface";

/** One mesh of the body, solid, as glass, and as what throws its shadow; all three share their buffers. */
interface BodyPart extends Flesh {
  info: MeshInfo;
  make: Make;
  solid: Mesh;
  glass: Mesh;
  caster: Mesh;
  pictures: Pictures;
}

/** What likenesses of a body share. */
interface Anatomy {
  parts: readonly BodyPart[];
  texels: number;
  spans: readonly Span[];
  joints: number;
  height: number;
  blending: Blending;
}

/** Everything of one document: taken away whole when another comes. */
interface Figure extends Anatomy {
  posed: PosedBody;
  skeleton: Skeleton;
  skeletonCaster: Group;
}

/** The character: skin on the GPU, skeleton, and likenesses of it at other frames. */
export class Character {
  readonly group = new Group();
  readonly casting = new Group();
  boxes = new JointBoxes(0);
  private figure: Figure | null = null;
  private readonly likenesses = new Set<Likeness>();
  private readonly bones: ShaderMaterial;
  private readonly bonesCaster: ShaderMaterial;
  private loads = 0;

  constructor(
    readonly light: Uniforms,
    private readonly cast: Uniforms,
    private readonly store: MeshStore,
    readonly plans: Plans,
  ) {
    this.bones = solid(light, {});
    this.bonesCaster = caster(cast, {});
  }

  /** Take another document's character; resolves to false when a newer one came meanwhile. */
  async load(scene: Scene): Promise<boolean> {
    const load = ++this.loads;
    const [arrays, pictures] = await Promise.all([
      Promise.all(scene.meshes.map((mesh) => this.store.get(mesh.url))),
      Promise.all(scene.meshes.map(loadPictures)),
    ]);
    if (load !== this.loads) return false;
    this.clear();
    this.figure = this.build(scene, arrays, pictures);
    for (const each of this.likenesses) each.rebuild();
    return true;
  }

  get isThere(): boolean {
    return this.figure !== null;
  }

  /** What a likeness is made of; null while nothing is loaded. */
  get anatomy(): Anatomy | null {
    return this.figure;
  }

  /** Take a pose; false while a plan that it needs has not arrived. */
  pose(pose: Pose): boolean {
    if (!this.figure) return true;
    if (!this.figure.posed.pose(pose, this.figure.blending)) return false;
    this.figure.skeleton.pose(pose.world);
    return true;
  }

  /** Another way of blending from the next pose on. */
  blend(blending: Blending): void {
    if (this.figure) this.figure.blending = blending;
  }

  mark(selected: (joint: number) => number, hovered: (joint: number) => number): void {
    this.figure?.posed.mark(selected, hovered);
    this.figure?.skeleton.mark(selected, hovered);
  }

  /** Shaded, translucent with the skeleton inside, the skeleton alone, or weights; a character without skin is all skeleton. */
  display(mode: Display, hidden: ReadonlySet<string>): void {
    if (!this.figure) return;
    const { parts, skeleton, skeletonCaster } = this.figure;
    for (const part of parts) {
      const there = !hidden.has(part.info.name);
      part.solid.visible = there && (mode === "shaded" || mode === "weights");
      (part.solid.material as ShaderMaterial).uniforms.weighed.value = mode === "weights";
      part.glass.visible = there && mode === "x-ray";
      part.caster.visible = there && mode !== "skeleton";
    }
    skeleton.group.visible = mode === "x-ray" || mode === "skeleton" || parts.length === 0;
    skeletonCaster.visible = mode === "skeleton" || parts.length === 0;
  }

  /** A translucent likeness of the body that can be shown at any frame; yours until you dispose of it. */
  likeness(colour: number, opacity: number, wire = false): Likeness {
    const likeness = new Likeness(this, colour, opacity, () => this.likenesses.delete(likeness), wire);
    this.likenesses.add(likeness);
    this.group.add(likeness.group);
    likeness.rebuild();
    return likeness;
  }

  /** Draw all likenesses a share of the eye's distance farther back, so as not to speckle the body. */
  setBack(share: number): void {
    for (const each of this.likenesses) if (each.group.visible) each.push = share;
  }

  clear(): void {
    if (!this.figure) return;
    for (const part of this.figure.parts) {
      part.geometry.dispose();
      part.pictures.dispose();
      for (const mesh of [part.solid, part.glass, part.caster]) {
        mesh.removeFromParent();
        (mesh.material as ShaderMaterial).dispose();
      }
    }
    this.figure.posed.dispose();
    this.figure.skeleton.dispose();
    this.figure.skeleton.group.removeFromParent();
    this.figure.skeletonCaster.removeFromParent();
    this.figure = null;
    this.boxes = new JointBoxes(0);
    for (const each of this.likenesses) each.rebuild();
  }

  private build(scene: Scene, arrays: readonly MeshArrays[], pictures: readonly Pictures[]): Figure {
    const jointOf = new Map(scene.joints.map((joint, i) => [joint.name, i]));
    const channelOf = new Map(scene.channels.map((channel, i) => [channel.name, i]));
    const bound = scene.meshes.map((info, i) => ({
      joints: info.joints.map((name) => jointOf.get(name) ?? -1),
      jointFromMesh: arrays[i].jointFromMesh,
      shapes: info.shapes.map((name) => channelOf.get(name) ?? -1),
    }));
    const { bindings, texels } = layOut(bound);
    this.boxes = new JointBoxes(scene.joints.length);
    arrays.forEach((mesh, i) => this.boxes.add(mesh, bindings[i].joints));
    const flesh = arrays.map((mesh, i): Flesh => ({ arrays: mesh, geometry: bodyGeometry(mesh), binding: bindings[i] }));
    const posed = new PosedBody(flesh, texels, this.plans);
    const parts = scene.meshes.map((info, i) => this.part(info, flesh[i], arrays[i].uvs ? pictures[i] : NO_PICTURES, posed, i));
    const spans = spansOf(scene.joints, scene.points);
    const skeleton = new Skeleton(spans, scene.joints.length, this.bones, scene.height);
    const skeletonCaster = skeleton.twin(this.bonesCaster);
    this.group.add(skeleton.group);
    this.casting.add(skeletonCaster);
    const { joints, height, blending } = scene;
    return { parts, posed, texels, spans, joints: joints.length, height, blending, skeleton, skeletonCaster };
  }

  private part(info: MeshInfo, flesh: Flesh, pictures: Pictures, posed: PosedBody, number: number): BodyPart {
    const { arrays, geometry, binding } = flesh;
    const make: Make = {
      defines: { ...geometry.defines, ...pictures.defines },
      uniforms: {
        ...posed.uniforms(number),
        firstBone: { value: binding.firstBone },
        shapes: { value: geometry.shapes },
        shapeCount: { value: binding.shapes.length },
        firstShape: { value: binding.firstShape },
        vertexCount: { value: arrays.vertices.length / 3 },
        colour: { value: new Color(...info.colour.slice(0, 3)) },
        ...pictures.uniforms,
      },
    };
    const mesh = (material: ShaderMaterial, parent: Group): Mesh => {
      const made = new Mesh(posed.geometry(number), material);
      made.frustumCulled = false;
      parent.add(made);
      return made;
    };
    const clear = glass(this.light, make);
    clear.uniforms.wash.value = washOf(GHOST, 0.6);
    clear.uniforms.opacity.value = 0.5;
    const part: BodyPart = {
      ...flesh,
      info,
      make,
      pictures,
      solid: mesh(solid(this.light, make), this.group),
      glass: mesh(clear, this.group),
      caster: mesh(caster(this.cast, make), this.casting),
    };
    part.glass.renderOrder = 2;
    return part;
  }
}
