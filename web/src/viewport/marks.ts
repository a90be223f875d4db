import { Color } from "three";
import type { Place } from "../protocol/messages";
import { SELECTED } from "./colours";

/** The colour of what is selected, the same in skin and skeleton; another one while bones are chosen for sketching. */
export const selectionColour = new Color(SELECTED);

/** How much each joint carries a place, the joint that carries most counting as one. */
export function sharesOf(places: readonly Place[], jointIndex: (name: string) => number): Map<number, number> {
  const shares = new Map<number, number>();
  for (const { parts } of places) {
    const most = Math.max(...parts.map((part) => part.weight), 1e-9);
    for (const { joint, weight } of parts) {
      const index = jointIndex(joint);
      shares.set(index, Math.max(shares.get(index) ?? 0, weight / most));
    }
  }
  return shares;
}
