import { Vector3 } from "three";
import { jointPlace, mainJoint } from "../../model/selection";
import type { AnyGesture } from "../../protocol/messages";
import { atFrame } from "../arc_geometry";
import { axisOf, type GizmoPart, ringPixels } from "../gizmo_shape";
import { activate, type Bench, placeOf } from "./bench";
import { acrossView, alongAxis, inPlane, type Pull } from "./pulls";
import { holdTarget, holdVelocity } from "./target_drags";
import type { Drag, Grip, StageTool } from "./tool";
import { aboutAxis, freeTurn, jointTurn, turnedBy, type Wxyz } from "./turns";
import type { Under } from "./under";

/** Take hold of what is under a pixel, as a tool does; null where there is nothing to hold. */
export function takeHold(bench: Bench, tool: StageTool, under: Under, x: number, y: number): Drag | null {
  if (under.kind === "velocity") return holdVelocity(bench, under.name, x, y);
  if (under.kind === "target" || (under.kind === "gizmo" && bench.gizmo.holdsTarget)) return holdTarget(bench, tool, under, x, y);
  const grip = tool.take ? gripOf(bench, under) : null;
  if (!grip) return null;
  // The hand works on a frame that stands still, and one looks at the frame it works on.
  bench.model.playback.pause();
  bench.model.playback.go(grip.frame);
  return tool.take?.(bench, grip, x, y) ?? null;
}

function gripOf(bench: Bench, under: Under): Grip | null {
  const { model, gizmo } = bench;
  const shown = model.playback.frame.value;
  const onFrame = (frame: number): { frame: number; time: number } => ({ frame, time: model.timeOf(frame) });
  switch (under.kind) {
    case "gizmo": {
      const [active, centre] = [model.selection.active, gizmo.centre()];
      return active && centre && { place: active.place, ...onFrame(shown), point: centre, part: under.part };
    }
    case "tick": {
      const [arc, place] = [model.arcs.get(under.arc), placeOf(model, under.arc)];
      if (!arc || !place) return null;
      activate(model, under.arc);
      return { place, ...onFrame(under.frame), point: atFrame(arc, under.frame, new Vector3()), part: null };
    }
    case "body": {
      // A limb whose point is selected is dragged by that point; another limb by the spot under the pointer.
      const known = model.selection.points.value.findLast((each) => mainJoint(each.place) === under.hit.joint);
      if (known) activate(model, known.arc);
      else model.selection.pick(under.hit.place);
      const place = known?.place ?? under.hit.place;
      const at = bench.body.positionOf(place);
      return at && { place, ...onFrame(shown), point: at, part: null };
    }
    case "target":
    case "velocity":
    case "nothing":
      return null;
  }
}

/** Pull a point to where the pointer wishes it. */
export function pulling(bench: Bench, what: AnyGesture, { point, part }: Pick<Grip, "point" | "part">, x: number, y: number): Drag {
  const pull = pullBy(bench, part, point, x, y);
  const hand = bench.model.take(what);
  return { hand, part, move: (x, y) => hand.move(...pull(x, y).toArray()) };
}

export function pullBy({ lens }: Pick<Bench, "lens">, part: GizmoPart | null, point: Vector3, x: number, y: number): Pull {
  if (part === null || part === "centre") return acrossView(lens, point, x, y);
  const axis = axisOf(part, lens);
  return part.length === 1 ? alongAxis(lens, point, axis, x, y) : inPlane(lens, point, axis, x, y);
}

/** Pull a pose on a frame to where the pointer wishes it, keyed and with its feet planted as the page has it. */
export function posing(bench: Bench, { place, time, ...grip }: Grip, x: number, y: number): Drag {
  const { autoKey, planted, symmetric } = bench.model.posing;
  const what: AnyGesture = { kind: "pull-pose", place, time, key: autoKey.value, planted: planted.value, symmetric: symmetric.value };
  return pulling(bench, what, grip, x, y);
}

/** Turn a joint by itself on a frame. */
export function turningJoint(bench: Bench, { place, time, frame, ...grip }: Grip, x: number, y: number): Drag | null {
  const { model } = bench;
  const joint = jointPlace(mainJoint(place));
  const { autoKey, symmetric } = model.posing;
  const how = { key: autoKey.value, alone: true, symmetric: symmetric.value };
  const what: AnyGesture = { kind: "pull-pose", place: joint, time, wanted: "orientation", ...how };
  const world = model.frames.world(frame);
  return turning(bench, what, world && jointTurn(world, model.jointIndex(mainJoint(place))), grip, x, y);
}

/** Turn a point from how it is turned: by a ring, or freely; null while nobody knows how it is turned. */
export function turning(bench: Bench, what: AnyGesture, start: Wxyz | null, { point, part }: Pick<Grip, "point" | "part">, x: number, y: number): Drag | null {
  if (!start) return null;
  const hand = bench.model.take(what);
  if (part === null) {
    const turn = freeTurn(bench.stage.camera, start, x, y);
    return { hand, part, move: (x, y) => hand.move(...turn(x, y)) };
  }
  const axis = axisOf(part, bench.lens, bench.gizmo.axes());
  const radius = ringPixels(part) * bench.lens.metresPerPixel(point);
  const turn = aboutAxis(bench.lens, point, axis, radius, x, y);
  return { hand, part, move: (x, y) => hand.move(...turnedBy(start, axis, turn(x, y))) };
}
