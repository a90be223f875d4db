import { momentText } from "../canvas/frames";
import type { Commands } from "../commands/commands";
import { ContextMenu, type MenuItem, menuItem } from "../elements/context_menu";
import { jointPlace } from "../model/selection";
import type { KeyRef } from "../protocol/messages";
import { includesAll, refsWithin } from "./chosen_keys";
import type { Hit } from "./hits";
import { barLabel } from "./lanes";
import type { View } from "./view";

/** Open the menu of a right click at the pointer, at a time. */
export function openChoices(event: MouseEvent, hit: Hit, view: View, commands: Commands, time: number): void {
  event.preventDefault();
  const choices = choicesFor(hit, view, commands, Math.round(view.model.frameOf(time)));
  if (choices.length === 0) return;
  menu ??= document.body.appendChild(new ContextMenu());
  void menu.open(choices, event.clientX, event.clientY);
}
let menu: ContextMenu | null = null;

function choicesFor(hit: Hit, view: View, commands: Commands, at: number): MenuItem[] {
  const { model } = view;
  switch (hit.kind) {
    case "bar": {
      const { name, on, place, planted } = hit.bar.constraint;
      return [
        menuItem(on ? "Switch off" : "Switch on", () => switchConstraint(view, name)),
        menuItem("Select its point", () => model.selection.pick(place)),
        ...(planted ? [holding(view, name)] : []),
        { ...menuItem(`Delete ${barLabel(hit.bar.constraint)}`, () => model.ask({ type: "remove-constraint", name })), parted: true },
      ];
    }
    case "target": {
      const { name, on } = hit.aim;
      return [
        menuItem(on ? "Do not solve for it" : "Solve for it again", () => model.ask({ type: "switch-target", name, on: !on })),
        menuItem("Choose it", () => model.loosening.choose(name)),
        { ...menuItem(`Delete ${name}`, () => model.ask({ type: "remove-target", name })), parted: true },
      ];
    }
    case "key": {
      const refs = refsWithin(hit.row.curves, hit.time, hit.time, view.names);
      if (!includesAll(model.selection.keys.value, refs)) view.select(refs);
      const frame = momentText(hit.time, view.clip, view.inSeconds);
      return [
        menuItem(`Go to ${view.inSeconds ? frame : `frame ${frame}`}`, () => model.playback.go(model.frameOf(hit.time))),
        ...["cut-keys", "copy-keys", "paste-keys"].map((id, i) => ({ ...commands.item(id), parted: i === 0 })),
        menuItem(countText("Delete", view.chosen.refs(view.names)), () => deleteKeys(view)),
      ];
    }
    case "sound":
    case "sound-name": {
      const info = model.sound.info.value;
      if (!info) return [];
      const from = (start: number): unknown => model.ask({ type: "change-sound", start });
      return [
        menuItem(info.muted ? "Hear it" : "Mute", () => model.ask({ type: "change-sound", muted: !info.muted })),
        menuItem("Begin at the playhead", () => from(model.timeOf(model.playback.frame.value))),
        menuItem("Begin with the clip", () => from(view.clip.start)),
        { ...menuItem(`Remove ${info.name}`, () => model.ask({ type: "change-sound", remove: true })), parted: true },
      ];
    }
    case "camera-key": {
      const frame = momentText(hit.time, view.clip, view.inSeconds);
      return [
        menuItem(`Go to ${view.inSeconds ? frame : `frame ${frame}`}`, () => model.playback.go(model.frameOf(hit.time))),
        menuItem("Remove this camera key", () => model.ask({ type: "key-camera", time: hit.time, remove: true })),
      ];
    }
    case "camera":
    case "camera-name":
      return [commands.item("camera-key"), commands.item("camera-through"), { ...commands.item("camera-remove"), parted: true }];
    case "ruler":
    case "clip-end":
      return [
        menuItem("Go here", () => model.playback.go(at)),
        { ...menuItem("Play from here on", () => model.playback.begin(at)), parted: true },
        menuItem("Play up to here", () => model.playback.end(at)),
        commands.item("range-clear"),
        { ...commands.item("clip-trim"), parted: true },
        commands.item("time-in-seconds"),
      ];
    case "keys":
    case "scale":
      return [
        menuItem("Go here", () => model.playback.go(at)),
        { ...commands.item("paste-keys"), parted: true },
        commands.item("paste-keys-mirrored"),
        commands.item("insert-keys"),
        commands.item("key-all"),
      ];
    case "name": {
      const { row } = hit;
      if (row.joint !== null) model.selection.pick(jointPlace(row.joint));
      else if (row.control !== null) model.selection.pickControl(row.control);
      return [
        menuItem("Select its keys", () => view.select(refsWithin(row.curves, -Infinity, Infinity, view.names))),
        commands.item("insert-keys"),
        ...(row.kind === "group" ? [menuItem(row.open ? "Close" : "List its curves", () => view.toggleOpen(row))] : []),
      ];
    }
    case "lane":
    case "lane-name": {
      const { place } = hit.lane;
      if (!place) return [];
      return [
        menuItem("Select its point", () => model.selection.pick(place)),
        { ...commands.item("suggest-contacts"), parted: true },
        commands.item("hold-contacts"),
        commands.item("remove-slide"),
      ];
    }
    case "corner":
      return [menuItem(view.listsAll.value ? "List what is selected" : "List everything", () => (view.listsAll.value = !view.listsAll.value))];
  }
}

/** On loose motion a contact holds only as well as springs do; targets hold it. */
function holding({ model }: View, constraint: string): MenuItem {
  const reason = model.loosening.isLoose ? "" : "Nothing is loose, so the contact holds by itself";
  return menuItem("Hold by targets", () => model.ask({ type: "contact-to-targets", constraint }), reason);
}

export function switchConstraint({ model }: View, name: string): void {
  const found = model.constraints.value.find((each) => each.name === name);
  if (found) void model.ask({ type: "switch-constraint", name, on: !found.on });
}

/** Take the selected keys away; afterwards nothing is selected, as their numbers would mean others. */
export function deleteKeys(view: View): void {
  const keys = view.chosen.refs(view.names);
  if (keys.length === 0) return;
  view.select([]);
  void view.model.ask({ type: "delete-keys", keys });
}

function countText(verb: string, keys: readonly KeyRef[]): string {
  return keys.length === 1 ? `${verb} key` : `${verb} ${keys.length} keys`;
}
