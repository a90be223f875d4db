import { BEZIER, CONSTANT, type Curve, type Key } from "../model/curves";
import { keyBefore } from "./curve_values";
import type { FrozenKeys } from "./frozen";
import { hasHandle } from "./hits";
import { handleEnd } from "./moves";
import type { Palette } from "./palette";
import type { Drawn, Row } from "./rows";
import type { ValueAxis, View } from "./view";

/** More keys a pixel than this are drawn as the band that they fill. */
const DENSE = 1;
/** From this many curves on they are as thin as the screen allows: wide lines take ten times as long to fill. */
const CROWD = 30;
const KEY = 3.5;
const HANDLE = 3;

/** Curves with thin lines where they are held; those in `strong` stand out. */
export function drawCurves(context: CanvasRenderingContext2D, view: View, colours: Palette, drawn: readonly Drawn[], strong: ReadonlySet<Row>): void {
  const width = drawn.length < CROWD ? 1.4 : 1 / window.devicePixelRatio;
  for (const { row, curve } of drawn) {
    // In a crowd where all are chosen none stands out.
    const stands = strong.has(row) && strong.size < CROWD;
    context.strokeStyle = colours.curve(row);
    context.globalAlpha = strong.has(row) || strong.size === 0 ? 1 : 0.6;
    context.lineWidth = stands ? 2 : width;
    context.setLineDash(row.layer === 0 ? [] : [7, 4]);
    strokeCurve(context, view, view.axis(row.unit), curve);
  }
  context.setLineDash([]);
  context.globalAlpha = 1;
}

/** Curves as they were before the gesture, pale and thin. */
export function drawGhosts(context: CanvasRenderingContext2D, view: View, colours: Palette, ghosts: readonly { row: Row; curve: Curve }[]): void {
  context.strokeStyle = colours.text;
  context.globalAlpha = 0.4;
  context.lineWidth = 1 / window.devicePixelRatio;
  for (const { row, curve } of ghosts) strokeCurve(context, view, view.axis(row.unit), curve);
  context.globalAlpha = 1;
}

/** Handles of selected keys: filled on a tied key, hollow on a broken one, dashed where guidance leaves them alone. */
export function drawHandles(context: CanvasRenderingContext2D, view: View, colours: Palette, drawn: readonly Drawn[], frozen: FrozenKeys): void {
  context.lineWidth = 1.2;
  for (const { row, curve, selected } of drawn) {
    const axis = view.axis(row.unit);
    for (const number of selected) {
      const key = curve.keys[number];
      if (!key) continue;
      for (const side of ["in", "out"] as const) {
        if (!hasHandle(curve.keys, number, side)) continue;
        const end = handleEnd(key, side);
        const [x, y] = [view.time.x(end.time), axis.y(end.value)];
        const stays = frozen.get(row)?.has(number) ?? false;
        context.strokeStyle = context.fillStyle = stays ? colours.frozen : colours.key;
        context.setLineDash(stays ? [2, 2] : []);
        context.beginPath();
        context.moveTo(view.time.x(key.time), axis.y(key.value));
        context.lineTo(x, y);
        context.stroke();
        context.setLineDash([]);
        context.beginPath();
        context.arc(x, y, HANDLE, 0, 2 * Math.PI);
        if (!key.tied) context.fillStyle = colours.panel;
        context.fill();
        context.stroke();
      }
    }
  }
}

/** Keys as squares in their curve's colour, selected ones in the keys' orange; left out where they would touch. */
export function drawKeys(context: CanvasRenderingContext2D, view: View, colours: Palette, drawn: readonly Drawn[]): void {
  const [start, end] = [view.time.time(-KEY), view.time.time(view.width + KEY)];
  const squares = (each: Drawn, selected: boolean, half: number): void => {
    const { keys } = each.curve;
    const axis = view.axis(each.row.unit);
    let before = -Infinity;
    for (let i = Math.max(0, keyBefore(keys, start)); i < keys.length && keys[i].time <= end; i++) {
      const x = view.time.x(keys[i].time);
      if (each.selected.has(i) !== selected || x - before < half) continue;
      before = x;
      const y = axis.y(keys[i].value);
      context.fillRect(x - half, y - half, 2 * half, 2 * half);
    }
  };
  for (const each of drawn) {
    context.fillStyle = colours.curve(each.row);
    squares(each, false, drawn.length < CROWD ? KEY : KEY / 2);
  }
  context.fillStyle = colours.key;
  for (const each of drawn) if (each.selected.size > 0) squares(each, true, KEY);
}

