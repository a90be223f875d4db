import { svg } from "lit";
import { MOVE_PARTS, TURN_PARTS } from "../gizmo_shape";
import { posing, turningJoint } from "./drags";
import { PoseBar } from "./pose_bar";
import { type StageTool, usualCursor } from "./tool";

const key = "Q";

const RINGS: ReadonlySet<string | null> = new Set(TURN_PARTS);

/** Pull points of the pose on a frame, which the body follows as its stiffness says, or turn the joint alone by its rings. */
export const pose: StageTool = {
  name: "pose",
  label: "Pose",
  key,
  does: "drag points of the pose, turn joints by their rings",
  icon: svg`<circle cx="8" cy="3.2" r="1.7" /><path d="M8 5v4.5M3.5 6.5 8 6l4.5-2M8 9.5 5.5 14M8 9.5l3 4.5" />`,
  gestures: [
    { where: "Body", gesture: `${key}, then drag`, does: "Pose by pin-and-drag" },
    { where: "Body", gesture: `${key}, then drag a ring`, does: "Turn the joint alone" },
  ],
  keysChains: true,
  parts: [...MOVE_PARTS, "rx", "ry", "rz"],
  holdsTargets: true,
  cursor: usualCursor,
  attach(bench) {
    bench.stage.element.append(new PoseBar(bench, () => bench.model.tool.value === pose));
    return undefined;
  },
  take: (bench, grip, x, y) => (RINGS.has(grip.part) ? turningJoint(bench, grip, x, y) : posing(bench, grip, x, y)),
};
