import { effect } from "@preact/signals-core";
import { Vector3 } from "three";
import type { Model } from "../model/model";
import type { BoneShape, Place, Scene } from "../protocol/messages";
import { meshStore } from "./mesh_arrays";
import { alongBent, type BodyHit, pickBent, pickBody, vertexUnder } from "./picking";
import { type BoneProxy, type CarriedMesh, proxiesOf } from "./proxies";
import { ShapedVertices } from "./shaped";
import type { Lens } from "./tools/lens";

/** Thin bones may be missed by so many pixels. */
const SLACK_PIXELS = 4;

/** The shown body as the pointer feels it: capsules around its bones, made once for a rig and its meshes. */
export class Body {
  private proxies: BoneProxy[] | null = null;
  private meshes: CarriedMesh[] = [];
  private shaped = new Map<string, ShapedVertices>();
  private readonly spot = new Vector3();

  constructor(
    private readonly model: Model,
    private readonly lens: Lens,
  ) {
    effect(() => void this.load(model.scene.value));
  }

  /** The spot of the body under a pixel, on the frame that is shown: a vertex of its own where blend shapes move one. */
  under(x: number, y: number): BodyHit | null {
    const hit = this.boneUnder(x, y);
    // A joint or a named point is meant by name, whatever skin is before it.
    const isNamed = hit !== null && (hit.place.name !== "" || hit.place.parts[0].offset.every((each) => each === 0));
    return isNamed || this.model.display.value === "skeleton" ? hit : (this.vertexUnder(x, y, hit) ?? hit);
  }

  private vertexUnder(x: number, y: number, hit: BodyHit | null): BodyHit | null {
    const { frames, playback, scene, hiddenMeshes } = this.model;
    const [world, channels] = [frames.world(playback.frame.value), frames.channels(playback.frame.value)];
    if (!world || !channels || this.shaped.size === 0) return null;
    const shown = [...this.shaped].filter(([mesh]) => !hiddenMeshes.value.has(mesh));
    const surfaces = shown.map(([, each]) => each.surface(world, channels));
    // Capsules around bones are thicker than some parts of a face, and thinner than others.
    const farthest = hit ? hit.distance + 0.1 * (scene.value?.height ?? 1) : Infinity;
    const eye = this.lens.ray(x, y).origin.clone();
    const found = vertexUnder(surfaces, this.lens.toPixels, eye, farthest, x, y);
    const place = found && this.shaped.get(found.mesh)?.place(found.vertex);
    return place ? { place, joint: place.parts[0].joint, distance: hit?.distance ?? 0 } : null;
  }

  private boneUnder(x: number, y: number): BodyHit | null {
    const scene = this.model.scene.value;
    const world = this.model.frames.world(this.model.playback.frame.value);
    if (!scene || !world || scene.joints.length === 0) return null;
    this.proxies ??= proxiesOf(scene.joints, world, this.meshes, scene.height);
    const ray = this.lens.ray(x, y);
    const slack = (distance: number): number => SLACK_PIXELS * this.lens.metresPerPixel(ray.at(distance, this.spot));
    const bent = this.bentBones();
    if (bent.length === 0) return pickBody(ray, this.proxies, world, scene.joints, scene.points, slack);
    // A capsule around where a bent bone would be without its bend is not where it is seen.
    const isBent = new Set(bent.map((bone) => this.model.jointIndex(bone.joint)));
    const [curved, straight] = [true, false].map((wanted) => (this.proxies ?? []).filter((proxy) => isBent.has(proxy.joint) === wanted));
    const girth = (joint: string): number => Math.max(0, ...curved.filter((proxy) => scene.joints[proxy.joint].name === joint).map((proxy) => proxy.radius));
    const hits = [pickBody(ray, straight, world, scene.joints, scene.points, slack), pickBent(ray, bent, girth, slack)];
    return hits.reduce((near, hit) => (hit && (!near || hit.distance < near.distance) ? hit : near), null);
  }

  /** Where a place is on the shown frame; along a bent bone only as far as its shape is known. */
  positionOf(place: Place): Vector3 | null {
    const bone = place.parts.length === 1 && this.bentBones().find((each) => each.joint === place.parts[0].joint);
    if (bone) return alongBent(bone, place.parts[0].offset, new Vector3());
    const at = this.model.positionOf(place, this.model.playback.frame.value);
    return at && new Vector3(...at);
  }

  /** The bones that are bent on the shown frame, where their shapes are those of that frame. */
  private bentBones(): BoneShape[] {
    const { sketching, playback } = this.model;
    const shapes = sketching.shapes.value;
    const isNow = shapes && Math.abs(shapes.time - this.model.timeOf(playback.frame.value)) < 1e-6;
    return isNow ? shapes.items.filter((bone) => bone.bent) : [];
  }

  private async load(scene: Scene | null): Promise<void> {
    this.proxies = null;
    this.meshes = [];
    this.shaped = new Map();
    if (!scene) return;
    const numbers = new Map(scene.joints.map((joint, i) => [joint.name, i]));
    const arrays = await Promise.allSettled(scene.meshes.map((mesh) => meshStore.get(mesh.url)));
    if (this.model.scene.value !== scene) return;
    // A mesh that did not arrive is told where it is drawn; its bones are then as thick as bare ones.
    this.meshes = arrays.flatMap((each, i) => {
      const joints = scene.meshes[i].joints.map((name) => numbers.get(name) ?? -1);
      return each.status === "fulfilled" ? [{ arrays: each.value, joints }] : [];
    });
    const channels = new Map(scene.channels.map((channel, i) => [channel.name, i]));
    scene.meshes.forEach((info, i) => {
      const each = arrays[i];
      if (each.status !== "fulfilled" || info.shapes.length === 0) return;
      const joints = info.joints.map((name) => numbers.get(name) ?? -1);
      const shapes = info.shapes.map((name) => channels.get(name) ?? -1);
      this.shaped.set(info.name, new ShapedVertices(info, each.value, joints, shapes));
    });
    this.proxies = null;
  }
}
