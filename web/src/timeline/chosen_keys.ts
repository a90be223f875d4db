import type { Curve } from "../model/curves";
import { curveId, layerName, type Names, refId, refOf } from "../model/key_refs";
import type { KeyRef } from "../protocol/messages";
import { type KeyTimes, keysWithin, nearest } from "./key_times";

/** The selected keys by curve. Refs to keys that are no longer there are left out. */
export class ChosenKeys {
  readonly byCurve = new Map<Curve, number[]>();
  /** The times of the first and last selected key; the same when all are at one time. */
  readonly from: number = Infinity;
  readonly to: number = -Infinity;

  constructor(refs: readonly KeyRef[], curves: Iterable<Curve>, names: Names) {
    if (refs.length === 0) return;
    const numbers = new Map<string, number[]>();
    for (const ref of refs) {
      const id = curveId(ref.channel, ref.layer ?? null);
      const known = numbers.get(id);
      if (known) known.push(ref.key);
      else numbers.set(id, [ref.key]);
    }
    for (const curve of curves) {
      const id = curveId(names.channels[curve.channel].name, layerName(curve, names));
      const there = numbers.get(id)?.filter((key) => key < curve.keys.length);
      if (!there?.length) continue;
      this.byCurve.set(curve, there);
      for (const key of there) {
        this.from = Math.min(this.from, curve.keys[key].time);
        this.to = Math.max(this.to, curve.keys[key].time);
      }
    }
  }

  get isEmpty(): boolean {
    return this.byCurve.size === 0;
  }

  /** How many keys of a row are selected at each of its times; null when none is. */
  counts(curves: readonly Curve[], { times }: KeyTimes): Uint32Array | null {
    let counts: Uint32Array | null = null;
    for (const curve of curves) {
      for (const key of this.byCurve.get(curve) ?? []) {
        counts ??= new Uint32Array(times.length);
        counts[nearest(times, curve.keys[key].time)]++;
      }
    }
    return counts;
  }

  refs(names: Names): KeyRef[] {
    return [...this.byCurve].flatMap(([curve, keys]) => keys.map((key) => refOf(curve, key, names)));
  }
}

/** All keys of some curves from one time to another, both included. */
export function refsWithin(curves: Iterable<Curve>, from: number, to: number, names: Names): KeyRef[] {
  const found: KeyRef[] = [];
  for (const curve of curves) {
    const [first, after] = keysWithin(curve, from, to);
    for (let key = first; key < after; key++) found.push(refOf(curve, key, names));
  }
  return found;
}

/** Both, each key once. */
export function together(a: readonly KeyRef[], b: readonly KeyRef[]): KeyRef[] {
  const known = new Set(a.map(refId));
  return [...a, ...b.filter((ref) => !known.has(refId(ref)))];
}

/** With Shift: all of them join the selection, or leave it when all were in it. */
export function toggled(selected: readonly KeyRef[], refs: readonly KeyRef[]): KeyRef[] {
  if (!includesAll(selected, refs)) return together(selected, refs);
  const leaving = new Set(refs.map(refId));
  return selected.filter((ref) => !leaving.has(refId(ref)));
}

export function includesAll(selected: readonly KeyRef[], refs: readonly KeyRef[]): boolean {
  const known = new Set(selected.map(refId));
  return refs.every((ref) => known.has(refId(ref)));
}
