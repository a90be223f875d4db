import type { Studio } from "../../commands/studio";
import { type MenuItem, menuItem } from "../../elements/context_menu";
import { keysAround } from "../../model/arcs";
import { carrierFor, lockAt, pinOf, toggleLock, togglePin } from "../../model/constraints";
import { targetAt } from "../../model/loosening";
import type { Model } from "../../model/model";
import { mainJoint, placeName } from "../../model/selection";
import type { Place } from "../../protocol/messages";
import { keysAt } from "./keying";

/** What a right click is about: a point of the body and a moment, or nothing in particular. */
export interface MenuSubject {
  place: Place | null;
  /** The place's arc, by its number; null while it is not shown. */
  arc: number | null;
  frame: number;
}

/** What can be done with a point at a moment, in the animator's words. */
export function menuItems({ model, commands }: Studio, { place, arc, frame }: MenuSubject): MenuItem[] {
  const noPoint = place ? "" : "Click a part of the body first";
  const time = model.timeOf(frame);
  const told = arc === null ? null : model.arcs.get(arc);
  const stretch = told && keysAround(told, time)?.map((each) => onFrame(model, each));
  const label = model.frameLabel(frame);
  const span = stretch ? ` (frames ${stretch.map((each) => model.frameLabel(Math.round(model.frameOf(each)))).join(" to ")})` : "";
  const noStretch = noPoint || (stretch ? "" : told ? "There are no keys on both sides of this frame" : "Select the point first: its arc knows its keys");
  const around = place && stretch ? keysAt(model, mainJoint(place), stretch) : [];
  const noKeys = noStretch || (around.length > 0 ? "" : `${place ? mainJoint(place) : "It"} has no keys of its own around this frame`);
  const pin = place && pinOf(model, place);
  const lock = place && lockAt(model, place, time);
  const name = place ? ` ${placeName(place)}` : "";
  const plant = async (): Promise<void> => {
    const text = place && stretch && (await model.ask({ type: "add-contact", place, start: stretch[0], end: stretch[1] }));
    if (text) model.notices.add("info", text);
  };
  return [
    menuItem(pin?.on ? `Unpin${name}` : `Pin${name}`, () => place && togglePin(model, place, "position"), noPoint),
    menuItem(`Contact between these keys${span}`, plant, noStretch),
    attaching(model, place, stretch ?? null, span, noStretch),
    menuItem(`${lock ? "Unlock" : "Lock"} this state (frame ${label})`, () => place && toggleLock(model, place, time), noPoint),
    menuItem(`Target here${name && ` for${name}`} (frame ${label})`, () => place && model.loosening.add(targetAt(place, time)), noPoint),
    { ...menuItem("Break tangents of the keys around", () => model.ask({ type: "tie-tangents", keys: around, tied: false }), noKeys), parted: true },
    menuItem("Tie tangents of the keys around", () => model.ask({ type: "tie-tangents", keys: around, tied: true }), noKeys),
    { ...commands.item("suggest-contacts"), parted: true },
    commands.item("agree-poses"),
    commands.item("hold-contacts"),
    commands.item("remove-slide"),
    { ...commands.item("view.frame"), parted: true },
    ...isolation(model, place, noPoint),
  ];
}

/** Hold a point in the space of the part that was selected before it, or of the prop which that carries. */
function attaching(model: Model, place: Place | null, stretch: number[] | null, span: string, noStretch: string): MenuItem {
  const to = place && carrierFor(model, place);
  const reason = noStretch || (to === null ? "Select the other part first, then Shift-click the point that stays on it" : "");
  const attach = () => place && stretch && to && model.ask({ type: "add-constraint", kind: "attach", place, to, start: stretch[0], end: stretch[1] });
  return menuItem(to === null ? "Hold in the space of another part" : `Hold on ${to}${span}`, attach, reason);
}

/** Arcs tell times in few digits: one that is all but on a frame is on it. */
function onFrame(model: Model, time: number): number {
  const exact = model.timeOf(Math.round(model.frameOf(time)));
  return Math.abs(exact - time) < 1e-4 ? exact : time;
}

function isolation(model: Model, place: Place | null, noPoint: string): MenuItem[] {
  const meshes = model.scene.value?.meshes ?? [];
  const others = place ? meshes.filter((mesh) => !mesh.joints.includes(mainJoint(place))).map(({ name }) => name) : [];
  const noOthers = noPoint || (others.length > 0 && others.length < meshes.length ? "" : "There is no other mesh to hide");
  return [
    menuItem("Isolate (hide other meshes)", () => (model.hiddenMeshes.value = new Set(others)), noOthers),
    menuItem("Show all meshes", () => (model.hiddenMeshes.value = new Set()), model.hiddenMeshes.value.size > 0 ? "" : "Nothing is hidden"),
  ];
}
