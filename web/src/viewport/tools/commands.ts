import { commands } from "../../app/studio";
import { isApart } from "../../model/apart";
import type { Model, Tool } from "../../model/model";
import type { ConstraintInfo } from "../../protocol/messages";
import { channelsToKey } from "./keying";
import { togglePin } from "./constraints";

const TOOLS: [Tool, string, string][] = [
  ["pose", "Pose", "Q"],
  ["move", "Move", "W"],
  ["rotate", "Rotate", "E"],
  ["timing", "Timing", "R"],
  ["sketch", "Sketch", "B"],
  ["target", "Target", "X"],
];

for (const [tool, label, key] of TOOLS) {
  commands.add({
    id: `tool-${tool}`,
    label,
    group: "Tools",
    keys: [key],
    run: (model) => {
      model.tool.value = tool;
    },
    checked: (model) => model.tool.value === tool,
  });
}

const NO_CONTACTS = "There are no contacts yet; suggest some, or drag a range on the timeline";
const contactsOn = (model: Model): ConstraintInfo[] => model.constraints.value.filter((each) => each.stands && each.on);
const hasPoint = (model: Model): boolean => model.selection.active !== null;
const noPoint = (): string => "Click a part of the body first";

function pinActive(model: Model, wanted: "position" | "both"): void {
  const active = model.selection.active;
  if (active) void togglePin(model, active.place, wanted);
}

commands.add(
  {
    id: "pin",
    label: "Pin or unpin point",
    group: "Constraints",
    keys: ["P"],
    enabled: hasPoint,
    why: noPoint,
    run: (model) => pinActive(model, "position"),
  },
  {
    id: "pin-both",
    label: "Pin point with orientation",
    group: "Constraints",
    keys: ["Shift+P"],
    enabled: hasPoint,
    why: noPoint,
    run: (model) => pinActive(model, "both"),
  },
  {
    id: "suggest-contacts",
    label: "Suggest contacts",
    group: "Constraints",
    run: (model) => void model.ask({ type: "suggest-contacts" }),
  },
  {
    id: "agree-poses",
    label: "Make key poses of contacts agree",
    group: "Constraints",
    enabled: (model) => contactsOn(model).some(isApart),
    why: (model) => (contactsOn(model).length === 0 ? NO_CONTACTS : "The key poses of all contacts agree"),
    run: (model) => void model.ask({ type: "agree-poses" }),
  },
  {
    id: "hold-contacts",
    label: "Remove slide of contacts",
    group: "Constraints",
    enabled: (model) => contactsOn(model).length > 0,
    why: () => NO_CONTACTS,
    run: (model) => void model.ask({ type: "hold-contacts" }),
  },
  {
    id: "insert-keys",
    label: "Key selection at this frame",
    group: "Keys",
    keys: ["K"],
    enabled: (model) => channelsToKey(model).length > 0,
    why: () => "Nothing is keyed yet; select a part of the body",
    run: (model) => {
      const time = model.timeOf(model.playback.frame.value);
      void model.ask({ type: "insert-keys", channels: channelsToKey(model), time });
    },
  },
  {
    id: "show-turns",
    label: "Orientations along arcs",
    group: "Show",
    keys: ["T"],
    checked: (model) => model.showTurns.value,
    run: (model) => {
      model.showTurns.value = !model.showTurns.value;
    },
  },
);
