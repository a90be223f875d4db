import { clamped, momentText, shiftText, snapped } from "../canvas/frames";
import type { DragSteps } from "../canvas/press";
import type { TimeAxis } from "../canvas/time_axis";
import { BELL_DEFAULTS } from "../model/bell";
import type { AimInfo } from "../protocol/messages";
import type { DragSheet } from "./drag_sheet";

/** Drag a target in time, or an end of its bell; to whole frames unless Ctrl is down. */
export function dragTarget(sheet: DragSheet, start: PointerEvent, aim: AimInfo, part: TargetPart): DragSteps {
  const { view } = sheet;
  const { clip, model, inSeconds } = view;
  if (model.loosening.chosen.value !== aim.name) model.loosening.choose(aim.name);
  const from = partTime(aim, part);
  const wishFor = (event: PointerEvent): number => {
    const time = from + (event.clientX - start.clientX) / view.axis.scale;
    return event.ctrlKey ? time : snapped(time, clip);
  };
  if (part !== "time") {
    const hand = model.take({ kind: "shape-bell", target: aim.name });
    return sheet.saying({
      move(event) {
        const widths = pulledWidths(aim, part, wishFor(event), 1 / clip.rate);
        hand.move(...widths);
        sheet.say(`bell ${shiftText(-widths[0], clip, inSeconds)} to ${shiftText(widths[1], clip, inSeconds)}`, event);
      },
      commit: () => void hand.commit(),
      cancel: () => void hand.cancel(),
    });
  }
  const hand = model.take({ kind: "move-target", target: aim.name });
  return sheet.saying({
    move(event) {
      const time = clamped(wishFor(event), clip);
      hand.move(time);
      // One looks at the frame of what one drags.
      model.playback.go(model.frameOf(time));
      sheet.say(`${aim.name} at ${inSeconds ? "" : "frame "}${momentText(time, clip, inSeconds)}`, event);
    },
    commit: () => void hand.commit(),
    cancel: () => void hand.cancel(),
  });
}

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
