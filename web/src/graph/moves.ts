import { type FrameGrid, snapped } from "../canvas/frames";
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

/** The time of a key that is on a frame, with all its digits: keys arrive rounded, and a shift must not add that up. */
export function exact(time: number, grid: FrameGrid): number {
  const onFrame = snapped(time, grid);
  return Math.abs(time - onFrame) * grid.rate < 1e-3 ? onFrame : time;
}

/** Shift keys with the one that was taken hold of; on a grid that one lands on a whole frame. */
export function shift(key: Spot, from: Spot, to: Spot, grid: FrameGrid | null, only: "time" | "value" | null): KeysMove {
  const time = only === "value" ? 0 : later(key.time, to.time - from.time, grid);
  return [time, only === "time" ? 0 : to.value - from.value, 1, 1, 0, 0];
}

function later(time: number, wished: number, grid: FrameGrid | null): number {
  if (grid === null) return wished;
  // On its own frame it stays: a key between frames is not pulled onto one by a vertical drag.
  if (Math.abs(wished) * grid.rate < 0.5) return 0;
  const own = exact(time, grid);
  return snapped(own + wished, grid) - own;
}

/** Stretch keys about the opposite edge, so that the edge taken hold of goes where the pointer went. */
export function stretch(extent: Extent, edge: Edge, from: Spot, to: Spot, grid: FrameGrid | null): KeysMove {
  if (edge === "left" || edge === "right") {
    const [start, end] = grid === null ? [extent.start, extent.end] : [exact(extent.start, grid), exact(extent.end, grid)];
    const [pivot, side] = edge === "left" ? [end, start] : [start, end];
    const wished = side + to.time - from.time;
    const time = grid === null ? wished : snapped(wished, grid);
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
  return side === "in" ? { time: key.time - key.inX, value: key.value - key.inY } : { time: key.time + key.outX, value: key.value + key.outY };
}
