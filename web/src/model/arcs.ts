import type { Arc } from "../protocol/binary";
import { Version } from "./changes";

/** Seconds from which on a clip is long, and how much of it is at hand then: before and after the frame that is shown. */
export const LONG = 10;
export const ARC_REACH = 2;

/** The motion curves that the server has told, by the page's own numbers. */
export class Arcs {
  private readonly version = new Version();
  private readonly told = new Map<number, Arc>();
  private readonly fresh = new Map<number, Uint8Array>();

  /** `fresh` is 1 for the frames that were simulated when a loose arc was told: elsewhere it still is as it was before. */
  put(arc: Arc, fresh: Uint8Array | null = null): void {
    this.told.set(arc.arc, arc);
    if (fresh?.includes(0)) this.fresh.set(arc.arc, fresh);
    else this.fresh.delete(arc.arc);
    this.version.bump();
  }

  /** Of every frame, 0 where an arc still is as it was before; null where all of it is as it should be. */
  freshness(number: number): Uint8Array | null {
    this.version.read();
    return this.fresh.get(number) ?? null;
  }

  get(number: number): Arc | null {
    this.version.read();
    return this.told.get(number) ?? null;
  }

  /** Forget all but some. */
  keep(numbers: ReadonlySet<number>): void {
    for (const each of [this.told, this.fresh]) {
      for (const number of [...each.keys()]) if (!numbers.has(number)) each.delete(number);
    }
    this.version.bump();
  }
}

/** The keys just before and after a time: between them a contact or a curve's stretch lies; null at the outside. */
export function keysAround(arc: Arc, time: number): [number, number] | null {
  const after = arc.keyTimes.findIndex((key) => key > time + 1e-4);
  if (after > 0) return [arc.keyTimes[after - 1], arc.keyTimes[after]];
  const last = arc.keyTimes.length - 1;
  // On the last key the stretch before it is meant.
  return last > 0 && Math.abs(arc.keyTimes[last] - time) < 1e-4 ? [arc.keyTimes[last - 1], arc.keyTimes[last]] : null;
}
