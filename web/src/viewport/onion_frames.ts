import type { Curve } from "../model/curves";

/** Keys nearer than this on average are a recording rather than poses: then fixed steps say more. */
const DENSE = 3;
const STEP = 4;

/** All whole frames on which any curve has a key, in order. */
export function keyFrames(curves: Iterable<Curve>, frameOf: (time: number) => number, frames: number): number[] {
  const found = new Set<number>();
  for (const { keys } of curves) for (const { time } of keys) found.add(Math.round(frameOf(time)));
  return [...found].filter((frame) => frame >= 0 && frame < frames).sort((a, b) => a - b);
}

/** The frames to show before and after a frame, nearest first: neighbouring keys, or fixed steps in recordings. */
export function neighbours(keys: readonly number[], frame: number, frames: number, each: number): { before: number[]; after: number[] } {
  const span = keys.length > 1 ? keys[keys.length - 1] - keys[0] : 0;
  if (span < DENSE * (keys.length - 1) || keys.length < 2) {
    const steps = Array.from({ length: each }, (_, i) => STEP * (i + 1));
    return {
      before: steps.map((step) => frame - step).filter((at) => at >= 0),
      after: steps.map((step) => frame + step).filter((at) => at < frames),
    };
  }
  return {
    before: keys
      .filter((key) => key < frame)
      .slice(-each)
      .reverse(),
    after: keys.filter((key) => key > frame).slice(0, each),
  };
}
