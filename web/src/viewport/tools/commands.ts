import type { Command } from "../../commands/commands";
import { isApart, togglePin } from "../../model/constraints";
import type { Model } from "../../model/model";
import type { ConstraintInfo } from "../../protocol/messages";
import { channelsToKey } from "./keying";

const NO_CONTACTS = "There are no contacts yet; suggest some, or drag a range on the timeline";
const contactsOn = (model: Model): ConstraintInfo[] => model.constraints.value.filter((each) => each.planted && each.on);
const somethingStands = (model: Model): boolean => model.constraints.value.some((each) => each.stands && each.on);
const hasPoint = (model: Model): boolean => model.selection.active !== null;
const noPoint = (): string => "Click a part of the body first";

function pinActive(model: Model, wanted: "position" | "both"): void {
  const active = model.selection.active;
  if (active) void togglePin(model, active.place, wanted);
}

/** What can be done with points, and with what holds them. */
export const pointCommands: readonly Command[] = [
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
    label: "Hold contacts by tangents",
    group: "Constraints",
    enabled: somethingStands,
    why: () => NO_CONTACTS,
    run: (model) => void model.ask({ type: "hold-contacts" }),
  },
  {
    id: "remove-slide",
    label: "Remove slide of contacts",
    group: "Constraints",
    enabled: (model) => contactsOn(model).length > 0,
    why: () => NO_CONTACTS,
    run: (model) => void model.ask({ type: "remove-slide" }),
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
];
