import type { Key } from "../model/curves";

/** A spot on the sheet in the document's units. */
export interface Spot {
  time: number;
  value: number;
}

/** The rectangle around the selected keys; `low` and `high` are null when their units differ. */
export interface Extent {
  start: number;
  end: number;
  low: number | null;
  high: number | null;
}

export type Edge = "left" | "right" | "top" | "bottom";

/** The numbers of a move-keys gesture: shift of time and value, scale of both, pivot of both. */
export type KeysMove = [number, number, number, number, number, number];

/** Where a time goes when it snaps to whole frames. */
export function snapped(time: number, rate: number): number {
  return Math.round(time * rate) / rate;
}

/** The time of a key that is on a frame, with all its digits: keys arrive rounded, and a shift must not add that up. */
export function exact(time: number, rate: number): number {
  const frame = Math.round(time * rate);
  return Math.abs(time * rate - frame) < 1e-3 ? frame / rate : time;
}

/** Shift keys with the one that was taken hold of; a rate makes that one land on whole frames. */
export function shift(key: Spot, from: Spot, to: Spot, rate: number | null, only: "time" | "value" | null): KeysMove {
  const wished = key.time + to.time - from.time;
  const time = rate === null ? wished : snapped(wished, rate);
  // On its own frame it stays: a key between frames is not pulled onto one by a vertical drag.
  const still = rate !== null && Math.abs(to.time - from.time) * rate < 0.5;
  const own = rate === null ? key.time : exact(key.time, rate);
  return [only === "value" || still ? 0 : time - own, only === "time" ? 0 : to.value - from.value, 1, 1, 0, 0];
}

/** Stretch keys about the opposite edge, so that the edge taken hold of goes where the pointer went. */
export function stretch(extent: Extent, edge: Edge, from: Spot, to: Spot, rate: number | null): KeysMove {
  if (edge === "left" || edge === "right") {
    const [start, end] = rate === null ? [extent.start, extent.end] : [exact(extent.start, rate), exact(extent.end, rate)];
    const [pivot, side] = edge === "left" ? [end, start] : [start, end];
    const wished = side + to.time - from.time;
    const time = rate === null ? wished : snapped(wished, rate);
    return [0, 0, (time - pivot) / (side - pivot), 1, pivot, 0];
  }
  const [low, high] = [extent.low ?? 0, extent.high ?? 0];
  const [pivot, side] = edge === "top" ? [low, high] : [high, low];
  return [0, 0, 1, (side + to.value - from.value - pivot) / (side - pivot), 0, pivot];
}

/** Which edges of a rectangle can stretch anything. */
export function edgesOf(extent: Extent): Edge[] {
  const edges: Edge[] = [];
  if (extent.end > extent.start) edges.push("left", "right");
  if (extent.low !== null && extent.high !== null && extent.high > extent.low) edges.push("top", "bottom");
  return edges;
}

/** The tangent whose handle ends at a spot: width and height, forward in time on both sides. */
export function tangentTo(key: Key, side: "in" | "out", spot: Spot): [number, number] {
  const sign = side === "in" ? -1 : 1;
  return [Math.max(0, sign * (spot.time - key.time)), sign * (spot.value - key.value)];
}

/** Where a key's handle ends. */
export function handleEnd(key: Key, side: "in" | "out"): Spot {
  return side === "in"
    ? { time: key.time - key.inX, value: key.value - key.inY }
    : { time: key.time + key.outX, value: key.value + key.outY };
}
