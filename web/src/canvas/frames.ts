/** The clip's frames on the time axis. */
export interface FrameGrid {
  start: number;
  end: number;
  rate: number;
}

/** The time of the whole frame nearest to a time. */
export function snapped(time: number, { start, rate }: FrameGrid): number {
  return start + Math.round((time - start) * rate) / rate;
}

export function clamped(time: number, { start, end }: FrameGrid): number {
  return Math.min(Math.max(time, start), end);
}

/** The number an animator reads at the clip's first frame: frames are counted from zero seconds. */
export function firstLabel({ start, rate }: FrameGrid): number {
  return Math.round(start * rate);
}

/** A moment as people read it: "17", "17.5" between frames, or "0.71 s". */
export function momentText(time: number, grid: FrameGrid, inSeconds: boolean): string {
  if (inSeconds) return `${withMinus(time.toFixed(2))} s`;
  const frame = firstLabel(grid) + (time - grid.start) * grid.rate;
  const whole = Math.abs(frame - Math.round(frame)) < 0.05;
  return withMinus(frame.toFixed(whole ? 0 : 1));
}

/** "frames 12–20 (8)", "0.50–0.83 s". */
export function spanText(from: number, to: number, grid: FrameGrid, inSeconds: boolean): string {
  if (inSeconds) return `${withMinus(from.toFixed(2))}–${withMinus(to.toFixed(2))} s`;
  return `frames ${momentText(from, grid, false)}–${momentText(to, grid, false)}`;
}

/** "+5 frames", "−0.21 s". */
export function shiftText(shift: number, { rate }: FrameGrid, inSeconds: boolean): string {
  const sign = shift < -1e-9 ? "−" : "+";
  if (inSeconds) return `${sign}${Math.abs(shift).toFixed(2)} s`;
  const frames = Math.abs(shift * rate);
  const whole = Math.abs(frames - Math.round(frames)) < 0.05;
  return `${sign}${frames.toFixed(whole ? 0 : 1)} ${whole && Math.round(frames) === 1 ? "frame" : "frames"}`;
}

/** With a true minus sign, and without a negative nought. */
function withMinus(text: string): string {
  return Number(text) === 0 ? text.replace("-", "") : text.replace("-", "−");
}

/** What was typed as a frame or as seconds ("17", "0.71 s", "12 f"), as a frame from the clip's first; null: no number. */
export function frameFrom(text: string, grid: FrameGrid, inSeconds: boolean): number | null {
  const match = /^([+-]?(?:\d+[.,]?\d*|[.,]\d+))\s*(s|f)?$/i.exec(text.trim().replace("−", "-"));
  if (!match) return null;
  const value = Number(match[1].replace(",", "."));
  const unit = match[2]?.toLowerCase() ?? (inSeconds ? "s" : "f");
  return unit === "s" ? Math.round((value - grid.start) * grid.rate) : Math.round(value - firstLabel(grid));
}
