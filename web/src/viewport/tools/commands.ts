import { type Command, switching } from "../../commands/commands";
import { isApart, pinOf, togglePin } from "../../model/constraints";
import type { Model } from "../../model/model";
import type { ConstraintInfo, Place } from "../../protocol/messages";
import { channelsToKey, poses, shownTime } from "./keying";

const NO_CONTACTS = "There are no contacts yet; suggest some, or drag a range on the timeline";
const contactsOn = (model: Model): ConstraintInfo[] => model.constraints.value.filter((each) => each.planted && each.on);
const somethingStands = (model: Model): boolean => model.constraints.value.some((each) => each.stands && each.on);
const hasPoint = (model: Model): boolean => model.selection.active !== null;
const noPoint = (): string => "Click a part of the body first";

/** Pin all selected points; where all are pinned already, let them go. */
async function pinSelected(model: Model, wanted: "position" | "both"): Promise<void> {
  const places = model.selection.points.value.map(({ place }) => place);
  const isHeld = (place: Place): boolean => {
    const pin = pinOf(model, place);
    return pin?.on === true && (wanted === "position" || pin.wanted !== "position");
  };
  const free = places.filter((place) => !isHeld(place));
  for (const place of free.length > 0 ? free : places) await togglePin(model, place, wanted);
}

/** What can be done with points, and with what holds them. */
export const pointCommands: readonly Command[] = [
  {
    id: "pin",
    label: "Pin or unpin points",
    group: "Constraints",
    keys: ["P"],
    enabled: hasPoint,
    why: noPoint,
    run: (model) => void pinSelected(model, "position"),
  },
  {
    id: "pin-both",
    label: "Pin points with orientation",
    group: "Constraints",
    keys: ["Shift+P"],
    enabled: hasPoint,
    why: noPoint,
    run: (model) => void pinSelected(model, "both"),
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
    why: () => "There is nothing to key here",
    run: (model) => void model.ask({ type: "insert-keys", channels: channelsToKey(model), time: shownTime(model) }),
  },
  {
    id: "key-all",
    label: "Key the whole pose",
    group: "Keys",
    keys: ["Shift+K"],
    enabled: (model) => (model.scene.value?.channels.length ?? 0) > 0,
    why: () => "There is nothing to key here",
    run: (model) => {
      const channels = (model.scene.value?.channels ?? []).filter((each) => poses(each) || model.curves.get(model.channelIndex(each.name)) !== null);
      void model.ask({ type: "insert-keys", channels: channels.map(({ name }) => name), time: shownTime(model) });
    },
  },
  switching((model) => model.showTurns, {
    id: "show-turns",
    label: "Orientations along arcs",
    group: "Show",
    keys: ["T"],
  }),
  switching((model) => model.wholeArcs, {
    id: "whole-arcs",
    label: "Whole arcs of long clips",
    group: "Show",
    keys: [],
    checked: (model) => model.arcReach.value === null,
    enabled: (model) => model.isLong.value,
    why: () => "Arcs of short clips are whole",
  }),
];
