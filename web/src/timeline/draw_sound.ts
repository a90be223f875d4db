import type { Palette } from "../canvas/palette";
import type { Wave } from "../model/sound";
import type { Arrangement } from "./arrangement";
import { clip, fitText } from "./shapes";
import type { View } from "./view";

/** The wave of the clip's sound, where it is heard. */
export function drawSound(context: CanvasRenderingContext2D, place: Arrangement, view: View, palette: Palette): void {
  const { sound } = view.model;
  const info = sound.info.value;
  if (!place.sound || !info) return;
  const { y, height } = place.sound;
  const { left, width } = place;
  context.fillStyle = palette.panel;
  context.fillRect(0, y, width, height);
  context.fillStyle = palette.line;
  context.fillRect(0, y, width, 1);
  const hit = view.hover?.hit;
  context.fillStyle = hit?.kind === "sound-name" ? palette.text : palette.quiet;
  speaker(context, 9, y + height / 2, info.muted);
  fitText(context, info.name, 18, y + height / 2, left - 24);
  clip(context, left, y + 1, width - left, height - 1, () => {
    const wave = sound.wave.value;
    const problem = sound.problem.value;
    if (!wave) {
      context.fillStyle = problem ? palette.bad : palette.quiet;
      fitText(context, problem ? `${info.name} ${problem}` : "reading the sound…", left + 8, y + height / 2, width - left - 16);
      return;
    }
    const [from, to] = [left + view.axis.x(sound.start), left + view.axis.x(sound.start + wave.lasts)];
    context.fillStyle = palette.accent;
    context.globalAlpha = hit?.kind === "sound" || sound.draft.value !== null ? 0.2 : 0.12;
    context.fillRect(from, y + 2, to - from, height - 4);
    context.globalAlpha = info.muted ? 0.3 : 0.85;
    drawWave(context, wave, from, to, Math.max(left, from), Math.min(width, to), y + height / 2, height / 2 - 3);
    context.globalAlpha = 1;
    if (info.muted) {
      context.fillStyle = palette.quiet;
      fitText(context, "muted", Math.max(left, from) + 6, y + 9, 60);
    }
  });
}

/** A column of pixels a time, from the lowest to the highest of what it stands for. */
function drawWave(context: CanvasRenderingContext2D, wave: Wave, from: number, to: number, first: number, last: number, middle: number, half: number): void {
  const pieces = wave.low.length / Math.max(1e-9, to - from);
  context.beginPath();
  for (let x = Math.floor(first); x < last; x++) {
    const a = Math.max(0, Math.floor((x - from) * pieces));
    const b = Math.min(wave.low.length, Math.max(a + 1, Math.ceil((x + 1 - from) * pieces)));
    let [low, high] = [0, 0];
    for (let i = a; i < b; i++) {
      low = Math.min(low, wave.low[i]);
      high = Math.max(high, wave.high[i]);
    }
    context.rect(x, middle - high * half, 1, Math.max(1, (high - low) * half));
  }
  context.fill();
}

/** A small loudspeaker; crossed out where it is muted. */
function speaker(context: CanvasRenderingContext2D, x: number, y: number, muted: boolean): void {
  context.beginPath();
  context.rect(x - 5, y - 2, 3, 4);
  context.moveTo(x - 2, y - 2);
  context.lineTo(x + 2, y - 5);
  context.lineTo(x + 2, y + 5);
  context.lineTo(x - 2, y + 2);
  context.fill();
  context.lineWidth = 1;
  context.strokeStyle = context.fillStyle;
  context.beginPath();
  if (muted) {
    context.moveTo(x - 5, y + 5);
    context.lineTo(x + 5, y - 5);
  } else context.arc(x + 2, y, 4, -0.9, 0.9);
  context.stroke();
}
