import { drawBell } from "../canvas/bell";
import type { Palette } from "../canvas/palette";
import { isHit } from "../model/target_words";
import type { AimInfo } from "../protocol/messages";
import { TRACK } from "./arrangement";
import { diamond } from "./shapes";
import { partTime, type TargetPart } from "./target_drags";
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

function drawEnd(context: CanvasRenderingContext2D, aim: AimInfo, part: TargetPart, y: number, left: number, view: View, colour: string): void {
  const x = left + view.axis.x(partTime(aim, part));
  context.fillStyle = colour;
  context.fillRect(x - 1.5, y + 3, 3, TRACK - 6);
}
