import type { Flag } from "../canvas/ruler";
import { valueAt } from "./curve_values";
import { type Box, GRIP, gripAt } from "./hits";
import { type Extent, edgesOf } from "./moves";
import type { Palette } from "./palette";
import type { Drawn } from "./rows";
import { readable } from "./units";
import { RULER, type View } from "./view";

/** The rectangle around several selected keys, with a grip on every edge that scales them. */
export function drawFrame(context: CanvasRenderingContext2D, colours: Palette, extent: Extent, box: Box): void {
  context.strokeStyle = context.fillStyle = colours.key;
  context.globalAlpha = 0.5;
  context.lineWidth = 1;
  context.setLineDash([2, 3]);
  context.strokeRect(Math.round(box.left) + 0.5, Math.round(box.top) + 0.5, box.right - box.left, box.bottom - box.top);
  context.setLineDash([]);
  context.globalAlpha = 1;
  for (const edge of edgesOf(extent)) {
    const { x, y } = gripAt(box, edge);
    if (edge === "left" || edge === "right") context.fillRect(x - 1.5, y - GRIP, 3, 2 * GRIP);
    else context.fillRect(x - GRIP, y - 1.5, 2 * GRIP, 3);
  }
}

export function drawBand(context: CanvasRenderingContext2D, colours: Palette, { left, right, top, bottom }: Box): void {
  context.fillStyle = context.strokeStyle = colours.accent;
  context.globalAlpha = 0.14;
  context.fillRect(left, top, right - left, bottom - top);
  context.globalAlpha = 1;
  context.lineWidth = 1;
  context.strokeRect(Math.round(left) + 0.5, Math.round(top) + 0.5, right - left, bottom - top);
}

/** Where we are in the clip; behind keys, so that one on this frame can still be seen. */
export function drawPlayhead(context: CanvasRenderingContext2D, view: View, colours: Palette, time: number): void {
  context.fillStyle = colours.accent;
  context.fillRect(Math.round(view.time.x(time)), RULER - 3, 1, view.height);
}

/** The playhead's flag in the ruler. */
export function drawFlag(context: CanvasRenderingContext2D, colours: Palette, { text, from, to }: Flag): void {
  context.font = colours.font;
  context.textBaseline = "middle";
  context.textAlign = "center";
  context.fillStyle = colours.accent;
  context.beginPath();
  context.roundRect(from, 1, to - from, RULER - 3, 3);
  context.fill();
  context.fillStyle = colours.ground;
  context.fillText(text, (from + to) / 2, RULER / 2);
}

/** The active curve's value where we are: a dot on the curve, the number in the corner. */
export function drawReading(context: CanvasRenderingContext2D, view: View, colours: Palette, time: number, { row, curve }: Drawn): void {
  const value = valueAt(curve, time);
  context.fillStyle = colours.accent;
  context.beginPath();
  context.arc(view.time.x(time), view.axis(row.unit).y(value), 3, 0, 2 * Math.PI);
  context.fill();
  drawNote(context, view, colours, `${row.label}  ${readable(value, row.unit)}`, view.width, RULER);
}

/** A line of text on a plate beside a pixel, kept on the sheet. */
export function drawNote(context: CanvasRenderingContext2D, view: View, colours: Palette, text: string, x: number, y: number): void {
  context.font = colours.font;
  context.textBaseline = "middle";
  context.textAlign = "left";
  const width = context.measureText(text).width + 12;
  const left = Math.max(2, Math.min(view.width - width - 2, x + 12));
  const top = Math.max(RULER + 2, Math.min(view.height - 20, y - 30));
  context.fillStyle = colours.raised;
  context.strokeStyle = colours.line;
  context.lineWidth = 1;
  context.beginPath();
  context.roundRect(left, top, width, 18, 4);
  context.fill();
  context.stroke();
  context.fillStyle = colours.text;
  context.fillText(text, left + 6, top + 9.5);
}

/** Why there is nothing to see. */
export function drawEmptiness(context: CanvasRenderingContext2D, view: View, colours: Palette, text: string): void {
  context.font = colours.font;
  context.fillStyle = colours.quiet;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, view.width / 2, (RULER + view.height) / 2);
}
