import type { Curves } from "../model/curves";
import { curveId, refId } from "../model/key_refs";
import type { KeyRef } from "../protocol/messages";
import { keysNear } from "./curve_values";
import type { Extent, KeysMove } from "./moves";
import { type Drawn, isOn, type Row, refOf } from "./rows";

/** Keys being copied: their times before, and how the gesture moves them. */
export interface Copies {
  from: { row: Row; times: number[] }[];
  move: KeysMove;
}

const NONE: ReadonlySet<number> = new Set();

/** The rows that have curves, with what is selected on each. */
export function drawnRows(rows: readonly Row[], curves: Curves, keys: readonly KeyRef[]): Drawn[] {
  const drawn: Drawn[] = [];
  const chosen = byCurve(keys);
  for (const row of rows) {
    const curve = curves.get(row.channel, row.layer);
    if (curve) drawn.push({ row, curve, selected: chosen.get(curveId(row.info.name, row.layerName)) ?? NONE });
  }
  return drawn;
}

/** The selected keys that can be seen: what a drag on the sheet moves. */
export function selectedRefs(drawn: readonly Drawn[]): KeyRef[] {
  return drawn.flatMap(({ row, selected }) => [...selected].map((key) => refOf(row, key)));
}

/** A selection with keys added; one that has them all already loses them instead. */
export function toggled(keys: readonly KeyRef[], more: readonly KeyRef[]): KeyRef[] {
  const had = new Set(keys.map(refId));
  const left = without(keys, more);
  return more.every((ref) => had.has(refId(ref))) ? left : [...left, ...more];
}

export function without(keys: readonly KeyRef[], less: readonly KeyRef[]): KeyRef[] {
  const named = new Set(less.map(refId));
  return keys.filter((ref) => !named.has(refId(ref)));
}

/** A selection without keys that are there no more, because they were deleted or undone; the same list when all are. */
export function still(keys: readonly KeyRef[], rows: readonly Row[], curves: Curves): readonly KeyRef[] {
  const kept = keys.filter((ref) => {
    const row = rows.find((each) => isOn(each, ref));
    // Keys of rows that are not listed here are others' to judge.
    return row === undefined || ref.key < (curves.get(row.channel, row.layer)?.keys.length ?? 0);
  });
  return kept.length === keys.length ? keys : kept;
}

/** The rectangle around all selected keys; null when there are none. */
export function extentOf(drawn: readonly Drawn[]): Extent | null {
  let [start, end, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  const units = new Set();
  for (const { row, curve, selected } of drawn) {
    for (const number of selected) {
      const key = curve.keys[number];
      if (!key) continue;
      units.add(row.unit);
      [start, end] = [Math.min(start, key.time), Math.max(end, key.time)];
      [low, high] = [Math.min(low, key.value), Math.max(high, key.value)];
    }
  }
  if (units.size === 0) return null;
  return units.size === 1 ? { start, end, low, high } : { start, end, low: null, high: null };
}

export function countSelected(drawn: readonly Drawn[]): number {
  return drawn.reduce((sum, { selected }) => sum + selected.size, 0);
}

/** Where moved keys or copies are by now: the keys nearest to the times that they were brought to. */
export function copiedKeys({ from, move }: Copies, curves: Curves, rate: number): KeyRef[] {
  return from.flatMap(({ row, times }) => {
    const keys = curves.get(row.channel, row.layer)?.keys ?? [];
    const wished = times.map((time) => time + move[0]);
    return keysNear(keys, wished, 0.25 / rate).map((key) => refOf(row, key));
  });
}

function byCurve(keys: readonly KeyRef[]): Map<string, Set<number>> {
  const curves = new Map<string, Set<number>>();
  for (const { channel, layer, key } of keys) {
    const id = curveId(channel, layer ?? null);
    const numbers = curves.get(id);
    if (numbers) numbers.add(key);
    else curves.set(id, new Set([key]));
  }
  return curves;
}
