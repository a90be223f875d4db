import { placeName, samePlace } from "../model/selection";
import type { ConstraintInfo, Place } from "../protocol/messages";

/** A pin, contact or lock on its lane; a track is a line within the lane, so that no bar covers another. */
export interface Bar {
  constraint: ConstraintInfo;
  from: number;
  to: number;
  track: number;
}

/** The constraints of one point. */
export interface Lane {
  place: Place;
  name: string;
  /** The active point's lane takes new ranges. */
  active: boolean;
  bars: Bar[];
  tracks: number;
}

export interface Range {
  start: number;
  end: number;
}

/** A lane for every constrained point, in the order of the constraints, and one for the active point in any case. */
export function lanesOf(constraints: readonly ConstraintInfo[], active: Place | null, clip: Range): Lane[] {
  const lanes: Lane[] = [];
  const laneOf = (place: Place): Lane => {
    let lane = lanes.find((each) => samePlace(each.place, place));
    if (!lane) {
      lane = { place, name: placeName(place), active: active !== null && samePlace(place, active), bars: [], tracks: 0 };
      lanes.push(lane);
    }
    return lane;
  };
  for (const constraint of constraints) addBar(laneOf(constraint.place), constraint, clip);
  if (active) {
    const lane = laneOf(active);
    if (!hasRoom(lane, clip)) lane.tracks++;
  }
  return lanes;
}

/** The whole stretch of a constraint within its clip. */
export function rangeOf({ start, end }: ConstraintInfo, clip: Range): [number, number] {
  return [start ?? clip.start, end ?? clip.end];
}

/** How a constraint is called on its bar: within its point's lane the point's name says nothing new. */
export function barLabel({ name, place }: ConstraintInfo): string {
  const point = placeName(place);
  return name.startsWith(`${point} `) ? name.slice(point.length + 1) : name;
}

function addBar(lane: Lane, constraint: ConstraintInfo, clip: Range): void {
  const [from, to] = rangeOf(constraint, clip);
  let track = 0;
  while (lane.bars.some((bar) => bar.track === track && bar.from <= to && from <= bar.to)) track++;
  lane.bars.push({ constraint, from, to, track });
  lane.tracks = Math.max(lane.tracks, track + 1);
}

/** Whether some track has half of the clip free, for a new range to be dragged. */
function hasRoom(lane: Lane, clip: Range): boolean {
  for (let track = 0; track < lane.tracks; track++) {
    const taken = lane.bars.filter((bar) => bar.track === track).reduce((sum, bar) => sum + bar.to - bar.from, 0);
    if (taken <= 0.5 * (clip.end - clip.start)) return true;
  }
  return false;
}
