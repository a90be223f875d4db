import type { BellInfo } from "../protocol/messages";

/** Widths, of one standard deviation, after which a Gaussian bell has come to nothing; as the server has it. */
const REACH = 3;

export const BELL_DEFAULTS = { before: 0.5, after: 0.5, shape: "gaussian", drawn: [] } as const;

/** How much of a correction there is so many seconds after its target (before it, where negative): 0 to 1. */
export function bellHeight(bell: BellInfo, seconds: number): number {
  const { before = BELL_DEFAULTS.before, after = BELL_DEFAULTS.after, shape = BELL_DEFAULTS.shape, drawn = [] } = bell;
  const place = seconds < 0 ? seconds / before : seconds / after;
  if (Math.abs(place) >= 1) return 0;
  if (drawn.length > 0) return between(drawn, place);
  return shape === "polynomial" ? (1 - place * place) ** 2 : Math.exp(-0.5 * (REACH * place) ** 2);
}

function between(drawn: readonly (readonly [number, number])[], place: number): number {
  const after = drawn.findIndex(([at]) => at >= place);
  if (after <= 0) return after === 0 ? drawn[0][1] : 0;
  const [[fromAt, from], [toAt, to]] = [drawn[after - 1], drawn[after]];
  return from + ((to - from) * (place - fromAt)) / (toAt - fromAt);
}
