import { Vector3 } from "three";
import type { Arc } from "../protocol/binary";

/** A spot on a motion curve, as near as the pointer came: the frame whose tick is meant. */
interface ArcHit {
  frame: number;
  /** CSS pixels between the pointer and the curve. */
  apart: number;
}

/** From the world to CSS pixels; z beyond −1 to 1 is out of sight. */
export type ToPixels = (position: Vector3, into: Vector3) => Vector3;

const position = new Vector3();
const pixel = new Vector3();

/** How many whole frames an arc has. */
export function frameCount(arc: Arc): number {
  return arc.samples === 0 ? 0 : Math.floor((arc.samples - 1) / arc.perFrame) + 1;
}

/** The frames of an arc that are drawn and can be taken hold of, counted from the clip's first, both ends included. */
export interface Stretch {
  first: number;
  last: number;
}

/** The frames of an arc within so many seconds of one; all of them where that is null. */
export function stretchAround(arc: Arc, shown: number, rate: number, reach: number | null): Stretch {
  const last = frameCount(arc) - 1;
  if (reach === null) return { first: 0, last };
  const frames = Math.round(reach * rate);
  const middle = Math.min(last, Math.max(0, shown));
  return { first: Math.max(0, middle - frames), last: Math.min(last, middle + frames) };
}

/** How much of it is left, 0 to 1, where a stretch that goes on beyond its ends fades out: within its last fifths. */
export function faded({ first, last }: Stretch, arc: Arc, frame: number): number {
  const fifth = Math.max(1, 0.2 * (last - first));
  const from = first > 0 ? (frame - first) / fifth : 1;
  const to = last < frameCount(arc) - 1 ? (last - frame) / fifth : 1;
  return Math.max(0, Math.min(1, from, to));
}

/** Where an arc is on a frame counted from the clip's first. */
export function atFrame(arc: Arc, frame: number, into: Vector3): Vector3 {
  const sample = Math.min(arc.samples - 1, Math.max(0, Math.round(frame * arc.perFrame)));
  return into.fromArray(arc.positions, 3 * sample);
}

/** The samples (first, last) of an arc within two times, null ends being the arc's own; null when there is none. */
export function samplesWithin(arc: Arc, rate: number, from: number | null, to: number | null): [number, number] | null {
  const each = arc.perFrame * rate;
  const first = from === null ? 0 : Math.max(0, Math.ceil((from - arc.start) * each - 1e-3));
  const last = to === null ? arc.samples - 1 : Math.min(arc.samples - 1, Math.floor((to - arc.start) * each + 1e-3));
  return last >= first ? [first, last] : null;
}

/**
 * The frame of an arc nearest to a pixel, within `reach` pixels of a stretch of its curve.
 *
 * Where the motion rests, many ticks lie on one another: then the frame that is shown is meant.
 */
export function nearestFrame(arc: Arc, stretch: Stretch, toPixels: ToPixels, x: number, y: number, reach: number, shown: number): ArcHit | null {
  let [best, least] = [-1, reach * reach];
  let [fromX, fromY, wasSeen] = [0, 0, false];
  const [from, to] = samplesOf(arc, stretch);
  for (let i = from; i <= to; i++) {
    toPixels(position.fromArray(arc.positions, 3 * i), pixel);
    const isSeen = pixel.z > -1 && pixel.z < 1;
    if (isSeen) {
      const [share, apart] = wasSeen ? onSegment(fromX, fromY, pixel.x, pixel.y, x, y) : [1, square(pixel.x - x, pixel.y - y)];
      if (apart < least) [best, least] = [i - 1 + share, apart];
    }
    [fromX, fromY, wasSeen] = [pixel.x, pixel.y, isSeen];
  }
  if (best < 0) return null;
  toPixels(atFrame(arc, shown, position), pixel);
  const rests = Math.sqrt(square(pixel.x - x, pixel.y - y)) <= Math.sqrt(least) + 3 && pixel.z < 1;
  const frame = rests ? shown : Math.min(frameCount(arc) - 1, Math.round(best / arc.perFrame));
  return { frame, apart: Math.sqrt(least) };
}

/** The first and last sample of a stretch; the arc's own where it ends with it. */
export function samplesOf(arc: Arc, { first, last }: Stretch): [number, number] {
  return [first * arc.perFrame, last >= frameCount(arc) - 1 ? arc.samples - 1 : last * arc.perFrame];
}

/** The key of an arc at a frame, within half a frame; −1 for none. */
export function keyAt(arc: Arc, time: number, rate: number): number {
  return arc.keyTimes.findIndex((key) => Math.abs(key - time) < 0.5 / rate);
}

function square(x: number, y: number): number {
  return x * x + y * y;
}

/** How far along a segment the nearest spot is (0 to 1), and its squared distance. */
function onSegment(ax: number, ay: number, bx: number, by: number, x: number, y: number): [number, number] {
  const [dx, dy] = [bx - ax, by - ay];
  const long = square(dx, dy);
  const share = long > 0 ? Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / long)) : 0;
  return [share, square(ax + share * dx - x, ay + share * dy - y)];
}
