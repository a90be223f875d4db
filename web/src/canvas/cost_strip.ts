import type { CostStrip } from "../model/cost_map";
import { speedColour } from "./scale_colours";
import type { TimeAxis } from "./time_axis";

/** Cost over time as colours between two heights: dark is little, bright is as much as the scale goes, or more. */
export function drawCostStrip(context: CanvasRenderingContext2D, axis: TimeAxis, strip: CostStrip, left: number, top: number, height: number): void {
  const { times, values, most } = strip;
  const half = times.length > 1 ? (times[1] - times[0]) / 2 : 0;
  const edges = [...times.map((time) => time - half), times[times.length - 1] + half].map((time) => left + Math.round(axis.x(time)));
  const alpha = context.globalAlpha;
  context.globalAlpha = 0.3 * alpha;
  values.forEach((value, i) => {
    context.fillStyle = costColour(value / most);
    context.fillRect(edges[i], top, edges[i + 1] - edges[i], height);
  });
  context.globalAlpha = alpha;
}

const parts = [0, 0, 0];

export function costColour(share: number): string {
  speedColour(share, parts, 0);
  return `rgb(${parts.map((part) => Math.round(255 * part)).join(" ")})`;
}

/** "20 N·m": what the brightest colour stands for. */
export function costText({ most, unit }: CostStrip): string {
  return `${most >= 1 ? most : most.toPrecision(1)} ${unit}`.trim();
}
