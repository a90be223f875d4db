import { TimeAxis } from "../canvas/time_axis";
import { UNITS, type Unit } from "./units";
import { ValueAxis } from "./value_axis";

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
