import { svg } from "lit";
import { targetAt } from "../../model/loosening";
import type { Place } from "../../protocol/messages";
import { MOVE_PARTS } from "../gizmo_shape";
import { type Surface, vertexUnder } from "../picking";
import { type Bench, pixelOf, placeOf } from "./bench";
import { type StageTool, usualCursor } from "./tool";
import type { Under } from "./under";

const key = "X";

/** Click where loose motion has to be. */
export const target: StageTool = {
  name: "target",
  label: "Target",
  key,
  does: "click an arc or the body: loose motion will be there at that time",
  icon: svg`<circle cx="8" cy="8" r="3.6" /><path d="M8 1.5v4M8 10.5v4M1.5 8h4M10.5 8h4" />`,
  gestures: [
    { where: "Arc or body", gesture: `${key}, then click`, does: "Place a target: loose motion will be there at that time" },
    { where: "Target", gesture: "Drag it", does: "Move where loose motion has to be" },
    { where: "Target", gesture: "Drag its arrow", does: "Change the velocity that it was given" },
  ],
  parts: MOVE_PARTS,
  holdsTargets: true,
  cursor: (what) => (canBeAimedAt(what) ? "crosshair" : usualCursor(what)),
  words: (what, usual) => (canBeAimedAt(what) ? `target: ${usual}` : usual),
  click: (bench, what, event) => placeTarget(bench, what, ...pixelOf(bench.stage, event)),
};

function canBeAimedAt({ kind }: Under): boolean {
  return kind === "tick" || kind === "body";
}

/** Place a target at a tick of an arc, or on the body or a soft mesh now; false where there is nothing. */
function placeTarget(bench: Bench, what: Under, x: number, y: number): boolean {
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
    [...model.soft.meshes].map(async ([mesh, vertices]): Promise<Surface[]> => {
      const name = model.scene.value?.meshes[mesh]?.name ?? "";
      const positions = await drawn(name);
      return positions ? [{ mesh: name, positions, vertices }] : [];
    }),
  );
  // Capsules around bones are thicker than some meshes: a little behind them is before them.
  const farthest = what.kind === "body" ? what.hit.distance + 0.1 * (model.scene.value?.height ?? 1) : Infinity;
  const vertex = vertexUnder(found.flat(), (at, into) => stage.toPixels(at, into), stage.camera.position, farthest, x, y);
  if (vertex) await model.loosening.add({ kind: "point", time, vertex, position: "keyed" });
  else if (what.kind === "body") await model.loosening.add(targetAt(what.hit.place, time));
  else model.selection.clear();
}
