import { valueRange } from "./curve_values";
import type { Drawn } from "./rows";
import type { Unit } from "./units";
import type { View } from "./view";

/** Seconds from `start` to `end`. */
interface Stretch {
  start: number;
  end: number;
}

/** Show all curves over a stretch of time. */
export function fitCurves(view: View, drawn: readonly Drawn[], { start, end }: Stretch): void {
  const ranges = new Map<Unit, [number, number]>();
  for (const { row, curve } of drawn) widen(ranges, row.unit, valueRange(curve, start, end));
  view.fit(start, end, ranges);
}

/** Show the selected keys, with at least some seconds around them. */
export function fitKeys(view: View, drawn: readonly Drawn[], least: number): void {
  let [start, end] = [Infinity, -Infinity];
  const ranges = new Map<Unit, [number, number]>();
  for (const { row, curve, selected } of drawn) {
    for (const key of curve.keys.filter((_, number) => selected.has(number))) {
      [start, end] = [Math.min(start, key.time), Math.max(end, key.time)];
      widen(ranges, row.unit, [key.value, key.value]);
    }
  }
  const missing = Math.max(0, least - (end - start)) / 2;
  view.fit(start - missing, end + missing, ranges);
}

function widen(ranges: Map<Unit, [number, number]>, unit: Unit, [low, high]: readonly [number, number]): void {
  const known = ranges.get(unit) ?? [low, high];
  ranges.set(unit, [Math.min(known[0], low), Math.max(known[1], high)]);
}
