import type { FrameGrid } from "../canvas/frames";
import type { Mark } from "../canvas/ruler";
import { type Flag, givesWay } from "../canvas/ruler";
import type { Palette } from "./palette";
import type { Row } from "./rows";
import { readable, UNITS, type Unit } from "./units";
import type { ValueAxis } from "./view";
import { RULER, type View } from "./view";

/** Everything behind the curves: the ground, lines of time and value, what lies outside the clip. */
export function drawGrid(
  context: CanvasRenderingContext2D,
  view: View,
  colours: Palette,
  units: ReadonlySet<Unit>,
  marks: readonly Mark[],
  span: FrameGrid,
): void {
  context.fillStyle = colours.panel;
  context.fillRect(0, 0, view.width, view.height);
  context.fillStyle = colours.line;
  for (const { time, label } of marks) if (label !== null) context.fillRect(Math.round(view.time.x(time)), RULER, 1, view.height);
  const first = UNITS.find((unit) => units.has(unit));
  if (first) {
    const axis = view.axis(first);
    for (const value of valueLines(axis, view)) {
      context.globalAlpha = value === 0 ? 1 : 0.55;
      context.fillRect(0, Math.round(axis.y(value)), view.width, 1);
    }
    context.globalAlpha = 1;
  }
  context.fillStyle = colours.ground;
  context.globalAlpha = 0.6;
  const [start, end] = [view.time.x(span.start), view.time.x(span.end)];
  if (start > 0) context.fillRect(0, RULER, start, view.height);
  if (end < view.width) context.fillRect(end, RULER, view.width - end, view.height);
  context.globalAlpha = 1;
}

/** The ruler on top, and the numbers of the value axes: the first unit's left, the second's right. */
export function drawLabels(
  context: CanvasRenderingContext2D,
  view: View,
  colours: Palette,
  units: ReadonlySet<Unit>,
  marks: readonly Mark[],
  flag: Flag,
): void {
  context.font = colours.font;
  context.textBaseline = "middle";
  const shown = UNITS.filter((unit) => units.has(unit));
  shown.slice(0, 2).forEach((unit, side) => drawAxis(context, view, colours, view.axis(unit), side === 0 ? "left" : "right"));
  context.fillStyle = colours.ground;
  context.fillRect(0, 0, view.width, RULER);
  context.textAlign = "left";
  for (const { time, label } of marks) {
    const x = Math.round(view.time.x(time));
    context.fillStyle = label === null ? colours.line : colours.faint;
    context.fillRect(x, label === null ? RULER - 3 : RULER - 6, 1, 6);
    if (label === null || givesWay(x + 3, x + 3 + context.measureText(label).width, view.width, flag)) continue;
    context.fillStyle = colours.quiet;
    context.fillText(label, x + 3, RULER / 2 - 1);
  }
}

/** Dashed lines at the limits of a channel, hatched beyond: values that it may not take. A layer only adds to one. */
export function drawLimits(context: CanvasRenderingContext2D, view: View, colours: Palette, row: Row): void {
  if (row.layer > 0) return;
  const axis = view.axis(row.unit);
  const { lower, upper } = row.info;
  context.save();
  context.beginPath();
  context.rect(0, RULER, view.width, view.height - RULER);
  context.clip();
  context.strokeStyle = colours.bad;
  context.lineWidth = 1;
  if (upper !== null) drawLimit(context, view, axis.y(upper), RULER);
  if (lower !== null) drawLimit(context, view, axis.y(lower), view.height);
  context.restore();
}

function drawLimit(context: CanvasRenderingContext2D, view: View, y: number, end: number): void {
  const [from, to] = [Math.max(RULER, Math.min(y, end)), Math.min(view.height, Math.max(y, end))];
  if (y > RULER && y < view.height) {
    context.globalAlpha = 0.8;
    context.setLineDash([5, 4]);
    context.beginPath();
    context.moveTo(0, y);
    context.lineTo(view.width, y);
    context.stroke();
    context.setLineDash([]);
  }
  if (to <= from || (y - end) * (end === RULER ? 1 : -1) < 0) return;
  context.save();
  context.globalAlpha = 0.14;
  context.beginPath();
  context.rect(0, from, view.width, to - from);
  context.clip();
  context.beginPath();
  const height = to - from;
  for (let x = -height; x < view.width; x += 8) {
    context.moveTo(x, to);
    context.lineTo(x + height, from);
  }
  context.stroke();
  context.restore();
}

function drawAxis(context: CanvasRenderingContext2D, view: View, colours: Palette, axis: ValueAxis, side: "left" | "right"): void {
  const step = axis.step(28);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  context.textAlign = side;
  for (const value of valueLines(axis, view)) {
    const y = axis.y(value);
    if (y < RULER + 7 || y > view.height - 6) continue;
    const text = readable(value, axis.unit, digits);
    // A plate under the number: the stub of a line before it would read as a minus.
    const width = context.measureText(text).width + 7;
    context.globalAlpha = 0.85;
    context.fillStyle = colours.panel;
    context.fillRect(side === "left" ? 0 : view.width - width, y - 7, width, 14);
    context.globalAlpha = 1;
    context.fillStyle = colours.quiet;
    context.fillText(text, side === "left" ? 3 : view.width - 3, y);
  }
}

function* valueLines(axis: ValueAxis, view: View): Iterable<number> {
  const step = axis.step(28);
  const [low, high] = [axis.value(view.height), axis.value(RULER)].map((value) => value * axis.unit.factor);
  for (let i = Math.ceil(low / step); i * step <= high; i++) yield (i * step) / axis.unit.factor;
}
