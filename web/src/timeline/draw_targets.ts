import type { Palette } from "../canvas/palette";
import type { TimeAxis } from "../canvas/time_axis";
import { bellHeight } from "../model/bell";
import { isHit } from "../model/target_words";
import type { AimInfo } from "../protocol/messages";
import { TRACK } from "./arrangement";
import { diamond } from "./shapes";
import { partTime, type TargetPart } from "./target_bells";
import type { View } from "./view";

/** Targets on their track: a bell from end to end, a grip on either, and a diamond at the time itself. */
export function drawTargets(context: CanvasRenderingContext2D, aims: readonly AimInfo[], y: number, left: number, view: View, palette: Palette): void {
  const { loosening } = view.model;
  const hit = view.hover?.hit;
  for (const aim of aims) {
    const lit = hit?.kind === "target" && hit.aim.name === aim.name ? hit.part : null;
    const isChosen = loosening.chosen.value === aim.name;
    context.globalAlpha = aim.on ? 1 : 0.45;
    drawBell(context, aim, view.axis, left, y + 2, TRACK - 4, palette, isChosen);
    if (isChosen || lit)
      for (const part of ["before", "after"] as const) drawEnd(context, aim, part, y, left, view, lit === part ? palette.text : palette.target);
    const x = left + view.axis.x(aim.target.time);
    context.beginPath();
    diamond(context, x, y + TRACK / 2, isChosen ? 6 : 5);
    context.fillStyle = isHit(loosening.stateOf(aim.name)) || isChosen ? palette.target : palette.panel;
    context.fill();
    context.lineWidth = 1.5;
    context.strokeStyle = lit === "time" || isChosen ? palette.text : palette.target;
    context.stroke();
    context.globalAlpha = 1;
  }
}

/** A bell that stands on the lower edge of a strip. */
export function drawBell(
  context: CanvasRenderingContext2D,
  aim: AimInfo,
  axis: TimeAxis,
  left: number,
  top: number,
  height: number,
  palette: Palette,
  strong: boolean,
): void {
  const [from, to] = [axis.x(partTime(aim, "before")), axis.x(partTime(aim, "after"))];
  const bottom = top + height;
  context.beginPath();
  context.moveTo(left + from, bottom);
  const step = Math.max(1, (to - from) / 60);
  for (let x = from; x <= to; x += step) context.lineTo(left + x, bottom - height * bellHeight(aim.target.bell ?? {}, axis.time(x) - aim.target.time));
  context.lineTo(left + to, bottom);
  const alpha = context.globalAlpha;
  context.fillStyle = context.strokeStyle = palette.target;
  context.globalAlpha = alpha * (strong ? 0.3 : 0.16);
  context.fill();
  context.globalAlpha = alpha * 0.7;
  context.lineWidth = 1;
  context.stroke();
  context.globalAlpha = alpha;
}

function drawEnd(context: CanvasRenderingContext2D, aim: AimInfo, part: TargetPart, y: number, left: number, view: View, colour: string): void {
  const x = left + view.axis.x(partTime(aim, part));
  context.fillStyle = colour;
  context.fillRect(x - 1.5, y + 3, 3, TRACK - 6);
}
