import { BELL_DEFAULTS, bellHeight } from "../model/bell";
import type { AimInfo } from "../protocol/messages";
import type { Palette } from "./palette";
import type { TimeAxis } from "./time_axis";

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
  const { time, bell = {} } = aim.target;
  const { before, after } = { ...BELL_DEFAULTS, ...bell };
  const [from, to] = [axis.x(time - before), axis.x(time + after)];
  const bottom = top + height;
  context.beginPath();
  context.moveTo(left + from, bottom);
  const step = Math.max(1, (to - from) / 60);
  for (let x = from; x <= to; x += step) context.lineTo(left + x, bottom - height * bellHeight(bell, axis.time(x) - time));
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
