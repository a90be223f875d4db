import type { TimeAxis } from "../canvas/time_axis";
import { type KeyTimes, lowerBound } from "./key_times";

/** Half the width of a key's diamond, in pixels. */
export const HALF = 5;
/** Keys nearer than this on the screen are drawn as one bar. */
export const APART = 5;

/** A key, or a run of keys too close to be told apart: times[first] to times[last]. */
export interface KeyMark {
  first: number;
  last: number;
  /** Whether all, some or none of its keys are selected. */
  chosen: "all" | "some" | "none";
}

/** What to draw across a width; as many marks as there are pixels for, however many keys there are. */
export function keyMarks({ times, counts }: KeyTimes, chosen: Uint32Array | null, axis: TimeAxis, width: number): KeyMark[] {
  const marks: KeyMark[] = [];
  const gap = APART / axis.scale;
  const margin = HALF / axis.scale;
  const after = lowerBound(times, axis.time(width) + margin);
  for (let i = lowerBound(times, axis.time(0) - margin); i < after; ) {
    const state = stateOf(i, counts, chosen);
    let last = i;
    // A run ends where the selection does, so that one sees what is selected within dense capture.
    while (last + 1 < after && times[last + 1] - times[last] < gap && stateOf(last + 1, counts, chosen) === state) last++;
    marks.push({ first: i, last, chosen: state });
    i = last + 1;
  }
  return marks;
}

function stateOf(i: number, counts: Uint32Array, chosen: Uint32Array | null): KeyMark["chosen"] {
  if (!chosen || chosen[i] === 0) return "none";
  return chosen[i] >= counts[i] ? "all" : "some";
}
