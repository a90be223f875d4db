import { svg } from "lit";
import { MOVE_PARTS } from "../gizmo_shape";
import { pulling } from "./drags";
import { type StageTool, usualCursor } from "./tool";

const key = "Q";

/** Pull points of the pose on a key; the body gives way as its stiffness says. */
export const pose: StageTool = {
  name: "pose",
  label: "Pose",
  key,
  does: "drag points of the pose on a key",
  icon: svg`<circle cx="8" cy="3.2" r="1.7" /><path d="M8 5v4.5M3.5 6.5 8 6l4.5-2M8 9.5 5.5 14M8 9.5l3 4.5" />`,
  gestures: [{ where: "Body", gesture: `${key} on a key, then drag`, does: "Pose by pin-and-drag" }],
  keysChains: true,
  parts: MOVE_PARTS,
  holdsTargets: true,
  cursor: usualCursor,
  take: (bench, grip, x, y) => pulling(bench, { kind: "pull-pose", place: grip.place, time: grip.time }, grip, x, y),
};
