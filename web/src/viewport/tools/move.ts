import { svg } from "lit";
import { MOVE_PARTS } from "../gizmo_shape";
import { pulling } from "./drags";
import { type StageTool, usualCursor } from "./tool";

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
  ],
  parts: MOVE_PARTS,
  holdsTargets: true,
  cursor: usualCursor,
  take(bench, grip, x, y) {
    const { place, time } = grip;
    return pulling(bench, { kind: "drag-arc", place, time, clear: bench.model.guiding.clear.value }, grip, x, y);
  },
};
