import { Vector3 } from "three";
import type { Hand } from "../../model/hand";
import type { Model } from "../../model/model";
import { mainJoint } from "../../model/selection";
import type { AnyGesture, Place } from "../../protocol/messages";
import { atFrame } from "../arc_geometry";
import { axisOf, type GizmoPart, ringPixels } from "../gizmo_shape";
import { activate, type Bench, placeOf } from "./bench";
import { freeTurn, startTurn } from "./orientations";
import { acrossView, alongAxis, inPlane, type Pull } from "./pulls";
import { holdTarget, holdVelocity } from "./target_drags";
import { aboutAxis, turnedBy } from "./turns";
import type { Under } from "./under";

/** A drag with the left button, from the moment it is more than a click. */
export interface Drag {
  hand: Hand;
  move(x: number, y: number): void;
  /** The handle that is held, where one is. */
  part: GizmoPart | null;
}

/** So much faster or slower for a pixel of the timing handle: 100 pixels are ten notches of the wheel. */
const AMOUNT_PER_PIXEL = 0.005;

/** Take hold of what is under a pixel, as the chosen tool does; null where there is nothing to hold. */
export function takeHold(bench: Bench, under: Under, x: number, y: number): Drag | null {
  if (under.kind === "velocity") return holdVelocity(bench, under.name, x, y);
  if (under.kind === "target" || (under.kind === "gizmo" && bench.gizmo.holdsTarget)) return holdTarget(bench, under, x, y);
  if (bench.model.tool.value === "target") return null; // a click places one
  const grip = gripOf(bench, under);
  if (!grip) return null;
  const { model } = bench;
  // The hand works on a frame that stands still, and one looks at the frame it works on.
  model.playback.pause();
  model.playback.go(grip.frame);
  const { place } = grip;
  const time = model.timeOf(grip.frame);
  switch (model.tool.value) {
    case "move":
      return pulling(bench, { kind: "drag-arc", place, time }, grip, x, y);
    case "pose":
      return pulling(bench, { kind: "pull-pose", place, time }, grip, x, y);
    case "rotate":
      return turning(bench, { kind: "drag-arc", place, time, wanted: "orientation" }, grip, x, y);
    case "timing":
      return grip.part === "timing"
        ? scaling(model, { kind: "scale-timing", place, time }, grip, y)
        : pulling(bench, { kind: "move-tick", place, time }, grip, x, y);
    case "sketch": // strokes are taken before anything is held
    case "target":
      return null;
  }
}

/** What a drag holds: a place on a frame, where it is, and by which handle. */
interface Grip {
  place: Place;
  frame: number;
  point: Vector3;
  part: GizmoPart | null;
}

function gripOf(bench: Bench, under: Under): Grip | null {
  const { model, gizmo } = bench;
  const shown = model.playback.frame.value;
  switch (under.kind) {
    case "gizmo": {
      const [active, centre] = [model.selection.active, gizmo.centre()];
      return active && centre && { place: active.place, frame: shown, point: centre, part: under.part };
    }
    case "tick": {
      const [arc, place] = [model.arcs.get(under.arc), placeOf(model, under.arc)];
      if (!arc || !place) return null;
      activate(model, under.arc);
      return { place, frame: under.frame, point: atFrame(arc, under.frame, new Vector3()), part: null };
    }
    case "body": {
      // A limb whose point is selected is dragged by that point; another limb by the spot under the pointer.
      const known = model.selection.points.value.findLast((each) => mainJoint(each.place) === under.hit.joint);
      if (known) activate(model, known.arc);
      else model.selection.pick(under.hit.place);
      const place = known?.place ?? under.hit.place;
      const at = bench.body.positionOf(place);
      return at && { place, frame: shown, point: at, part: null };
    }
    case "target":
    case "velocity":
    case "nothing":
      return null;
  }
}

function pulling(bench: Bench, what: AnyGesture, { point, part }: Grip, x: number, y: number): Drag {
  const pull = pullBy(bench, part, point, x, y);
  const hand = bench.model.take(what);
  return { hand, part, move: (x, y) => hand.move(...pull(x, y).toArray()) };
}

export function pullBy({ lens }: Pick<Bench, "lens">, part: GizmoPart | null, point: Vector3, x: number, y: number): Pull {
  if (part === null || part === "centre") return acrossView(lens, point, x, y);
  const axis = axisOf(part, lens);
  return part.length === 1 ? alongAxis(lens, point, axis, x, y) : inPlane(lens, point, axis, x, y);
}

function turning(bench: Bench, what: AnyGesture, { place, frame, point, part }: Grip, x: number, y: number): Drag | null {
  const start = startTurn(bench.model, place, frame);
  if (!start) return null;
  const hand = bench.model.take(what);
  if (part === null) {
    const turn = freeTurn(bench.stage.camera, start, x, y);
    return { hand, part, move: (x, y) => hand.move(...turn(x, y)) };
  }
  const axis = axisOf(part, bench.lens);
  const radius = ringPixels(part) * bench.lens.metresPerPixel(point);
  const turn = aboutAxis(bench.lens, point, axis, radius, x, y);
  return { hand, part, move: (x, y) => hand.move(...turnedBy(start, axis, turn(x, y))) };
}

function scaling(model: Model, what: AnyGesture, { part }: Grip, from: number): Drag {
  const hand = model.take(what);
  return { hand, part, move: (_, y) => hand.move((from - y) * AMOUNT_PER_PIXEL) };
}
