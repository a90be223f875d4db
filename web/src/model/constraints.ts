import type { ConstraintInfo, Place } from "../protocol/messages";
import type { Model } from "./model";
import { mainJoint, samePlace } from "./selection";
import { degrees } from "./units";

/** The pin of a place over the whole clip or part of it; null for none. */
export function pinOf(model: Model, place: Place): ConstraintInfo | null {
  return model.constraints.value.find((each) => !each.stands && !each.momentary && samePlace(each.place, place)) ?? null;
}

/** The lock of a place at a time, within half a frame; null for none. */
export function lockAt(model: Model, place: Place, time: number): ConstraintInfo | null {
  const half = 0.5 / (model.clip.value?.rate ?? 24);
  const isThere = (each: ConstraintInfo): boolean =>
    each.momentary && each.start !== null && Math.abs(each.start - time) < half && samePlace(each.place, place);
  return model.constraints.value.find(isThere) ?? null;
}

/** Constraints by their places, in the order of the first of each. */
export function groupsOf(items: readonly ConstraintInfo[]): ConstraintInfo[][] {
  const groups: ConstraintInfo[][] = [];
  for (const each of items) {
    const group = groups.find(([first]) => samePlace(first.place, each.place));
    if (group) group.push(each);
    else groups.push([each]);
  }
  return groups;
}

/** What a place can be held on: the part that was selected before it, or the prop which that carries; null for nothing. */
export function carrierFor(model: Model, place: Place): string | null {
  const before = model.selection.points.value.at(-2);
  if (!before || mainJoint(before.place) === mainJoint(place)) return null;
  const joint = mainJoint(before.place);
  return model.scene.value?.props.find((prop) => prop.joint === joint)?.name ?? joint;
}

/** Pin a place, or let it go; one that was switched off is switched on again. */
export async function togglePin(model: Model, place: Place, wanted: "position" | "both"): Promise<void> {
  const pin = pinOf(model, place);
  if (!pin) await model.ask({ type: "add-pin", place, wanted });
  else if (!pin.on) await model.ask({ type: "switch-constraint", name: pin.name, on: true });
  else {
    await model.ask({ type: "remove-constraint", name: pin.name });
    // A pin of position alone, asked for with orientation, becomes one of both.
    if (wanted === "both" && pin.wanted === "position") await model.ask({ type: "add-pin", place, wanted });
  }
}

/** Keep the state at one time, position and orientation, or no longer. */
export function toggleLock(model: Model, place: Place, time: number): void {
  const lock = lockAt(model, place, time);
  if (lock) void model.ask({ type: "remove-constraint", name: lock.name });
  else void model.ask({ type: "add-pin", place, wanted: "both", start: time, end: time });
}

const halves: readonly Half[] = ["position", "orientation"];
type Half = Exclude<ConstraintInfo["wanted"], "both">;

/** What a constraint holds once one half of the state is held too, or no longer; null where nothing would be left. */
export function withHalf(wanted: ConstraintInfo["wanted"], half: Half): ConstraintInfo["wanted"] | null {
  if (wanted === "both") return halves.find((each) => each !== half) ?? null;
  return wanted === half ? null : "both";
}

type Contact = Pick<ConstraintInfo, "apart" | "turned_apart">;

/** Whether the key poses of a contact put its point in different places, or turn it differently, by as much as is worth a word. */
export function isApart({ apart = 0, turned_apart: turned = 0 }: Contact): boolean {
  return apart > 0 || turned > 0;
}

/** "1.3 mm", "12 mm and 3.0°": by how much. */
export function apartBy({ apart = 0, turned_apart: turned = 0 }: Contact): string {
  const millimetres = apart > 0 ? `${(1000 * apart).toFixed(apart < 0.01 ? 1 : 0)} mm` : "";
  return [millimetres, turned > 0 ? degrees(turned) : ""].filter((each) => each).join(" and ");
}
