import type { Studio } from "../../commands/studio";
import type { Model } from "../../model/model";
import type { Place } from "../../protocol/messages";
import type { Arcs } from "../arcs";
import type { Body } from "../body";
import type { Gizmo } from "../gizmo";
import type { Stage } from "../stage";
import type { TargetMarks } from "../target_marks";
import type { Lens } from "./lens";

/** What every tool works with. */
export interface Bench extends Studio {
  stage: Stage;
  lens: Lens;
  body: Body;
  arcs: Arcs;
  gizmo: Gizmo;
  targets: TargetMarks;
  /** Where the vertices of a mesh are drawn now, x, y, z each; null where there is no such mesh. */
  drawn: (mesh: string) => Promise<ArrayLike<number> | null>;
}

/** Where a pointer event is on the stage, in CSS pixels. */
export function pixelOf(stage: Stage, event: MouseEvent): [number, number] {
  const box = stage.canvas.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

/** Make a selected point the active one, all others staying selected. */
export function activate({ selection }: Model, arc: number): void {
  const point = selection.points.value.find((each) => each.arc === arc);
  if (!point || selection.active === point) return;
  selection.points.value = [...selection.points.value.filter((each) => each !== point), point];
}

/** The place that an arc is of. */
export function placeOf({ selection }: Model, arc: number): Place | null {
  return selection.points.value.find((each) => each.arc === arc)?.place ?? null;
}
