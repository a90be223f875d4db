import { type FrameGrid, firstLabel } from "./frames";
import type { TimeAxis } from "./time_axis";

/** A line of the ruler; without a label it is a small one. */
export interface Mark {
  time: number;
  label: string | null;
}

const SECOND_STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600];
const LEAST_APART = 4;

/** What the ruler shows across a width: labelled round frames or seconds, and small lines between where they fit. */
export function rulerMarks(axis: TimeAxis, width: number, grid: FrameGrid, inSeconds: boolean): Mark[] {
  return inSeconds ? secondMarks(axis, width) : frameMarks(axis, width, grid);
}

function frameMarks(axis: TimeAxis, width: number, grid: FrameGrid): Mark[] {
  const step = Math.round(axis.step(grid.rate, 44) * grid.rate);
  const base = firstLabel(grid);
  const frameAt = (x: number): number => base + (axis.time(x) - grid.start) * grid.rate;
  const small = smallStep(step, axis.scale / grid.rate);
  return marks(frameAt(0), frameAt(width), small, step, (label) => ({
    time: grid.start + (label - base) / grid.rate,
    text: String(label),
  }));
}

function secondMarks(axis: TimeAxis, width: number): Mark[] {
  const step = SECOND_STEPS.find((each) => each * axis.scale >= 50) ?? 7200;
  const digits = step >= 1 ? 0 : step >= 0.1 ? 1 : 2;
  const small = smallStep(10, (step * axis.scale) / 10);
  return marks((axis.time(0) / step) * 10, (axis.time(width) / step) * 10, small, 10, (tenth) => ({
    time: (tenth * step) / 10,
    text: `${((tenth * step) / 10).toFixed(digits)}s`,
  }));
}

function marks(from: number, to: number, small: number, large: number, say: (n: number) => { time: number; text: string }): Mark[] {
  const found: Mark[] = [];
  for (let n = Math.ceil(from / small) * small; n <= to; n += small) {
    const { time, text } = say(n);
    found.push({ time, label: n % large === 0 ? text.replace("-", "−") : null });
  }
  return found;
}

/** The finest even division of a step whose lines are far enough apart, given the pixels of one unit. */
function smallStep(step: number, pixels: number): number {
  for (const parts of [step, step / 2, 10, 5, 4, 2]) {
    if (parts <= step && step % parts === 0 && (step / parts) * pixels >= LEAST_APART) return step / parts;
  }
  return step;
}

/** The flag with the frame on it that the playhead carries on a ruler: from one pixel to another. */
export interface Flag {
  text: string;
  from: number;
  to: number;
}

/** A flag about a pixel, kept between two edges, for a text that is so wide. */
export function flagAt(x: number, text: string, wide: number, left: number, right: number): Flag {
  const half = Math.max(9, wide / 2 + 4);
  const middle = Math.max(left + half, Math.min(x, right - half));
  return { text, from: middle - half, to: middle + half };
}

/** Whether a number of the ruler must give way: half a number, cut by the edge or the flag, would be another number. */
export function givesWay(from: number, to: number, right: number, flag: Flag | null): boolean {
  return to > right || (flag !== null && from < flag.to && to > flag.from);
}
