import type { Model } from "../model/model";
import { type Box, boxAround, diagonal } from "./bounds";
import type { Character } from "./character";
import { poseAt } from "./pose";
import type { Props } from "./props";

/** The room that a character and what stands around it take: how high the floor lies and how fine its grid is. */
export interface Room {
  /** About how large the character is, in metres. */
  size: number;
  /** Around the motion and the props near it. */
  box: Box;
  floor: number;
  /** Metres between lines of the grid. */
  step: number;
  /** The radius within which the floor fades out. */
  fade: number;
}

const NOTHING: Box = { low: [-1, 0, -1], high: [1, 1.5, 1] };

/** `body` at its first frame, `motion` over the whole clip, and everything around; null for what there is not. */
export function roomOf(body: Box | null, motion: Box | null, props: readonly Box[]): Room {
  const reach = motion ? diagonal(motion) : 0;
  // A prop far larger than the character, such as a wall, must not push it into the distance.
  const near = props.filter((prop) => !motion || diagonal(prop) <= 3 * reach);
  const box = [...(motion ? [motion] : []), ...near].reduce<Box | null>((all, each) => (all ? union(all, each) : each), null) ?? NOTHING;
  const size = (body && diagonal(body)) || diagonal(box);
  return { size, box, floor: floorHeight(box.low[1], size), step: gridStep(size), fade: 2.2 * Math.max(size, 0.75 * diagonal(box)) };
}

/** Zero for a character that stands on it or flies above; the lowest point for one that was made elsewhere. */
export function floorHeight(low: number, size: number): number {
  return low >= -0.15 * size && low <= 2 * size ? 0 : low;
}

/** A round distance of 1, 2 or 5 × a power of ten: about a quarter of the character. */
export function gridStep(size: number): number {
  const wanted = Math.max(size, 1e-6) / 3.5;
  const power = 10 ** Math.floor(Math.log10(wanted));
  return ([5, 2, 1].find((factor) => factor * power <= wanted) ?? 1) * power;
}

function union(a: Box, b: Box): Box {
  const low = a.low.map((x, i) => Math.min(x, b.low[i])) as Box["low"];
  const high = a.high.map((x, i) => Math.max(x, b.high[i])) as Box["high"];
  return { low, high };
}

const MOST_FRAMES = 24;

/** Points around the body on one frame, x, y, z, x, y, z …; only some joints', where given. */
export function pointsAt(model: Model, { boxes }: Character, frame: number, joints?: Iterable<number>): number[] {
  const pose = poseAt(model, frame);
  const points: number[] = [];
  if (pose && boxes.joints * 12 === pose.world.length) boxes.corners(pose.world, points, joints);
  return points;
}

/** The body over the whole clip, as far as it is known. */
export function pointsOver(model: Model, character: Character): number[] {
  return spread(model.frames.count).flatMap((frame) => pointsAt(model, character, frame));
}

/** Whole frames evenly over a clip, its first and last among them. */
export function spread(frames: number): number[] {
  const count = Math.min(MOST_FRAMES, frames);
  return Array.from({ length: count }, (_, i) => (count < 2 ? 0 : Math.round((i * (frames - 1)) / (count - 1))));
}

/** The room of the shown clip, and whether all frames that count were known. */
export function survey(model: Model, character: Character, props: Props): { room: Room; complete: boolean } {
  const frames = spread(model.frames.count);
  const known = frames.map((frame) => pointsAt(model, character, frame));
  const body = boxAround(known[0] ?? []);
  const room = roomOf(body, boxAround(known.flat()), props.boxes());
  return { room, complete: character.boxes.joints === 0 || known.every((points) => points.length > 0) };
}
