import { momentText } from "../canvas/frames";
import type { Palette } from "../canvas/palette";
import { type Flag, flagAt, givesWay, rulerMarks } from "../canvas/ruler";
import { type Arrangement, RANGE_STRIP, RULER } from "./arrangement";
import type { View } from "./view";

/** Light lines through everything, under keys and bars; what lies outside the clip is darker. */
export function drawGrid(context: CanvasRenderingContext2D, place: Arrangement, view: View, palette: Palette): void {
  const { left, width, height } = place;
  const { axis, clip } = view;
  context.fillStyle = palette.line;
  context.globalAlpha = 0.45;
  for (const { time, label } of rulerMarks(axis, width - left, clip, view.inSeconds)) {
    if (label !== null) context.fillRect(Math.round(left + axis.x(time)), RULER, 1, height - RULER);
  }
  context.globalAlpha = 0.5;
  context.fillStyle = palette.ground;
  const [from, to] = shownRange(view);
  const [start, end] = [left + axis.x(from), left + axis.x(to)];
  if (start > left) context.fillRect(left, 0, start - left, height);
  if (end < width) context.fillRect(Math.max(left, end), 0, width - Math.max(left, end), height);
  context.globalAlpha = 1;
}

/** The ruler: the strip of the clip's range with its two ends, then lines and numbers. */
export function drawRuler(context: CanvasRenderingContext2D, place: Arrangement, view: View, palette: Palette): void {
  const { left, width } = place;
  const { axis, clip } = view;
  const [from, to] = shownRange(view);
  const [start, end] = [left + axis.x(from), left + axis.x(to)];
  context.fillStyle = palette.raised;
  context.fillRect(start, 0, end - start, RANGE_STRIP - 2);
  const played = view.model.playback.range.value?.map((frame) => left + axis.x(view.model.timeOf(frame)));
  if (played) {
    context.fillStyle = palette.accent;
    context.globalAlpha = 0.6;
    context.fillRect(played[0], 0, Math.max(2, played[1] - played[0]), RANGE_STRIP - 2);
    context.globalAlpha = 1;
  }
  const held = view.hover?.hit.kind === "clip-end" ? view.hover.hit.side : null;
  for (const [side, x] of [
    ["start", start],
    ["end", end],
  ] as const) {
    context.fillStyle = side === held || view.draft?.kind === "clip" ? palette.text : palette.quiet;
    context.beginPath();
    const inward = side === "start" ? 6 : -6;
    context.moveTo(x, 0);
    context.lineTo(x + inward, 0);
    context.lineTo(x, RANGE_STRIP - 1);
    context.fill();
  }
  context.textBaseline = "middle";
  context.textAlign = "left";
  const flag = flagOf(context, place, view);
  for (const { time, label } of rulerMarks(axis, width - left, clip, view.inSeconds)) {
    const x = Math.round(left + axis.x(time));
    context.fillStyle = label === null ? palette.line : palette.faint;
    context.fillRect(x, label === null ? RULER - 4 : RULER - 8, 1, label === null ? 4 : 8);
    if (label === null) continue;
    if (givesWay(x + 3, x + 3 + context.measureText(label).width, width, flag)) continue;
    context.fillStyle = palette.quiet;
    context.fillText(label, x + 3, RANGE_STRIP + (RULER - RANGE_STRIP) / 2 - 1);
  }
  context.fillStyle = palette.line;
  context.fillRect(0, RULER - 1, width, 1);
}

/** A line through everything, with the frame in a flag on the ruler. */
export function drawPlayhead(context: CanvasRenderingContext2D, place: Arrangement, view: View, palette: Palette): void {
  const flag = flagOf(context, place, view);
  if (!flag) return;
  const { x, text, from, to } = flag;
  context.fillStyle = palette.accent;
  context.fillRect(x, RANGE_STRIP, 1, place.height - RANGE_STRIP);
  context.beginPath();
  context.roundRect(from, RANGE_STRIP, to - from, RULER - RANGE_STRIP - 2, 3);
  context.fill();
  context.fillStyle = palette.ground;
  context.textAlign = "center";
  context.fillText(text, (from + to) / 2, RANGE_STRIP + (RULER - RANGE_STRIP) / 2 - 1);
  context.textAlign = "left";
}

/** The playhead and the flag on it, in pixels; null when it is not on the sheet. */
function flagOf(context: CanvasRenderingContext2D, place: Arrangement, view: View): (Flag & { x: number }) | null {
  const time = view.model.timeOf(view.model.playback.frame.value);
  const x = Math.round(place.left + view.axis.x(time));
  if (x < place.left || x > place.width) return null;
  const text = momentText(time, view.clip, view.inSeconds);
  return { x, ...flagAt(x, text, context.measureText(text).width, place.left, place.width) };
}

function shownRange({ draft, clip }: View): [number, number] {
  return draft?.kind === "clip" ? [draft.from, draft.to] : [clip.start, clip.end];
}
