import { momentText } from "../canvas/frames";
import type { Palette } from "../canvas/palette";
import { hitOrMiss } from "../model/target_words";
import { type Arrangement, RULER } from "./arrangement";
import type { Hit } from "./hits";
import { fitText, triangle } from "./shapes";
import type { View } from "./view";

/** The corner above the names: whether the list follows the selection. */
export function drawCorner(context: CanvasRenderingContext2D, place: Arrangement, view: View, palette: Palette): void {
  context.fillStyle = palette.panel;
  context.fillRect(0, 0, place.left, RULER - 1);
  const { points, controls } = view.model.selection;
  const selected = points.value.length + controls.value.length > 0;
  const text = view.listsAll.value || !selected ? "Everything" : "Selected";
  const isHot = view.hover?.hit.kind === "corner";
  context.fillStyle = isHot ? palette.text : palette.quiet;
  fitText(context, text, 8, RULER / 2, place.left - 26);
  if (selected) triangle(context, place.left - 12, RULER / 2, true, isHot ? palette.text : palette.quiet);
}

/** The rectangle of a box selection. */
export function drawBox(context: CanvasRenderingContext2D, { box }: View, palette: Palette): void {
  if (!box) return;
  const [x, y] = [Math.min(box.x, box.toX), Math.min(box.y, box.toY)];
  const [width, height] = [Math.abs(box.toX - box.x), Math.abs(box.toY - box.y)];
  context.fillStyle = palette.accent;
  context.globalAlpha = 0.15;
  context.fillRect(x, y, width, height);
  context.globalAlpha = 1;
  context.strokeStyle = palette.accent;
  context.lineWidth = 1;
  context.strokeRect(x + 0.5, y + 0.5, width, height);
}

/** What a drag does just now, or what is under a resting pointer. */
export function drawSaying(context: CanvasRenderingContext2D, place: Arrangement, view: View, palette: Palette): void {
  const { said, hover } = view;
  const lines = said ? [said.text, ...obstruction(view)] : hover ? describe(hover.hit, view) : [];
  const at = said ?? hover;
  if (lines.length === 0 || !at) return;
  const width = Math.min(place.width - 8, Math.max(...lines.map((line) => context.measureText(line).width)) + 14);
  const height = 15 * lines.length + 7;
  const x = Math.max(4, Math.min(at.x + 12, place.width - width - 4));
  const below = at.y + 16;
  const y = below + height < place.height ? below : Math.max(2, at.y - height - 8);
  context.fillStyle = palette.ground;
  context.strokeStyle = palette.line;
  context.lineWidth = 1;
  context.beginPath();
  context.roundRect(x + 0.5, y + 0.5, width, height, 4);
  context.fill();
  context.stroke();
  lines.forEach((line, i) => {
    context.fillStyle = i === 0 ? palette.text : palette.quiet;
    fitText(context, line, x + 7, y + 4 + 15 * (i + 0.5), width - 12);
  });
}

/** Why the keys under the hand do not follow it. */
function obstruction({ model }: View): string[] {
  const [hand, answer] = [model.hand.value, model.answer.value];
  return hand && answer?.gesture === hand.number && !answer.reached && answer.text ? [answer.text] : [];
}

/** A tooltip's lines; none where the sheet says it all. */
function describe(hit: Hit, view: View): string[] {
  const frame = (time: number): string => (view.inSeconds ? "" : "frame ") + momentText(time, view.clip, view.inSeconds);
  switch (hit.kind) {
    case "key": {
      const channels = keyedChannels(hit.row.curves, hit.time, view);
      const title = hit.row.kind === "summary" ? frame(hit.time) : `${hit.row.name} · ${frame(hit.time)}`;
      return [title, channels];
    }
    case "bar": {
      const { constraint, from, to } = hit.bar;
      const range = from === to ? frame(from) : `${frame(from)} to ${momentText(to, view.clip, view.inSeconds)}`;
      const whole = constraint.start === null && constraint.end === null ? "the whole clip" : range;
      return [constraint.name, `${constraint.on ? "" : "off · "}${whole} · double click: ${constraint.on ? "off" : "on"}`];
    }
    case "target": {
      const state = hitOrMiss(view.model.loosening.stateOf(hit.aim.name));
      const does = hit.part === "time" ? "drag: another time" : "drag: a wider or narrower bell";
      return [`${hit.aim.name} · ${frame(hit.aim.target.time)}${state ? ` · ${state}` : ""}`, `${hit.aim.on ? "" : "off · "}${does}`];
    }
    case "clip-end":
      return [`clip ${hit.side}s at ${frame(view.clip[hit.side])}`, "drag to change"];
    case "scale":
      return ["drag to stretch the selected keys in time"];
    case "corner":
      return view.listsAll.value ? ["list the selected joints"] : ["list everything, or only what is selected"];
    default:
      return [];
  }
}

function keyedChannels(curves: Iterable<{ channel: number; keys: { time: number }[] }>, time: number, view: View): string {
  const keyed: string[] = [];
  let more = 0;
  for (const curve of curves) {
    if (!curve.keys.some((key) => Math.abs(key.time - time) < 1e-3)) continue;
    if (keyed.length < 6) keyed.push(view.names.channels[curve.channel].name);
    else more++;
  }
  return keyed.join(", ") + (more > 0 ? ` and ${more} more` : "");
}
