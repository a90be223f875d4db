import type { Model } from "../model/model";
import { boxAround } from "./bounds";
import type { Character } from "./character";
import type { Props } from "./props";
import { poseAt } from "./rest_pose";
import { type Room, roomOf } from "./room";

const MOST_FRAMES = 24;

/** Points around the body on one frame, x, y, z, x, y, z …; only some joints', where given. */
export function pointsAt(model: Model, { boxes }: Character, frame: number, joints?: Iterable<number>): number[] {
  const pose = poseAt(model, frame);
  const points: number[] = [];
  if (pose && boxes.joints * 12 === pose.world.length) boxes.corners(pose.world, points, joints);
  return points;
}

/** The frames that stand for the whole clip; the first for a character at rest. */
function sampleFrames({ scene, frames }: Model): number[] {
  return scene.value?.clips.length === 0 ? [0] : spread(frames.count);
}

/** The body over the whole clip, as far as it is known. */
export function pointsOver(model: Model, character: Character): number[] {
  return sampleFrames(model).flatMap((frame) => pointsAt(model, character, frame));
}

/** Whole frames evenly over a clip, its first and last among them. */
export function spread(frames: number): number[] {
  const count = Math.min(MOST_FRAMES, frames);
  return Array.from({ length: count }, (_, i) => (count < 2 ? 0 : Math.round((i * (frames - 1)) / (count - 1))));
}

/** The room of the shown clip, and whether all frames that count were known. */
export function survey(model: Model, character: Character, props: Props): { room: Room; complete: boolean } {
  const frames = sampleFrames(model);
  const known = frames.map((frame) => pointsAt(model, character, frame));
  const body = boxAround(known[0] ?? []);
  const room = roomOf(body, boxAround(known.flat()), props.boxes());
  return { room, complete: character.boxes.joints === 0 || known.every((points) => points.length > 0) };
}
