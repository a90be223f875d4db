import type { Blends, MeshBlend } from "../model/blends";
import type { Frames } from "../model/frames";
import type { Model } from "../model/model";
import type { Offsets } from "../model/soft_meshes";
import type { Scene, SkinInfo } from "../protocol/messages";

/** 12 numbers a joint, all channels, and by mesh what its plan blends. */
export interface Pose {
  world: Float32Array;
  channels: Float32Array;
  blends: ReadonlyMap<number, MeshBlend>;
  /** By mesh, how far its vertices are off before joints carry them; only of soft meshes. */
  soft: ReadonlyMap<number, Offsets>;
}

/** The body at a frame, or at rest where there is no clip; null while it is not known. */
export function poseAt({ scene, frames, skins, blends, soft }: Model, frame: number): Pose | null {
  if (scene.value?.clips.length === 0) return restPose(scene.value);
  return posed(frames, skins.value, blends, frame, soft.get(frame));
}

/** The body as keyed at a frame where a loose one is shown; null while it is not known. */
export function keyedPoseAt({ keyedFrames, skins, keyedBlends }: Model, frame: number): Pose | null {
  return posed(keyedFrames, skins.value, keyedBlends, frame, new Map());
}

function posed(frames: Frames, skins: readonly SkinInfo[], blends: Blends, frame: number, soft: Pose["soft"]): Pose | null {
  const [world, channels] = [frames.world(frame), frames.channels(frame)];
  const found = new Map<number, MeshBlend>();
  for (const { mesh } of skins) {
    const blend = blends.get(frame, mesh);
    if (!blend) return null;
    found.set(mesh, blend);
  }
  return world && channels && { world, channels, blends: found, soft };
}

/** How a character stands that has no clip: joints where they rest, unturned, and all channels at their defaults. */
function restPose(scene: Scene): Pose {
  const world = new Float32Array(12 * scene.joints.length);
  scene.joints.forEach(({ rest: [x, y, z] }, i) => world.set([1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z], 12 * i));
  return { world, channels: Float32Array.from(scene.channels, (channel) => channel.default), blends: new Map(), soft: new Map() };
}
