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
