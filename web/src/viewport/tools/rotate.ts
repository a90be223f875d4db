import { svg } from "lit";
import { TURN_PARTS } from "../gizmo_shape";
import { turning, turningJoint } from "./drags";
import { isBetweenKeys } from "./keying";
import { type StageTool, usualCursor } from "./tool";
import { startTurn } from "./turns";

const key = "E";

/** Turn the state at a time, or a target. */
export const rotate: StageTool = {
  name: "rotate",
  label: "Rotate",
  key,
  does: "turn the selected point at a time",
  icon: svg`<path d="M12.9 6A5.3 5.3 0 1 0 13.3 9" /><path d="M13.5 2.5V6H10" />`,
  gestures: [
    { where: "Arc", gesture: `${key}, then drag a ring`, does: "Turn the state at that time" },
    { where: "Key", gesture: `${key}, then drag a ring`, does: "Turn the joint alone" },
  ],
  // Who turns a point begins from how it is turned.
  needsTurns: true,
  parts: TURN_PARTS,
  holdsTargets: true,
  cursor: usualCursor,
  take(bench, grip, x, y) {
    const { place, time, frame } = grip;
    // Tangents turn what is between keys; on a key, and where there are none, the pose itself turns.
    if (!isBetweenKeys(bench.model, place, time)) return turningJoint(bench, grip, x, y);
    const clear = bench.model.guiding.clear.value;
    return turning(bench, { kind: "drag-arc", place, time, wanted: "orientation", clear }, startTurn(bench.model, place, frame), grip, x, y);
  },
  takeTarget(bench, grip, x, y) {
    const { orientation, place, time } = grip.target;
    const { model } = bench;
    const given = Array.isArray(orientation) ? orientation : null;
    const start = given ?? (place ? startTurn(model, place, Math.round(model.frameOf(time))) : null);
    return turning(bench, { kind: "drag-target", target: grip.name, wanted: "orientation" }, start, grip, x, y);
  },
};
