import { drawBell } from "../canvas/bell";
import { drawCostStrip } from "../canvas/cost_strip";
import { type FrameGrid, momentText } from "../canvas/frames";
import { flagAt, rulerMarks } from "../canvas/ruler";
import type { CostStrip } from "../model/cost_map";
import type { Curve } from "../model/curves";
import type { AimInfo, KernelInfo } from "../protocol/messages";
import { drawGrid, drawLabels, drawLimits } from "./draw_backdrop";
import { drawCurves, drawFrozen, drawGhosts, drawHandles, drawKeys } from "./draw_curves";
import { drawBells, drawCostLegend } from "./draw_guidance";
import { drawBand, drawEmptiness, drawFlag, drawFrame, drawNote, drawPlayhead, drawReading } from "./draw_overlay";
import type { FrozenKeys } from "./frozen";
import { type Box, frameOf } from "./hits";
import type { Palette } from "./palette";
import type { Drawn, Row } from "./rows";
import { RULER, type View } from "./view";

/** All that can be seen on the sheet. */
interface Picture {
  drawn: readonly Drawn[];
  /** Curves as they were before the gesture under way. */
  ghosts: readonly { row: Row; curve: Curve }[];
  /** The row whose limits and value are told. */
  active: Row | null;
  hovered: Row | null;
  span: FrameGrid;
  inSeconds: boolean;
  /** Where the playhead is. */
  time: number;
  band: Box | null;
  /** Cost over time of what is shown, and when costs count less. */
  costs: CostStrip | null;
  kernels: readonly KernelInfo[];
  /** The target whose bell stands behind the curves. */
  target: AimInfo | null;
  /** Keys by row whose tangents guidance leaves alone. */
  frozen: FrozenKeys;
  note: { text: string; x: number; y: number } | null;
  /** Why there are no curves. */
  emptiness: string;
}

/** Draw the sheet from back to front. */
export function drawPicture(context: CanvasRenderingContext2D, view: View, colours: Palette, picture: Picture): void {
  const { drawn, span, inSeconds, time, band, note, emptiness } = picture;
  const marks = rulerMarks(view.time, view.width, span, inSeconds);
  const units = new Set(drawn.map(({ row }) => row.unit));
  const active = drawn.find(({ row }) => row === picture.active);
  const strong = new Set(drawn.filter(({ row, selected }) => selected.size > 0 || row === picture.hovered).map(({ row }) => row));
  drawGrid(context, view, colours, units, marks, span);
  if (picture.costs) drawCostStrip(context, view.time, picture.costs, 0, RULER, view.height - RULER);
  if (picture.target) drawBell(context, picture.target, view.time, 0, RULER + 0.3 * (view.height - RULER), 0.7 * (view.height - RULER), colours, false);
  if (picture.kernels.length > 0) drawBells(context, view, colours, picture.kernels);
  if (active) drawLimits(context, view, colours, active.row);
  drawGhosts(context, view, colours, picture.ghosts);
  drawCurves(context, view, colours, drawn, strong);
  drawPlayhead(context, view, colours, time);
  drawHandles(context, view, colours, drawn, picture.frozen);
  drawKeys(context, view, colours, drawn);
  drawFrozen(context, view, colours, drawn, picture.frozen);
  const framed = band ? null : frameOf(view, drawn);
  if (framed) drawFrame(context, colours, framed.extent, framed.box);
  context.font = colours.font;
  const moment = momentText(time, span, inSeconds);
  // Not kept within the sheet: a playhead that is elsewhere has its flag there, too.
  const flag = flagAt(view.time.x(time), moment, context.measureText(moment).width, -Infinity, Infinity);
  drawLabels(context, view, colours, units, marks, flag);
  if (picture.costs) drawCostLegend(context, view, colours, picture.costs);
  drawFlag(context, colours, flag);
  if (active) drawReading(context, view, colours, time, active);
  if (emptiness) drawEmptiness(context, view, colours, emptiness);
  if (band) drawBand(context, colours, band);
  if (note) drawNote(context, view, colours, note.text, note.x, note.y);
}
