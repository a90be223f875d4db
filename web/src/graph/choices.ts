import { snapped } from "../canvas/frames";
import { ContextMenu, type MenuItem, menuItem } from "../elements/context_menu";
import { TANGENT_COMMANDS } from "./commands";
import type { Desk } from "./desk";
import type { Hit } from "./hits";
import { type Drawn, refOf } from "./rows";

/** Open the menu of a right click at the pointer. */
export function openChoices(event: MouseEvent, hit: Hit, desk: Desk): void {
  event.preventDefault();
  const choices = choicesFor(hit, desk, desk.view.time.time(desk.at(event).x));
  if (choices.length === 0) return;
  menu ??= document.body.appendChild(new ContextMenu());
  void menu.open(choices, event.clientX, event.clientY);
}
let menu: ContextMenu | null = null;

function choicesFor(hit: Hit, desk: Desk, time: number): MenuItem[] {
  switch (hit.what) {
    case "key":
    case "handle":
      if (!hit.drawn.selected.has(hit.key)) desk.model.selection.keys.value = [refOf(hit.drawn.row, hit.key)];
      return keyChoices(desk, hit.drawn.curve.keys[hit.key].time);
    case "curve":
      return curveChoices(desk, hit.drawn, time);
    default:
      return groundChoices(desk, time);
  }
}

function groundChoices(desk: Desk, time: number): MenuItem[] {
  const { model, commands } = desk;
  return [
    menuItem("Go here", () => model.playback.go(Math.round(model.frameOf(time)))),
    menuItem("Fit the view to the curves", () => desk.fit()),
    ...["paste-keys", "paste-keys-mirrored", "insert-keys", "key-all"].map((id, i) => ({ ...commands.item(id), parted: i === 0 })),
  ];
}

function keyChoices(desk: Desk, time: number): MenuItem[] {
  const { model } = desk;
  return [
    ...TANGENT_COMMANDS.map((id) => ({ ...desk.commands.item(id), parted: id === "tangents-tie" })),
    { ...menuItem(`Go to ${desk.moment(time)}`, () => model.playback.go(model.frameOf(time))), parted: true },
    ...["cut-keys", "copy-keys", "paste-keys"].map((id) => desk.commands.item(id)),
    desk.commands.item("delete-keys"),
  ];
}

function curveChoices(desk: Desk, { row, curve }: Drawn, time: number): MenuItem[] {
  const { model, shown } = desk;
  const at = model.clip.value ? snapped(time, model.clip.value) : time;
  return [
    menuItem(`Key ${row.label} on ${desk.moment(at)}`, () => model.ask({ type: "insert-keys", channels: [row.info.name], time: at, layer: row.layerName })),
    menuItem("Select its keys", () => (model.selection.keys.value = curve.keys.map((_, key) => refOf(row, key)))),
    menuItem(shown.visible.length === 1 ? "Show all" : "Show alone", () => shown.isolate(row)),
  ];
}