/** A frame around every key whose tangents guidance leaves alone, selected or not. */
export function drawFrozen(context: CanvasRenderingContext2D, view: View, colours: Palette, drawn: readonly Drawn[], frozen: FrozenKeys): void {
  context.strokeStyle = colours.frozen;
  context.lineWidth = 1.4;
  const half = KEY + 3;
  for (const { row, curve } of drawn) {
    for (const number of frozen.get(row) ?? []) {
      const key = curve.keys[number];
      if (!key) continue;
      const [x, y] = [view.time.x(key.time), view.axis(row.unit).y(key.value)];
      context.strokeRect(x - half, y - half, 2 * half, 2 * half);
    }
  }
}

function strokeCurve(context: CanvasRenderingContext2D, view: View, axis: ValueAxis, { keys }: Curve): void {
  const first = Math.max(0, keyBefore(keys, view.time.start));
  const last = Math.min(keys.length - 1, keyBefore(keys, view.time.time(view.width)) + 1);
  context.beginPath();
  if (last - first > DENSE * view.width) traceBand(context, view, axis, keys, first, last);
  else trace(context, view, axis, keys, first, last);
  context.stroke();
  // Held values are a courtesy of the curve, not part of it.
  const alpha = context.globalAlpha;
  context.globalAlpha = alpha * 0.45;
  context.beginPath();
  const [start, end] = [view.time.x(keys[0].time), view.time.x(keys[keys.length - 1].time)];
  if (start > 0) level(context, 0, start, axis.y(keys[0].value));
  if (end < view.width) level(context, end, view.width, axis.y(keys[keys.length - 1].value));
  context.stroke();
  context.globalAlpha = alpha;
}

/** The exact segments: an affine map of a Bezier curve's control points maps the curve. */
function trace(context: CanvasRenderingContext2D, view: View, axis: ValueAxis, keys: readonly Key[], first: number, last: number): void {
  const { time } = view;
  context.moveTo(time.x(keys[first].time), axis.y(keys[first].value));
  for (let i = first; i < last; i++) {
    const [from, to] = [keys[i], keys[i + 1]];
    const [x, y] = [time.x(to.time), axis.y(to.value)];
    if (from.interpolation === BEZIER) {
      const [leaveX, leaveY] = [time.x(from.time + from.outX), axis.y(from.value + from.outY)];
      context.bezierCurveTo(leaveX, leaveY, time.x(to.time - to.inX), axis.y(to.value - to.inY), x, y);
    } else {
      if (from.interpolation === CONSTANT) context.lineTo(x, axis.y(from.value));
      context.lineTo(x, y);
    }
  }
}

/** Many keys a pixel: the lowest and highest of each pixel column say as much as all of them. */
function traceBand(context: CanvasRenderingContext2D, view: View, axis: ValueAxis, keys: readonly Key[], first: number, last: number): void {
  let [column, low, high] = [Math.floor(view.time.x(keys[first].time)), Infinity, -Infinity];
  context.moveTo(column, axis.y(keys[first].value));
  for (let i = first; i <= last; i++) {
    const at = Math.floor(view.time.x(keys[i].time));
    if (at !== column) {
      context.lineTo(column, axis.y(low));
      context.lineTo(column, axis.y(high));
      [column, low, high] = [at, Infinity, -Infinity];
    }
    low = Math.min(low, keys[i].value);
    high = Math.max(high, keys[i].value);
  }
  context.lineTo(column, axis.y(low));
  context.lineTo(column, axis.y(high));
}

function level(context: CanvasRenderingContext2D, from: number, to: number, y: number): void {
  context.moveTo(from, y);
  context.lineTo(to, y);
}
