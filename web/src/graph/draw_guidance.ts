import { speedColour } from "../canvas/speed_colours";
import type { GuidanceHeat, KernelInfo } from "../protocol/messages";
import { bellAt, bellGrip, bellY } from "./bells";
import type { Palette } from "./palette";
import { RULER, type View } from "./view";

const LEGEND = { width: 64, height: 6 };

/** Cost over time behind the curves: dark is little, bright is much. */
export function drawHeat(context: CanvasRenderingContext2D, view: View, strip: HeatStrip): void {
  const { times, values } = strip;
  const most = brightest(strip);
  const half = times.length > 1 ? (times[1] - times[0]) / 2 : 0;
  const edges = times.map((time) => Math.round(view.time.x(time - half)));
  edges.push(Math.round(view.time.x(times[times.length - 1] + half)));
  context.globalAlpha = 0.3;
  values.forEach((value, i) => {
    context.fillStyle = colourOf(value / most);
    context.fillRect(edges[i], RULER, edges[i + 1] - edges[i], view.height);
  });
  context.globalAlpha = 1;
}

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
export function drawHeatLegend(context: CanvasRenderingContext2D, view: View, colours: Palette, { isWhole, term }: HeatStrip): void {
  const text = `${term ?? "cost"} of ${isWhole ? "the body" : "these"}: little`;
  context.font = colours.font;
  context.textAlign = "right";
  context.textBaseline = "middle";
  const right = view.width - 8;
  const y = view.height - 11;
  const width = context.measureText(text).width + context.measureText("much").width + LEGEND.width + 26;
  context.globalAlpha = 0.85;
  context.fillStyle = colours.panel;
  context.fillRect(right - width, y - 8, width + 4, 16);
  context.globalAlpha = 1;
  context.fillStyle = colours.quiet;
  context.fillText("much", right, y);
  const end = right - context.measureText("much").width - 6;
  for (let i = 0; i < LEGEND.width; i++) {
    context.fillStyle = colourOf(i / (LEGEND.width - 1));
    context.fillRect(end - LEGEND.width + i, y - LEGEND.height / 2, 1, LEGEND.height);
  }
  context.fillStyle = colours.quiet;
  context.fillText(text, end - LEGEND.width - 6, y);
}

const parts = [0, 0, 0];

function colourOf(share: number): string {
  speedColour(share, parts, 0);
  return `rgb(${parts.map((part) => Math.round(255 * part)).join(" ")})`;
}

/** Costs that are no effort of the body: how far the motion strays from what it was. */
const REGULARISERS = new Set(["path", "tangents"]);

export interface HeatStrip {
  times: readonly number[];
  /** Cost at each time. */
  values: readonly number[];
  /** The term that it is of; null is all of them. */
  term: string | null;
  /** Whose cost it is: of the joints and channels shown, or of the whole body where these cost nothing. */
  isWhole: boolean;
}

/** Cost over time of some joints and channels, by name: of one term, or of all together. */
export function heatOf(heat: GuidanceHeat, names: ReadonlySet<string>, only: string | null = null): HeatStrip {
  const effort = heat.rows.filter(({ term }) => !REGULARISERS.has(term));
  const chosen = effort.filter(({ term }) => term === only);
  // A term that does not count any more has no cost to be shown.
  const [costs, term] = chosen.length > 0 ? [chosen, only] : [effort, null];
  const own = costs.filter(({ label }) => names.has(label));
  const rows = own.length > 0 ? own : costs;
  const values = heat.times.map((_, i) => rows.reduce((sum, row) => sum + row.values[i], 0));
  return { times: heat.times, values, term, isWhole: own.length === 0 };
}

/** What the brightest colour stands for: single moments, as beside a key, must not make all others dark. */
export function brightest({ values }: HeatStrip): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.max(1e-12, sorted[Math.floor(0.97 * (sorted.length - 1))] ?? 0);
}
