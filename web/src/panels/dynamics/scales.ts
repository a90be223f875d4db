import { LogScale } from "../fields/log_scale";
import type { Scale } from "../fields/slider";

/** Springs, in swings a second. */
export const FREQUENCY = new LogScale(0.3, 30);

/** Damping ratios: 0 swings for ever, 1 comes to rest soonest, 2 creeps. */
export const DAMPING: Scale = linear(0, 2);

/** Shares of the earth's gravity. */
export const GRAVITY: Scale = linear(0, 2);

export const DRAG: Scale = linear(0, 1);

/** Windows in seconds, and the error that those which are found may leave, in metres. */
export const WINDOW = new LogScale(0.05, 5);
export const ERROR = new LogScale(1e-5, 0.05);

export const WEIGHT = new LogScale(0.01, 100);

function linear(least: number, most: number): Scale {
  return {
    share: (value) => Math.min(1, Math.max(0, (value - least) / (most - least))),
    value: (share) => least + (most - least) * share,
  };
}
