import { drawCostStrip } from "../canvas/cost_strip";
import type { Palette } from "../canvas/palette";
import { type Arrangement, middleOf, type Placed, SCALE_STRIP } from "./arrangement";
import { canScale, TWISTY } from "./hits";
import { HALF, type KeyMark, keyMarks } from "./key_marks";
import type { Row } from "./rows";
import { clip, diamond, fitText, scrollBar, triangle } from "./shapes";
import type { View } from "./view";

/** Summary, joints and curves, with their keys. */
export function drawRows(context: CanvasRenderingContext2D, place: Arrangement, view: View, palette: Palette): void {
  clip(context, 0, place.summary.y, place.width, place.summary.height, () => {
    drawRow(context, place.summary, place, view, palette);
    drawScaleStrip(context, place, view, palette);
  });
  clip(context, 0, place.rowsTop, place.width, place.rowsBottom - place.rowsTop, () => {
    for (const row of place.rows) {
      if (row.y + row.height > place.rowsTop && row.y < place.rowsBottom) drawRow(context, row, place, view, palette);
    }
  });
  scrollBar(context, place.width, place.rowsTop, place.rowsBottom, view.scroll.rows, place.rowsSlack, palette);
}

function drawRow(context: CanvasRenderingContext2D, placed: Placed<Row>, place: Arrangement, view: View, palette: Palette): void {
  const { item: row, y, height } = placed;
  const middle = middleOf(placed);
  if (row.kind !== "curve") {
    context.fillStyle = palette.raised;
    context.globalAlpha = row.kind === "summary" ? 0.75 : 0.4;
    context.fillRect(0, y, place.width, height - 1);
    context.globalAlpha = 1;
  }
  drawName(context, row, middle, place.left, view, palette);
  const times = view.timesOf(row);
  const marks = keyMarks(times, view.chosen.counts(row.curves, times), view.axis, place.width - place.left);
  const hit = view.hover?.hit;
  const lit = hit?.kind === "key" && hit.row.id === row.id ? hit.time : null;
  const costs = row.kind === "curve" ? null : view.costsOf(row);
  clip(context, place.left, y, place.width - place.left, height, () => {
    if (costs) drawCostStrip(context, view.axis, costs, place.left, y, height - 1);
    for (const mark of marks) {
      const [from, to] = [times.times[mark.first], times.times[mark.last]];
      const isLit = lit !== null && lit >= from && lit <= to;
      drawMark(context, place.left + view.axis.x(from), place.left + view.axis.x(to), middle, mark, isLit, row, palette);
    }
  });
}

/** Where a row's name begins: inside the joint for its curves. */
function drawName(context: CanvasRenderingContext2D, row: Row, middle: number, left: number, view: View, palette: Palette): void {
  const canOpen = row.kind === "group" && row.curves.length > (row.control === null ? 0 : 1);
  if (canOpen) triangle(context, 9, middle, row.open, palette.quiet);
  const isActive = row.joint !== null && row.kind === "group" && row.joint === view.model.selection.activeJoint;
  context.fillStyle = isActive ? palette.text : palette.quiet;
  if (row.kind === "summary") context.fillStyle = palette.text;
  const x = row.kind === "summary" ? 8 : row.kind === "group" ? TWISTY : TWISTY + 12;
  fitText(context, row.name, x, middle, left - x - 6);
}

function drawMark(context: CanvasRenderingContext2D, from: number, to: number, y: number, mark: KeyMark, lit: boolean, row: Row, palette: Palette): void {
  const half = row.kind === "curve" ? HALF - 1 : HALF;
  context.beginPath();
  if (mark.first === mark.last) {
    diamond(context, from, y, half);
  } else {
    context.roundRect(from - 2, y - half + 1, to - from + 4, 2 * half - 2, 3);
  }
  context.fillStyle = mark.chosen === "all" ? palette.key : palette.panel;
  context.fill();
  context.lineWidth = lit ? 2 : 1.25;
  context.strokeStyle = lit ? palette.text : mark.chosen === "none" ? palette.quiet : palette.key;
  context.stroke();
  if (mark.chosen === "some") {
    context.fillStyle = palette.key;
    context.beginPath();
    diamond(context, (from + to) / 2, y, 2);
    context.fill();
  }
}

/** A bar over the selected keys in the summary; its ends stretch them in time. */
function drawScaleStrip(context: CanvasRenderingContext2D, place: Arrangement, view: View, palette: Palette): void {
  if (!canScale(view.chosen)) return;
  const [from, to] = [place.left + view.axis.x(view.chosen.from), place.left + view.axis.x(view.chosen.to)];
  const y = place.summary.y + 1;
  const held = view.hover?.hit.kind === "scale" ? view.hover.hit.side : null;
  clip(context, place.left, place.summary.y, place.width - place.left, SCALE_STRIP, () => {
    context.fillStyle = palette.key;
    context.globalAlpha = 0.55;
    context.fillRect(from, y + 2, to - from, 2);
    context.globalAlpha = 1;
    for (const [side, x] of [
      ["from", from],
      ["to", to],
    ] as const) {
      context.fillStyle = side === held ? palette.text : palette.key;
      context.beginPath();
      context.roundRect(x - 3, y, 6, SCALE_STRIP - 2, 1.5);
      context.fill();
    }
  });
}
