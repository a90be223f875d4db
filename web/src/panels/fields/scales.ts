import type { Scale } from "./slider";

/** A slider's way from 0 to 1 for values whose ratios matter, not their differences. */
export class LogScale {
  constructor(
    readonly least: number,
    readonly most: number,
  ) {}

  /** Where a value stands on the slider; values beyond the ends stand at the ends. */
  share(value: number): number {
    const clamped = Math.min(this.most, Math.max(this.least, value));
    return Math.log(clamped / this.least) / Math.log(this.most / this.least);
  }

  value(share: number): number {
    return this.least * (this.most / this.least) ** Math.min(1, Math.max(0, share));
  }
}

/** Stiffness is relative: 1 is as most, 0.1 gives way ten times as easily, 30 hardly moves. */
export const STIFFNESS = new LogScale(0.1, 30);

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

const KEPT = new LogScale(0.01, 10);

/** How much a run keeps to the motion: at 1, straying by 5 % of the height costs as much as all the effort did; not at all at its left end. */
export const REGULARISE: Scale = {
  share: (value) => KEPT.share(value),
  value: (share) => (share <= 0 ? 0 : KEPT.value(share)),
};

/** How much more the tangents of one joint stay. */
export const FACTOR = new LogScale(0.1, 1000);

const MOST = 4;

/** Weights of terms: nothing at all at one end, finer near it. */
export const TERM_WEIGHT: Scale = {
  share: (weight) => Math.sqrt(Math.min(1, Math.max(0, weight / MOST))),
  value: (share) => MOST * share * share,
};
