import { clamped, momentText, shiftText, snapped } from "../canvas/frames";
import type { DragSteps } from "../canvas/press";
import type { AimInfo } from "../protocol/messages";
import type { DragSheet } from "./drag_sheet";
import { partTime, pulledWidths, type TargetPart } from "./target_bells";

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
