import { placeOfTarget } from "../model/loosening";
import { placeName, samePlace } from "../model/selection";
import type { AimInfo, ConstraintInfo, Place } from "../protocol/messages";

/** A pin, contact or lock on its lane; a track is a line within the lane, so that no bar covers another. */
export interface Bar {
  constraint: ConstraintInfo;
  from: number;
  to: number;
  track: number;
}

/** The constraints and targets of one point; targets of poses and of vertices have lanes without a place. */
export interface Lane {
  place: Place | null;
  name: string;
  /** The active point's lane takes new ranges. */
  active: boolean;
  bars: Bar[];
  /** Targets, on a track of their own under the bars. */
  aims: AimInfo[];
  tracks: number;
}

interface Range {
  start: number;
  end: number;
}

/** A lane for every constrained point, then for those of targets alone, and one for the active point in any case. */
export function lanesOf(constraints: readonly ConstraintInfo[], active: Place | null, clip: Range, aims: readonly AimInfo[] = []): Lane[] {
  const lanes: Lane[] = [];
  const laneOf = (place: Place | null, name: string): Lane => {
    let lane = lanes.find((each) => (place && each.place ? samePlace(each.place, place) : each.place === place && each.name === name));
    if (!lane) {
      const isActive = place !== null && active !== null && samePlace(place, active);
      lane = { place, name, active: isActive, bars: [], aims: [], tracks: 0 };
      lanes.push(lane);
    }
    return lane;
  };
  for (const constraint of constraints) addBar(laneOf(constraint.place, placeName(constraint.place)), constraint, clip);
  for (const aim of aims) {
    const place = placeOfTarget(aim.target);
    laneOf(place, place ? placeName(place) : aim.target.kind === "pose" ? "pose" : (aim.target.vertex?.mesh ?? "")).aims.push(aim);
  }
  if (active) {
    const lane = laneOf(active, placeName(active));
    if (!hasRoom(lane, clip)) lane.tracks++;
  }
  // Bells would hide the bars behind them.
  for (const lane of lanes) if (lane.aims.length > 0) lane.tracks++;
  return lanes;
}

/** The track of a lane that its targets are on; −1 without any. */
export function targetTrack({ aims, tracks }: Lane): number {
  return aims.length > 0 ? tracks - 1 : -1;
}

/** The whole stretch of a constraint within its clip. */
function rangeOf({ start, end }: ConstraintInfo, clip: Range): [number, number] {
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
