import { TimeAxis } from "../canvas/time_axis";
import { valueRange } from "./curve_values";
import type { Drawn } from "./rows";
import { UNITS, type Unit } from "./units";

export const RULER = 18;
/** Room for the labels of the value axes, left and right. */
const SIDES = 60;
const ABOVE_AND_BELOW = 16;

/** Values from lowest to highest that a fit should show, by unit. */
type Ranges = ReadonlyMap<Unit, readonly [number, number]>;

/** How the sheet looks at curves: one time axis, and a value axis for each unit, zoomed and panned together. */
export class View {
  readonly time = new TimeAxis();
  private readonly axes = new Map(UNITS.map((unit) => [unit, new ValueAxis(unit)]));
  width = 0;
  height = 0;

  axis(unit: Unit): ValueAxis {
    return this.axes.get(unit) as ValueAxis;
  }

  fit(start: number, end: number, ranges: Ranges): void {
    this.time.fit(start, end, this.width, Math.min(SIDES, this.width / 6));
    const room = Math.min(ABOVE_AND_BELOW, (this.height - RULER) / 6);
    for (const [unit, [lowest, highest]] of ranges) {
      this.axis(unit).fit(lowest, highest, RULER + room, this.height - room);
    }
  }

  /** Zoom time, values or both about a pixel. */
  zoom(factor: number, x: number, y: number, what: "time" | "values" | "both"): void {
    if (what !== "values") this.time.zoom(factor, x);
    if (what !== "time") for (const axis of this.axes.values()) axis.zoom(factor, y);
  }

  pan(right: number, down: number): void {
    this.time.pan(right);
    for (const axis of this.axes.values()) axis.pan(down);
  }

  /** Whether a pixel is on the part of the sheet where curves are. */
  holds(x: number, y: number): boolean {
    return x >= 0 && x <= this.width && y >= RULER && y <= this.height;
  }
}

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

/** Maps the values of one unit to pixels, upwards; one for each unit that is shown. */
export class ValueAxis {
  /** The value at the top pixel row, and pixels for one of the document's unit. */
  top = 1;
  scale = 100;

  constructor(readonly unit: Unit) {}

  y(value: number): number {
    return (this.top - value) * this.scale;
  }

  value(y: number): number {
    return this.top - y / this.scale;
  }

  /** Show from the lowest to the highest value between two pixel rows; a level line comes to the middle. */
  fit(lowest: number, highest: number, upper: number, lower: number): void {
    const missing = Math.max(0, this.unit.leastSpan - (highest - lowest)) / 2;
    const span = highest - lowest + 2 * missing;
    this.scale = Math.max(1, lower - upper) / span;
    this.top = highest + missing + upper / this.scale;
  }

  /** Zoom about a pixel: the value under it stays there. */
  zoom(factor: number, y: number): void {
    const value = this.value(y);
    this.scale = Math.min(1e8, Math.max(1e-4, this.scale * factor));
    this.top = value + y / this.scale;
  }

  pan(pixels: number): void {
    this.top += pixels / this.scale;
  }

  /** The distance between labelled lines, in the unit people read, so that they are at least `pixels` apart. */
  step(pixels: number): number {
    const perPixel = this.unit.factor / this.scale;
    const least = pixels * perPixel;
    return this.unit.steps.find((step) => step >= least) ?? 10 ** Math.ceil(Math.log10(least));
  }
}
