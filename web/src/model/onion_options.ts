export const MOST_EACH_SIDE = 6;

/** Which onion skins are shown. */
interface OnionOptions {
  /** At even steps of `step` frames; else at keys. */
  every: boolean;
  step: number;
  /** How many before the shown frame, and after it. */
  count: number;
  /** Of the nearest. */
  opacity: number;
}

export const USUAL_ONION: OnionOptions = { every: false, step: 4, count: 2, opacity: 0.6 };

/** How clear each of so many is, the nearest first: evenly less, down to a third of the nearest. */
export function strengths({ count, opacity }: Pick<OnionOptions, "count" | "opacity">): number[] {
  return Array.from({ length: count }, (_, i) => opacity * (1 - (0.67 * i) / Math.max(1, count - 1)));
}
