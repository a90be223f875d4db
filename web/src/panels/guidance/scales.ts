import { LogScale } from "../fields/log_scale";
import type { Scale } from "../fields/slider";

/** How much a run keeps to the motion: at 1, straying by 5 % of the height costs as much as all the effort did. */
export const REGULARISE = new LogScale(0.01, 10);

/** How much more the tangents of one joint stay. */
export const FACTOR = new LogScale(0.1, 1000);

const MOST = 4;

/** Weights of terms: nothing at all at one end, finer near it. */
export const TERM_WEIGHT: Scale = {
  share: (weight) => Math.sqrt(Math.min(1, Math.max(0, weight / MOST))),
  value: (share) => MOST * share * share,
};
