import { spanText } from "../canvas/frames";
import type { Palette } from "../canvas/palette";
import { type Arrangement, type Placed, TRACK } from "./arrangement";
import { drawTargets } from "./draw_targets";
import { type Bar, barLabel, type Lane, targetTrack } from "./lanes";
import { clip, dot, fitText, ring, scrollBar } from "./shapes";
import type { View } from "./view";

/** Pins, contacts and locks, a lane a point. */
export function drawLanes(context: CanvasRenderingContext2D, place: Arrangement, view: View, palette: Palette): void {
  clip(context, 0, place.lanesTop, place.width, place.lanesBottom - place.lanesTop, () => {
    for (const lane of place.lanes) drawLane(context, lane, place, view, palette);
  });
  if (place.lanes.length > 0) {
    context.fillStyle = palette.line;
    context.fillRect(0, place.lanesTop, place.width, 1);
  }
  scrollBar(context, place.width, place.lanesTop, place.lanesBottom, view.scroll.lanes, place.lanesSlack, palette);
}

function drawLane(context: CanvasRenderingContext2D, { item: lane, y, height }: Placed<Lane>, place: Arrangement, view: View, palette: Palette): void {
  const { left, width } = place;
  if (lane.active) {
    context.fillStyle = palette.contact;
    context.globalAlpha = 0.07;
    context.fillRect(left, y, width - left, height);
    context.globalAlpha = 1;
  }
  context.fillStyle = palette.line;
  context.fillRect(0, y + height - 1, width, 1);
  context.fillStyle = lane.active ? palette.text : palette.quiet;
  fitText(context, lane.name, 18, y + TRACK / 2, left - 24);
  const isAimed = lane.bars.length === 0 && lane.aims.length > 0;
  dot(
    context,
    9,
    y + TRACK / 2,
    3,
    isAimed ? palette.target : palette.constraint((lane.bars.find((bar) => !bar.constraint.stands) ?? lane.bars[0])?.constraint.colour ?? "contact"),
  );
  clip(context, left, y, width - left, height, () => {
    if (lane.active) drawHint(context, lane, y, place, view, palette);
    for (const bar of lane.bars) drawBar(context, bar, y + bar.track * TRACK, left, view, palette);
    drawTargets(context, lane.aims, y + targetTrack(lane) * TRACK, left, view, palette);
    const { draft } = view;
    if (draft?.lane && draft.lane.place === lane.place) drawDraft(context, lane, y, left, view, palette);
  });
}

/** The tracks that bars are on: all but that of targets. */
function freeTracks(lane: Lane): number {
  return lane.aims.length > 0 ? lane.tracks - 1 : lane.tracks;
}

/** What an empty track is for, said in the longest free stretch that can be seen. */
function drawHint(context: CanvasRenderingContext2D, lane: Lane, y: number, place: Arrangement, view: View, palette: Palette): void {
  if (view.draft) return;
  const room = place.width - place.left;
  for (let track = freeTracks(lane) - 1; track >= 0; track--) {
    const bars = lane.bars.filter((bar) => bar.track === track).sort((a, b) => a.from - b.from);
    let [best, at, cursor] = [0, 0, 6];
    for (const bar of [...bars, null]) {
      const end = bar ? view.axis.x(bar.from) : room;
      if (Math.min(end, room) - cursor > best) [best, at] = [Math.min(end, room) - cursor, cursor];
      if (bar) cursor = Math.max(cursor, view.axis.x(bar.to) + 10);
    }
    for (const text of ["drag here: contact · with Shift: pin", "drag: contact"]) {
      if (context.measureText(text).width > best - 12) continue;
      context.fillStyle = palette.quiet;
      fitText(context, text, place.left + at + 6, y + (track + 0.5) * TRACK, best);
      return;
    }
  }
}

function drawBar(context: CanvasRenderingContext2D, bar: Bar, y: number, left: number, view: View, palette: Palette): void {
  const { constraint } = bar;
  const colour = palette.constraint(constraint.colour);
  const [from, to] = [left + view.axis.x(bar.from), left + view.axis.x(bar.to)];
  const hit = view.hover?.hit;
  const lit = hit?.kind === "bar" && hit.bar.constraint.name === constraint.name ? hit.part : null;
  const chosen = view.constraint === constraint.name;
  if (bar.from === bar.to) {
    if (constraint.on) dot(context, from, y + TRACK / 2, 5, colour);
    ring(context, from, y + TRACK / 2, 5, lit || chosen ? palette.text : colour);
    return;
  }
  context.beginPath();
  context.roundRect(from, y + 2, Math.max(3, to - from), TRACK - 5, 3);
  context.fillStyle = colour;
  context.globalAlpha = constraint.on ? (lit ? 0.6 : 0.42) : 0.06;
  context.fill();
  context.globalAlpha = 1;
  context.setLineDash(constraint.on ? [] : [3, 3]);
  context.strokeStyle = lit || chosen ? palette.text : colour;
  context.lineWidth = chosen ? 1.75 : 1;
  context.stroke();
  context.setLineDash([]);
  grip(context, from, y, constraint.start === null, lit === "start", 1, colour, palette);
  grip(context, to, y, constraint.end === null, lit === "end", -1, colour, palette);
  // The name stays in sight when the bar begins before the left edge.
  const x = Math.max(from, left) + 8;
  context.fillStyle = constraint.on ? palette.text : palette.quiet;
  fitText(context, barLabel(constraint) + (constraint.on ? "" : " (off)"), x, y + TRACK / 2, to - x - 6);
}

/** An end that can be dragged; an endless one points on, past the clip. */
function grip(context: CanvasRenderingContext2D, x: number, y: number, endless: boolean, lit: boolean, inward: number, colour: string, palette: Palette): void {
  context.fillStyle = lit ? palette.text : colour;
  const middle = y + TRACK / 2 - 0.5;
  if (!endless) {
    context.fillRect(inward > 0 ? x : x - 3, y + 2, 3, TRACK - 5);
    return;
  }
  context.beginPath();
  context.moveTo(x + 5 * inward, middle - 4);
  context.lineTo(x, middle);
  context.lineTo(x + 5 * inward, middle + 4);
  context.fill();
}

function drawDraft(context: CanvasRenderingContext2D, lane: Lane, y: number, left: number, view: View, palette: Palette): void {
  const { draft } = view;
  if (!draft) return;
  const colour = draft.kind === "pin" ? palette.pin : palette.contact;
  const [from, to] = [left + view.axis.x(draft.from), left + view.axis.x(draft.to)];
  const top = y + Math.max(0, freeTracks(lane) - 1) * TRACK + 2;
  context.fillStyle = colour;
  context.globalAlpha = 0.5;
  context.fillRect(from, top, Math.max(2, to - from), TRACK - 5);
  context.globalAlpha = 1;
  const text = `${draft.kind} · ${spanText(draft.from, draft.to, view.clip, view.inSeconds)}`;
  context.fillStyle = palette.text;
  if (to - from > context.measureText(text).width + 10) fitText(context, text, from + 5, top + (TRACK - 5) / 2, to - from);
  else fitText(context, text, to + 6, top + (TRACK - 5) / 2, 300);
}
