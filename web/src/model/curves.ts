import type { CurveUpdate } from "../protocol/binary";
import { Version } from "./changes";

export const CONSTANT = 0;
export const LINEAR = 1;
export const BEZIER = 2;

/** A key as the page draws it; both tangents point forward in time, as everywhere. */
export interface Key {
  time: number;
  value: number;
  inX: number;
  inY: number;
  outX: number;
  outY: number;
  interpolation: number;
  tied: boolean;
}

export interface Curve {
  channel: number;
  /** 0 is the base, n the layer n − 1. */
  layer: number;
  keys: Key[];
}

/** The curves of the shown clip. Curves are replaced, never changed, so a reference kept is a curve remembered. */
export class Curves {
  private readonly version = new Version();
  private byPlace = new Map<string, Curve>();

  put(update: CurveUpdate): void {
    if (update.whole) this.byPlace = new Map();
    for (const { channel, layer, keys, rows } of update.curves) {
      const place = `${layer}:${channel}`;
      if (keys === 0) this.byPlace.delete(place);
      else this.byPlace.set(place, { channel, layer, keys: Array.from({ length: keys }, (_, i) => key(rows, 8 * i)) });
    }
    this.version.bump();
  }

  get(channel: number, layer = 0): Curve | null {
    this.version.read();
    return this.byPlace.get(`${layer}:${channel}`) ?? null;
  }

  /** What they are now, whatever becomes of them. */
  snapshot(): Curves {
    const copy = new Curves();
    copy.byPlace = new Map(this.byPlace);
    return copy;
  }

  all(): Iterable<Curve> {
    this.version.read();
    return this.byPlace.values();
  }
}

// Called for every key of every drag update; reading by number is several times faster than taking the row apart.
function key(rows: Float32Array, at: number): Key {
  return {
    time: rows[at],
    value: rows[at + 1],
    inX: rows[at + 2],
    inY: rows[at + 3],
    outX: rows[at + 4],
    outY: rows[at + 5],
    interpolation: rows[at + 6],
    tied: rows[at + 7] === 1,
  };
}

/** Slopes that differ by less than this share of the larger, or by so little in units a second, pass for one. */
const ALIKE = 1e-3;

/** Whether a curve of a clip that loops from `start` to `end` seconds jerks where it begins again. Where one of its end keys is broken, that is wanted. */
export function jerks({ keys }: Curve, start: number, end: number): boolean {
  const [first, last, before] = [keys[0], keys[keys.length - 1], keys[keys.length - 2]];
  if (!before || !first.tied || !last.tied || first.interpolation !== BEZIER || before.interpolation !== BEZIER) return false;
  if (Math.abs(first.time - start) > 1e-4 || Math.abs(last.time - end) > 1e-4) return false;
  if (first.outX <= 0 || last.inX <= 0) return false;
  const [leaves, comes] = [first.outY / first.outX, last.inY / last.inX];
  return Math.abs(leaves - comes) > ALIKE * Math.max(1, Math.abs(leaves), Math.abs(comes));
}
