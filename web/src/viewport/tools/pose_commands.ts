import { type Command, switching } from "../../commands/commands";
import type { Model } from "../../model/model";
import { AXES, type Axes, selectedChannels, shownPose } from "../../model/posing";
import { shownTime } from "./keying";

const hasRig = (model: Model): boolean => (model.scene.value?.channels.length ?? 0) > 0;
const noRig = (): string => "There is no character to pose";
const noCopy = (): string => "Copy a pose first (Ctrl+C)";
const hasCopy = (model: Model): boolean => hasRig(model) && model.posing.copied.value !== null;

/** The copied pose onto what is selected, or onto the whole body; mirrored, onto the other side of it. */
function paste(model: Model, mirrored: boolean): void {
  const values = model.posing.copied.value;
  const channels = mirrored ? null : selectedChannels(model);
  if (values) void model.ask({ type: "paste-pose", time: shownTime(model), values, mirrored, channels });
}

const AXES_NAMES: Record<Axes, string> = { world: "World axes", local: "The joint's own axes", gimbal: "Gimbal axes, one angle each" };

function axesCommand(axes: Axes): Command {
  return {
    id: `axes-${axes}`,
    label: AXES_NAMES[axes],
    group: "Pose",
    run: ({ posing }) => {
      posing.axes.value = axes;
    },
    checked: ({ posing }) => posing.axes.value === axes,
  };
}

/** Whole poses: copied, mirrored, brought back; and how a hand makes them. */
export const poseCommands: readonly Command[] = [
  switching(({ posing }) => posing.autoKey, {
    id: "auto-key",
    label: "Auto-key: poses key themselves",
    group: "Pose",
    keys: ["Shift+A"],
  }),
  switching(({ posing }) => posing.planted, {
    id: "planted",
    label: "Feet that stand stay",
    group: "Pose",
    keys: ["Shift+Q"],
  }),
  switching(({ posing }) => posing.symmetric, {
    id: "symmetric",
    label: "Mirror: the other side does the same",
    group: "Pose",
    keys: ["Alt+M"],
  }),
  {
    id: "next-axes",
    label: "Next axes to turn about",
    group: "Pose",
    keys: ["Shift+E"],
    run: ({ posing }) => {
      posing.axes.value = AXES[(AXES.indexOf(posing.axes.value) + 1) % AXES.length];
    },
  },
  ...AXES.map(axesCommand),
  {
    id: "copy-pose",
    label: "Copy pose",
    group: "Pose",
    keys: ["Ctrl+C"],
    enabled: hasRig,
    why: noRig,
    run: (model) => {
      const pose = shownPose(model);
      const chosen = selectedChannels(model);
      if (!pose) return;
      model.clipboard.value = null;
      model.posing.copied.value = chosen ? Object.fromEntries(chosen.map((name) => [name, pose[name]])) : pose;
      model.notices.add("info", chosen ? `copied ${chosen.length} channels of the pose` : "copied the pose");
    },
  },
  { id: "paste-pose", label: "Paste pose", group: "Pose", keys: ["Ctrl+V"], enabled: hasCopy, why: noCopy, run: (model) => paste(model, false) },
  {
    id: "paste-mirrored",
    label: "Paste pose mirrored",
    group: "Pose",
    keys: ["Ctrl+Shift+V"],
    enabled: hasCopy,
    why: noCopy,
    run: (model) => paste(model, true),
  },
  {
    id: "mirror-pose",
    label: "Mirror pose in place",
    group: "Pose",
    keys: ["Ctrl+M"],
    enabled: hasRig,
    why: noRig,
    run: (model) => void model.ask({ type: "mirror-pose", time: shownTime(model) }),
  },
  {
    id: "reset-pose",
    label: "Reset selection to rest",
    group: "Pose",
    keys: ["Alt+R"],
    enabled: hasRig,
    why: noRig,
    run: (model) => void model.ask({ type: "reset-pose", time: shownTime(model), channels: selectedChannels(model) }),
  },
];
