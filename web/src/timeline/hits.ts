import type { TimeAxis } from "../canvas/time_axis";
import type { AimInfo } from "../protocol/messages";
import { type Arrangement, middleOf, type Placed, RANGE_STRIP, RULER, SCALE_STRIP, TRACK } from "./arrangement";
import { APART, HALF } from "./key_marks";
import { type KeyTimes, nearest } from "./key_times";
import { type Bar, type Lane, targetTrack } from "./lanes";
import type { Row } from "./rows";
import { type TargetPart, targetHit } from "./target_drags";

/** What is under the pointer. */
export type Hit =
  | { kind: "corner" }
  | { kind: "ruler" }
  | { kind: "clip-end"; side: "start" | "end" }
  | { kind: "scale"; side: "from" | "to" }
  | { kind: "name"; row: Row; twisty: boolean }
  /** `crowded`: within a run of keys too close to be told apart. */
  | { kind: "key"; row: Row; time: number; crowded: boolean }
  | { kind: "keys" }
  | { kind: "lane-name"; lane: Lane }
  | { kind: "bar"; bar: Bar; part: "start" | "end" | "body" }
  /** A target's diamond, or one of the ends of its bell. */
  | { kind: "target"; aim: AimInfo; part: TargetPart }
  | { kind: "lane"; lane: Lane }
  /** The sound's wave, and its name. */
  | { kind: "sound" }
  | { kind: "sound-name" }
  /** A key of the scene's camera, its lane and its name. */
  | { kind: "camera-key"; time: number }
  | { kind: "camera" }
  | { kind: "camera-name" };

/** What else decides a hit, besides where things are. */
export interface HitSource {
  axis: TimeAxis;
  clip: { start: number; end: number };
  /** The stretch of time of the selected keys; none or one moment cannot be scaled. */
  chosen: { from: number; to: number };
  /** Times of the scene camera's keys. */
  cameraKeys: readonly number[];
  timesOf(row: Row): KeyTimes;
}

/** Pixels around an end that take hold of it. */
const GRIP = 6;
/** Where the names' triangles end. */
export const TWISTY = 18;

export function hitAt(x: number, y: number, place: Arrangement, source: HitSource): Hit {
  const { left } = place;
  if (y < RULER) return x < left ? { kind: "corner" } : rulerHit(x - left, y, source);
  if (place.sound && y >= place.sound.y) return { kind: x < left ? "sound-name" : "sound" };
  if (place.camera && y >= place.camera.y) return x < left ? { kind: "camera-name" } : cameraHit(x - left, source);
  const lane = y >= place.lanesTop && y < place.lanesBottom ? under(place.lanes, y) : null;
  if (lane) return x < left ? { kind: "lane-name", lane: lane.item } : laneHit(x - left, y, lane, source.axis);
  const row = y < place.rowsTop ? place.summary : y < place.rowsBottom ? under(place.rows, y) : null;
  if (!row) return { kind: "keys" };
  if (x < left) return { kind: "name", row: row.item, twisty: x < TWISTY };
  return rowHit(x - left, y, row, source);
}

function rulerHit(x: number, y: number, { axis, clip }: HitSource): Hit {
  if (y <= RANGE_STRIP) {
    const [fromStart, fromEnd] = [Math.abs(x - axis.x(clip.start)), Math.abs(x - axis.x(clip.end))];
    if (Math.min(fromStart, fromEnd) <= GRIP) return { kind: "clip-end", side: fromEnd <= fromStart ? "end" : "start" };
  }
  return { kind: "ruler" };
}

function rowHit(x: number, y: number, row: Placed<Row>, { axis, chosen, timesOf }: HitSource): Hit {
  if (row.item.kind === "summary" && y < row.y + SCALE_STRIP && canScale(chosen)) {
    const [fromLeft, fromRight] = [Math.abs(x - axis.x(chosen.from)), Math.abs(x - axis.x(chosen.to))];
    if (Math.min(fromLeft, fromRight) <= GRIP) return { kind: "scale", side: fromRight <= fromLeft ? "to" : "from" };
  }
  const { times } = timesOf(row.item);
  const i = nearest(times, axis.time(x));
  const near = i >= 0 && Math.abs(axis.x(times[i]) - x) <= HALF + 1 && Math.abs(middleOf(row) - y) <= HALF + 3;
  if (!near) return { kind: "keys" };
  const apart = Math.min(times[i] - (times[i - 1] ?? -Infinity), (times[i + 1] ?? Infinity) - times[i]);
  return { kind: "key", row: row.item, time: times[i], crowded: apart * axis.scale < APART };
}

function cameraHit(x: number, { axis, cameraKeys }: HitSource): Hit {
  const i = nearest(cameraKeys, axis.time(x));
  return i >= 0 && Math.abs(axis.x(cameraKeys[i]) - x) <= HALF + 1 ? { kind: "camera-key", time: cameraKeys[i] } : { kind: "camera" };
}

function laneHit(x: number, y: number, lane: Placed<Lane>, axis: TimeAxis): Hit {
  const track = Math.floor((y - lane.y) / TRACK);
  if (track === targetTrack(lane.item)) {
    const found = targetHit(lane.item.aims, axis, x);
    return found ? { kind: "target", ...found } : { kind: "lane", lane: lane.item };
  }
  let best: Hit | null = null;
  let least = Infinity;
  for (const bar of lane.item.bars) {
    if (bar.track !== track) continue;
    const [a, b] = [axis.x(bar.from), axis.x(bar.to)];
    const off = Math.max(a - x, x - b, 0);
    if (off > GRIP || off >= least) continue;
    [least, best] = [off, { kind: "bar", bar, part: partOf(x, a, b, bar) }];
  }
  return best ?? { kind: "lane", lane: lane.item };
}

function partOf(x: number, a: number, b: number, bar: Bar): "start" | "end" | "body" {
  if (bar.constraint.momentary || bar.from === bar.to) return "body";
  // A third of a short bar is left for its body.
  const grip = Math.min(GRIP, (b - a) / 3);
  if (x <= a + grip) return "start";
  return x >= b - grip ? "end" : "body";
}

export function canScale({ from, to }: { from: number; to: number }): boolean {
  return to - from > 1e-3;
}

function under<T>(placed: readonly Placed<T>[], y: number): Placed<T> | null {
  return placed.find((each) => y >= each.y && y < each.y + each.height) ?? null;
}
