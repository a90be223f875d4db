import type { Blends, MeshBlend } from "../model/blends";
import type { Frames } from "../model/frames";
import type { Model } from "../model/model";
import type { Offsets } from "../model/soft_meshes";
import type { SkinInfo } from "../protocol/messages";

/** 12 numbers a joint, all channels, and by mesh what its plan blends. */
export interface Pose {
  world: Float32Array;
  channels: Float32Array;
  blends: ReadonlyMap<number, MeshBlend>;
  /** By mesh, how far its vertices are off before joints carry them; only of soft meshes. */
  soft: ReadonlyMap<number, Offsets>;
}

/** The body at a frame; null while it is not known. */
export function poseAt({ frames, skins, blends, soft }: Model, frame: number): Pose | null {
  return posed(frames, skins.value, blends, frame, soft.get(frame));
}

/** The body as keyed at a frame where a loose one is shown; null while it is not known. */
export function keyedPoseAt({ keyedFrames, skins, keyedBlends }: Model, frame: number): Pose | null {
  return posed(keyedFrames, skins.value, keyedBlends, frame, new Map());
}

/** The body as the step of the history has it that is compared with; null while it is not known. */
export function comparedPoseAt({ comparing, skins }: Model, frame: number): Pose | null {
  return posed(comparing.frames, skins.value, comparing.blends, frame, new Map());
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
