import type { Model } from "../model/model";
import { boxAround } from "./bounds";
import type { Character } from "./character";
import type { Props } from "./props";
import { type Room, roomOf } from "./room";

const MOST_FRAMES = 24;

/** Points around the body on one frame, x, y, z, x, y, z …; only some joints', where given. */
export function pointsAt(model: Model, { boxes }: Character, frame: number, joints?: Iterable<number>): number[] {
  const world = model.frames.world(frame);
  const points: number[] = [];
  if (world && boxes.joints * 12 === world.length) boxes.corners(world, points, joints);
  return points;
}

/** The frames that stand for the whole clip. */
export function sampleFrames(frames: number): number[] {
  const count = Math.min(MOST_FRAMES, frames);
  return Array.from({ length: count }, (_, i) => (count < 2 ? 0 : Math.round((i * (frames - 1)) / (count - 1))));
}

/** The room of the shown clip, and whether all frames that count were known. */
export function survey(model: Model, character: Character, props: Props): { room: Room; complete: boolean } {
  const frames = sampleFrames(model.frames.count);
  const known = frames.map((frame) => pointsAt(model, character, frame));
  const body = boxAround(known[0] ?? []);
  const room = roomOf(body, boxAround(known.flat()), props.boxes());
  return { room, complete: known.every((points) => points.length > 0) };
}
