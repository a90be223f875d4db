import { svg } from "lit";
import type { Model } from "../../model/model";
import { MOVE_PARTS } from "../gizmo_shape";
import { pulling } from "./drags";
import { notches } from "./timing";
import { type StageTool, usualCursor } from "./tool";

/** Whether drags reach over time, on a layer: there are keys on every frame, and no other layer is chosen. */
function reaches(model: Model): boolean {
  return (model.clip.value?.dense ?? false) && [null, "by hand"].includes(model.guiding.layer.value);
}

/** Drag the state at a time: the arc bends to it by its tangents. */
export const move: StageTool = {
  name: "move",
  label: "Move",
  key: "W",
  does: "drag the arc of the selected point",
  icon: svg`<path d="M2 12.5C4 4 11 3 14 8" /><circle cx="7.2" cy="6.1" r="1.8" fill="currentColor" stroke="none" /><path d="M7.2 9v5M5.7 12.5l1.5 1.5 1.5-1.5" />`,
  gestures: [
    { where: "Arc", gesture: "Drag", does: "Move the state at that time, in the camera's plane" },
    { where: "Arc", gesture: "Drag an arrow or square", does: "Move along an axis or in a plane" },
    { where: "Arc", gesture: "Wheel while dragging", does: "Let a drag on dense motion reach less or farther in time" },
  ],
  parts: MOVE_PARTS,
  holdsTargets: true,
  cursor: usualCursor,
  take(bench, grip, x, y) {
    const { model } = bench;
    const { place, time } = grip;
    if (!reaches(model)) return pulling(bench, { kind: "drag-arc", place, time, clear: model.guiding.clear.value }, grip, x, y);
    const taken = pulling(bench, { kind: "drag-arc", place, time, reach: model.posing.reach.value }, grip, x, y);
    taken?.hand.endWith(model.posing.reach.value);
    return taken;
  },
  wheel({ model }, event) {
    const hand = model.hand.value;
    if (hand?.what.kind !== "drag-arc" || !hand.what.reach) return false;
    model.posing.reach.value = Math.min(10, Math.max(0.05, model.posing.reach.value * 1.15 ** -notches(event)));
    hand.endWith(model.posing.reach.value);
    return true;
  },
};
