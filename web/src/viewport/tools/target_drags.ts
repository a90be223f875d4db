import { Vector3 } from "three";
import { keyedArc } from "../../model/loosening";
import type { Model } from "../../model/model";
import type { Arc } from "../../protocol/binary";
import type { Place, PointTarget } from "../../protocol/messages";
import { atFrame, frameCount, type ToPixels } from "../arc_geometry";
import { axisOf, ringPixels } from "../gizmo_shape";
import { type SoftSurface, softVertexUnder } from "../soft_picking";
import { ARROW_SECONDS, velocityTip, wishOf } from "../target_marks";
import { type Bench, placeOf } from "./bench";
import { type Drag, pullBy } from "./drags";
import { freeTurn, startTurn } from "./orientations";
import { aboutAxis, turnedBy } from "./turns";
import type { Under } from "./under";

/** A target that is dragged this near to a tick of the motion curve, in CSS pixels, is on it. */
const SNAP = 6;

/** A point's target at a time, wanting it where it is keyed. */
export function targetAt(place: Place, time: number): PointTarget {
  return { kind: "point", time, place, position: "keyed" };
}

/** Place a target where the Target tool clicks: at a tick of an arc, or on the body or a soft mesh now; false where there is nothing. */
export function placeTarget(bench: Bench, what: Under, x: number, y: number): boolean {
  const { model } = bench;
  const isSoft = model.soft.meshes.size > 0;
  if (isSoft && (what.kind === "body" || what.kind === "nothing")) {
    void placeOnSoft(bench, what, x, y);
    return true;
  }
  const frame = what.kind === "tick" ? what.frame : model.playback.frame.value;
  const place = placeUnder(bench, what);
  if (!place) return false;
  void model.loosening.add(targetAt(place, model.timeOf(frame)));
  return true;
}

/** The place that a target under the pointer is for; the gizmo's centre is the selected point itself. */
function placeUnder({ gizmo, model }: Bench, what: Under): Place | null {
  switch (what.kind) {
    case "tick":
      return placeOf(model, what.arc);
    case "body":
      return what.hit.place;
    case "gizmo":
      return what.part === "centre" && !gizmo.holdsTarget ? (model.selection.active?.place ?? null) : null;
    default:
      return null;
  }
}

/** On the soft vertex under the pointer, unless the body is before it; where there is neither, nothing is selected. */
async function placeOnSoft({ model, stage, drawn }: Bench, what: Under, x: number, y: number): Promise<void> {
  const time = model.timeOf(model.playback.frame.value);
  const found = await Promise.all(
    [...model.soft.meshes].map(async ([mesh, vertices]): Promise<SoftSurface[]> => {
      const name = model.scene.value?.meshes[mesh]?.name ?? "";
      const positions = await drawn(name);
      return positions ? [{ mesh: name, positions, vertices }] : [];
    }),
  );
  // Capsules around bones are thicker than some meshes: a little behind them is before them.
  const farthest = what.kind === "body" ? what.hit.distance + 0.1 * (model.scene.value?.height ?? 1) : Infinity;
  const vertex = softVertexUnder(found.flat(), (at, into) => stage.toPixels(at, into), stage.camera.position, farthest, x, y);
  if (vertex) await model.loosening.add({ kind: "point", time, vertex, position: "keyed" });
  else if (what.kind === "body") await model.loosening.add(targetAt(what.hit.place, time));
  else model.selection.clear();
}

/** Take hold of a target by its crosshair or by a handle of the gizmo: turn it with the Rotate tool, else move it. */
export function holdTarget(bench: Bench, under: Under, x: number, y: number): Drag | null {
  const { model } = bench;
  const { loosening } = model;
  if (under.kind === "target" && loosening.chosen.value !== under.name) loosening.choose(under.name);
  const aim = loosening.chosenTarget;
  const at = aim && wishOf(model, aim);
  if (!aim || !at || aim.target.kind !== "point") return null;
  model.playback.pause();
  model.playback.go(model.frameOf(aim.target.time));
  const part = under.kind === "gizmo" ? under.part : null;
  if (model.tool.value === "rotate") return turning(bench, aim.name, aim.target, at, part, x, y);
  const pull = pullBy(bench, part, at, x, y);
  const isFree = part === null || part === "centre";
  const hand = model.take({ kind: "drag-target", target: aim.name });
  return {
    hand,
    part,
    move: (x, y) => {
      const wish = pull(x, y);
      hand.move(...((isFree ? snapped(model, bench.lens.toPixels, wish) : null) ?? wish).toArray());
    },
  };
}

/** Take hold of the arrow that shows which velocity a target was given. */
export function holdVelocity(bench: Bench, name: string, x: number, y: number): Drag | null {
  const { model } = bench;
  const { loosening } = model;
  if (loosening.chosen.value !== name) loosening.choose(name);
  const aim = loosening.chosenTarget;
  const [at, tip] = aim ? [wishOf(model, aim), velocityTip(model, aim)] : [null, null];
  if (!at || !tip) return null;
  const pull = pullBy(bench, null, tip, x, y);
  const hand = model.take({ kind: "drag-target", target: name, wanted: "velocity" });
  return { hand, part: null, move: (x, y) => hand.move(...pull(x, y).sub(at).divideScalar(ARROW_SECONDS).toArray()) };
}

function turning(bench: Bench, name: string, target: PointTarget, at: Vector3, part: Drag["part"], x: number, y: number): Drag | null {
  const { model, lens } = bench;
  const frame = Math.round(model.frameOf(target.time));
  const start = Array.isArray(target.orientation) ? target.orientation : target.place ? startTurn(model, target.place, frame) : null;
  if (!start) return null;
  const hand = model.take({ kind: "drag-target", target: name, wanted: "orientation" });
  if (part === null) {
    const turn = freeTurn(bench.stage.camera, start, x, y);
    return { hand, part, move: (x, y) => hand.move(...turn(x, y)) };
  }
  const axis = axisOf(part, lens);
  const turn = aboutAxis(lens, at, axis, ringPixels(part) * lens.metresPerPixel(at), x, y);
  return { hand, part, move: (x, y) => hand.move(...turnedBy(start, axis, turn(x, y))) };
}

/** The tick of the selected point's motion curve, keyed or loose, that a position is on as the eye sees it. */
function snapped(model: Model, toPixels: ToPixels, wish: Vector3): Vector3 | null {
  const active = model.selection.active;
  const arcs = active ? [model.arcs.get(keyedArc(active.arc)), model.arcs.get(active.arc)] : [];
  return nearestTick(
    arcs.filter((arc) => arc !== null),
    toPixels,
    wish,
  );
}

/** The tick that is nearest to a position on the screen, within reach; of equally near ones that of the first arc. */
export function nearestTick(arcs: readonly Arc[], toPixels: ToPixels, wish: Vector3): Vector3 | null {
  const at = toPixels(wish, new Vector3());
  const [tick, pixel, best] = [new Vector3(), new Vector3(), new Vector3()];
  let least = SNAP;
  for (const arc of arcs) {
    for (let frame = 0; frame < frameCount(arc); frame++) {
      toPixels(atFrame(arc, frame, tick), pixel);
      const apart = Math.hypot(pixel.x - at.x, pixel.y - at.y);
      if (pixel.z < 1 && apart < least) [least] = [apart, best.copy(tick)];
    }
  }
  return least < SNAP ? best : null;
}
