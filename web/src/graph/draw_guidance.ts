import { costColour, costText } from "../canvas/cost_strip";
import type { CostStrip } from "../model/cost_map";
import type { KernelInfo } from "../protocol/messages";
import { bellAt, bellGrip, bellY } from "./bells";
import type { Palette } from "./palette";
import type { View } from "./view";

const LEGEND = { width: 64, height: 6 };

/** Bells from the sheet's lower edge, with a grip on the top and one on the flank. */
export function drawBells(context: CanvasRenderingContext2D, view: View, colours: Palette, kernels: readonly KernelInfo[]): void {
  context.lineWidth = 1.25;
  for (const kernel of kernels) {
    const [left, right] = [-3, 3].map((widths) => view.time.x(kernel.centre + widths * kernel.width));
    context.beginPath();
    context.moveTo(left, view.height);
    const step = Math.max(1, (right - left) / 80);
    for (let x = left; x <= right; x += step) context.lineTo(x, bellY(view, bellAt(kernel, view.time.time(x))));
    context.lineTo(right, view.height);
    context.fillStyle = context.strokeStyle = colours.accent;
    context.globalAlpha = 0.14;
    context.fill();
    context.globalAlpha = 0.9;
    context.stroke();
    for (const part of ["centre", "width"] as const) {
      const { x, y } = bellGrip(view, kernel, part);
      context.beginPath();
      context.arc(x, y, part === "centre" ? 4.5 : 3.5, 0, 2 * Math.PI);
      context.fillStyle = part === "centre" ? colours.accent : colours.panel;
      context.fill();
      context.stroke();
    }
  }
  context.globalAlpha = 1;
}

/** What the colours mean, in the lower right corner. */
export function drawCostLegend(context: CanvasRenderingContext2D, view: View, colours: Palette, strip: CostStrip): void {
  const text = `${strip.term} of ${strip.isWhole ? "the body" : "these"}: 0`;
  const most = costText(strip);
  context.font = colours.font;
  context.textAlign = "right";
  context.textBaseline = "middle";
  const right = view.width - 8;
  const y = view.height - 11;
  const width = context.measureText(text).width + context.measureText(most).width + LEGEND.width + 26;
  context.globalAlpha = 0.85;
  context.fillStyle = colours.panel;
  context.fillRect(right - width, y - 8, width + 4, 16);
  context.globalAlpha = 1;
  context.fillStyle = colours.quiet;
  context.fillText(most, right, y);
  const end = right - context.measureText(most).width - 6;
  for (let i = 0; i < LEGEND.width; i++) {
    context.fillStyle = costColour(i / (LEGEND.width - 1));
    context.fillRect(end - LEGEND.width + i, y - LEGEND.height / 2, 1, LEGEND.height);
  }
  context.fillStyle = colours.quiet;
  context.fillText(text, end - LEGEND.width - 6, y);
}
