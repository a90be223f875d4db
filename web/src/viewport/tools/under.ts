import { nearestFrame } from "../arc_geometry";
import type { GizmoPart } from "../gizmo_shape";
import type { BodyHit } from "../picking";
import type { Bench } from "./bench";

/** What the pointer is on. */
export type Under =
  | { kind: "gizmo"; part: GizmoPart }
  | { kind: "target"; name: string }
  | { kind: "velocity"; name: string }
  | { kind: "tick"; arc: number; frame: number }
  | { kind: "body"; hit: BodyHit }
  | { kind: "nothing" };

/** Arcs win over the body when the pointer is this near to them, in CSS pixels. */
const ARC_REACH = 8;

/**
 * What is under a pixel of the stage: handles first, then arcs (the active one first), then the body. Only the shafts of
 * arrows give way to arcs: an arc runs through the gizmo's middle, often along an arrow.
 */
export function under(bench: Bench, x: number, y: number): Under {
  // The end of a velocity's arrow is small, and often lies among the gizmo's handles.
  const velocity = bench.targets.velocityUnder(x, y);
  if (velocity !== null) return { kind: "velocity", name: velocity };
  const part = bench.gizmo.under(x, y, true);
  if (part) return { kind: "gizmo", part };
  const target = bench.targets.under(x, y);
  if (target !== null) return { kind: "target", name: target };
  const tick = tickUnder(bench, x, y);
  if (tick) return tick;
  const shaft = bench.gizmo.under(x, y, false);
  return shaft ? { kind: "gizmo", part: shaft } : beneath(bench, x, y);
}

/** What is under a pixel behind all handles. */
export function beneath(bench: Bench, x: number, y: number): Under {
  const tick = tickUnder(bench, x, y);
  if (tick) return tick;
  const hit = bench.body.under(x, y);
  return hit ? { kind: "body", hit } : { kind: "nothing" };
}

export function tickUnder({ arcs, lens, model }: Bench, x: number, y: number): Extract<Under, { kind: "tick" }> | null {
  const shown = model.playback.frame.value;
  let best: { arc: number; frame: number; apart: number } | null = null;
  for (const { number, arc } of arcs.shown().reverse()) {
    const hit = nearestFrame(arc, arcs.stretch(arc), lens.toPixels, x, y, ARC_REACH, shown);
    // The active arc comes first; another must be nearer by a pixel to be meant.
    if (hit && (!best || hit.apart < best.apart - 1)) best = { arc: number, ...hit };
  }
  return best && { kind: "tick", arc: best.arc, frame: best.frame };
}
