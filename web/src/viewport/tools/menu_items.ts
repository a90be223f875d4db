import { commands } from "../../app/studio";
import type { Model } from "../../model/model";
import { mainJoint, placeName } from "../../model/selection";
import type { Place } from "../../protocol/messages";
import { keysAround } from "../arc_geometry";
import { carrierFor, lockAt, pinOf, toggleLock, togglePin } from "./constraints";
import { keysAt } from "./keying";
import { targetAt } from "./target_drags";

/** One line of the menu; `reason` says why it cannot be chosen, empty when it can. */
export interface MenuItem {
  label: string;
  reason: string;
  run: () => void;
  /** Begins a new part of the menu. */
  parted?: boolean;
}

/** What a right click is about: a point of the body and a moment, or nothing in particular. */
export interface MenuSubject {
  place: Place | null;
  /** The place's arc, by its number; null while it is not shown. */
  arc: number | null;
  frame: number;
}

/** What can be done with a point at a moment, in the animator's words. */
export function menuItems(model: Model, { place, arc, frame }: MenuSubject): MenuItem[] {
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
  const done = (text: string | null | undefined): void => {
    if (text) model.notices.add("info", text);
  };
  return [
    item(pin?.on ? `Unpin${name}` : `Pin${name}`, noPoint, () => place && void togglePin(model, place, "position")),
    item(`Contact between these keys${span}`, noStretch, () => {
      if (place && stretch) void model.ask({ type: "add-contact", place, start: stretch[0], end: stretch[1] }).then(done);
    }),
    attaching(model, place, stretch ?? null, span, noStretch),
    item(`${lock ? "Unlock" : "Lock"} this state (frame ${label})`, noPoint, () => place && toggleLock(model, place, time)),
    item(`Target here${name && ` for${name}`} (frame ${label})`, noPoint, () => place && model.loosening.add(targetAt(place, time))),
    { ...item("Break tangents of the keys around", noKeys, () => void model.ask({ type: "tie-tangents", keys: around, tied: false })), parted: true },
    item("Tie tangents of the keys around", noKeys, () => void model.ask({ type: "tie-tangents", keys: around, tied: true })),
    { ...command("suggest-contacts"), parted: true },
    command("agree-poses"),
    command("hold-contacts"),
    { ...command("view.frame"), parted: true },
    ...isolation(model, place, noPoint),
  ];
}

/** Hold a point in the space of the part that was selected before it, or of the prop which that carries. */
function attaching(model: Model, place: Place | null, stretch: number[] | null, span: string, noStretch: string): MenuItem {
  const to = place && carrierFor(model, place);
  const reason = noStretch || (to === null ? "Select the other part first, then Shift-click the point that stays on it" : "");
  return item(to === null ? "Hold in the space of another part" : `Hold on ${to}${span}`, reason, () => {
    if (place && stretch && to !== null) void model.ask({ type: "add-constraint", kind: "attach", place, to, start: stretch[0], end: stretch[1] });
  });
}

/** Arcs tell times in few digits: one that is all but on a frame is on it. */
function onFrame(model: Model, time: number): number {
  const exact = model.timeOf(Math.round(model.frameOf(time)));
  return Math.abs(exact - time) < 1e-4 ? exact : time;
}

function item(label: string, reason: string, run: () => unknown): MenuItem {
  return { label, reason, run: () => void run() };
}

function command(id: string): MenuItem {
  return { label: commands.get(id).label, reason: commands.reason(id), run: () => commands.run(id) };
}

function isolation(model: Model, place: Place | null, noPoint: string): MenuItem[] {
  const meshes = model.scene.value?.meshes ?? [];
  const others = place ? meshes.filter((mesh) => !mesh.joints.includes(mainJoint(place))).map(({ name }) => name) : [];
  const noOthers = noPoint || (others.length > 0 && others.length < meshes.length ? "" : "There is no other mesh to hide");
  return [
    item("Isolate (hide other meshes)", noOthers, () => (model.hiddenMeshes.value = new Set(others))),
    item("Show all meshes", model.hiddenMeshes.value.size > 0 ? "" : "Nothing is hidden", () => (model.hiddenMeshes.value = new Set())),
  ];
}
