import { model } from "../app/studio";
import { placeName } from "../model/selection";
import type { Wish } from "../protocol/connection";
import type { Place } from "../protocol/messages";
import { pinOf, stretchAround } from "./inspection";

/** Pin a point over the whole clip, or take its pin away. */
export function togglePin(place: Place): void {
  const pin = pinOf(model.constraints.value, place);
  void model.ask(pin ? { type: "remove-constraint", name: pin.name } : { type: "add-pin", place });
}

/** The keys of the active point around the current frame, in seconds; null when it is outside of them. */
export function stretchHere(): [number, number] | null {
  const { active } = model.selection;
  const keyTimes = active ? (model.arcs.get(active.arc)?.keyTimes ?? []) : [];
  return stretchAround(keyTimes, model.timeOf(model.playback.frame.value), model.clip.value?.rate ?? 1);
}

/** Keep the active point still between the keys around the current frame. */
export function plantHere(): void {
  const [place, stretch] = [model.selection.active?.place, stretchHere()];
  if (place && stretch) void tell({ type: "add-contact", place, start: stretch[0], end: stretch[1] }, `${placeName(place)} planted`);
}

/** Ask, and let the animator read what came of it. */
export async function tell(wish: Wish, otherwise: string): Promise<void> {
  const text = await model.ask(wish);
  if (text !== undefined) model.notices.add("info", text || otherwise);
}
