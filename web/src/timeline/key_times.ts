import type { Curve } from "../model/curves";

/** Seconds. Keys nearer than this are at the same time: the wire rounds times, and no rate comes near. */
export const SAME = 5e-4;

/** At which times a row has keys, in order, and how many curves have one there. */
export interface KeyTimes {
  times: Float64Array;
  counts: Uint32Array;
}

const NONE: KeyTimes = { times: new Float64Array(0), counts: new Uint32Array(0) };

/** The times of rows, worked out again only where a curve was replaced. */
export class KeyTimesCache {
  private readonly single = new WeakMap<Curve, KeyTimes>();
  private readonly rows = new Map<string, { curves: readonly Curve[]; times: KeyTimes }>();

  /** Curves in the same order as before, where they are the same: halves of a row are remembered by their place. */
  of(row: string, curves: readonly Curve[]): KeyTimes {
    if (curves.length === 0) return NONE;
    if (curves.length === 1) return this.ofCurve(curves[0]);
    const known = this.rows.get(row);
    if (known && known.curves.length === curves.length && known.curves.every((each, i) => each === curves[i])) {
      return known.times;
    }
    const middle = curves.length >> 1;
    const times = merged(this.of(`${row}<`, curves.slice(0, middle)), this.of(`${row}>`, curves.slice(middle)));
    this.rows.set(row, { curves, times });
    return times;
  }

  private ofCurve(curve: Curve): KeyTimes {
    let times = this.single.get(curve);
    if (!times) {
      const { keys } = curve;
      times = { times: new Float64Array(keys.length), counts: new Uint32Array(keys.length).fill(1) };
      for (let i = 0; i < keys.length; i++) times.times[i] = keys[i].time;
      this.single.set(curve, times);
    }
    return times;
  }
}

/** Both in one order; times that are the same are one, and their counts add up. */
export function merged(a: KeyTimes, b: KeyTimes): KeyTimes {
  if (areSame(a.times, b.times)) return { times: a.times, counts: a.counts.map((count, i) => count + b.counts[i]) };
  const times = new Float64Array(a.times.length + b.times.length);
  const counts = new Uint32Array(times.length);
  let [i, j, n] = [0, 0, 0];
  while (i < a.times.length || j < b.times.length) {
    const next = j >= b.times.length || (i < a.times.length && a.times[i] <= b.times[j]) ? a.times[i] : b.times[j];
    let count = 0;
    while (i < a.times.length && a.times[i] - next < SAME) count += a.counts[i++];
    while (j < b.times.length && b.times[j] - next < SAME) count += b.counts[j++];
    times[n] = next;
    counts[n++] = count;
  }
  return { times: times.slice(0, n), counts: counts.slice(0, n) };
}

/** Captured channels are keyed on the same frames, all of them. */
function areSame(a: Float64Array, b: Float64Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** The first place in sorted times that is not before `time`. */
export function lowerBound(times: ArrayLike<number>, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place of the time nearest to `time`; −1 where there is none. */
export function nearest(times: ArrayLike<number>, time: number): number {
  const after = lowerBound(times, time);
  if (after === times.length) return after - 1;
  return after > 0 && time - times[after - 1] <= times[after] - time ? after - 1 : after;
}

/** The numbers of a curve's keys from one time to another, both included: [first, after the last). */
export function keysWithin(curve: Curve, from: number, to: number): [number, number] {
  const keys = curve.keys;
  const first = bound(keys.length, (i) => keys[i].time < from - SAME);
  const after = bound(keys.length, (i) => keys[i].time <= to + SAME);
  return [first, after];
}

/** How many of 0 … count − 1, from the start, are `before`. */
function bound(count: number, before: (i: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (before(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
