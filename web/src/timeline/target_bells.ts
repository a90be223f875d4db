import type { TimeAxis } from "../canvas/time_axis";
import { BELL_DEFAULTS } from "../model/bell";
import type { AimInfo } from "../protocol/messages";

/** What of a target can be taken hold of: its diamond, and where its bell begins and ends. */
export type TargetPart = "time" | "before" | "after";

/** Half a diamond, and a little more, in pixels. */
const REACH = 7;

/** When a part of a target is, in seconds. */
export function partTime({ target }: AimInfo, part: TargetPart): number {
  const { before, after } = { ...BELL_DEFAULTS, ...target.bell };
  return target.time + (part === "before" ? -before : part === "after" ? after : 0);
}

/** The part of a target under a pixel of the time axis: diamonds first, for bells overlap; else the nearest end. */
export function targetHit(aims: readonly AimInfo[], axis: TimeAxis, x: number): { aim: AimInfo; part: TargetPart } | null {
  let best: { aim: AimInfo; part: TargetPart } | null = null;
  for (const parts of [["time"], ["before", "after"]] as const) {
    let least = REACH;
    for (const aim of aims) {
      for (const part of parts) {
        const apart = Math.abs(axis.x(partTime(aim, part)) - x);
        if (apart < least) [best, least] = [{ aim, part }, apart];
      }
    }
    if (best) return best;
  }
  return best;
}

/** The bell's two widths once the end that is held is at another time. */
export function pulledWidths(aim: AimInfo, part: "before" | "after", time: number, least: number): [number, number] {
  const { before, after } = { ...BELL_DEFAULTS, ...aim.target.bell };
  const away = Math.max(least, part === "before" ? aim.target.time - time : time - aim.target.time);
  return part === "before" ? [away, after] : [before, away];
}
