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

/** Heights between the ends of a bell that is drawn, at even places; as many as the server's own bells have keys. */
const DRAWN = 7;

/** The heights of a bell at the places where one is drawn: those between its ends, the middle one 1. */
export function drawnHeights(bell: BellInfo): number[] {
  const { before = BELL_DEFAULTS.before, after = BELL_DEFAULTS.after } = bell;
  return drawnPlaces().map((place) => bellHeight(bell, place * (place < 0 ? before : after)));
}

/** So near, in places, a pen takes a height along that it does not pass: a fifth of the way to the next. */
const NEAR = 0.05;

/** The same after a pen went straight from one place and height to another; the middle stays where it is. */
export function drawnOver(heights: readonly number[], from: readonly [number, number], to: readonly [number, number]): number[] {
  const [[a, low], [b, high]] = from[0] <= to[0] ? [from, to] : [to, from];
  return drawnPlaces().map((place, i) => {
    const isPassed = place >= a && place <= b && b > a;
    if (place === 0 || !(isPassed || Math.abs(place - to[0]) <= NEAR)) return heights[i];
    const height = isPassed ? low + ((place - a) / (b - a)) * (high - low) : to[1];
    return Math.min(1, Math.max(0, height));
  });
}

function drawnPlaces(): number[] {
  return Array.from({ length: DRAWN }, (_, i) => (2 * (i + 1)) / (DRAWN + 1) - 1);
}

type Drawn = readonly (readonly [number, number])[];

/** As the server goes between drawn heights: cubic, without overshoot (Fritsch and Butland). */
function between(drawn: Drawn, place: number): number {
  const i = Math.max(
    0,
    drawn.findLastIndex(([at]) => at <= place),
  );
  if (i >= drawn.length - 1) return drawn[drawn.length - 1][1];
  const [[a, from], [b, to]] = [drawn[i], drawn[i + 1]];
  const width = b - a;
  const t = (place - a) / width;
  const [out, into] = [slopeAt(drawn, i) * width, slopeAt(drawn, i + 1) * width];
  return from + t * (out + t * (3 * (to - from) - 2 * out - into + t * (out + into - 2 * (to - from))));
}

/** The server ends bells flat, and what has no slope to either side, or turns round, is flat as well. */
function slopeAt(drawn: Drawn, i: number): number {
  if (i === 0 || i === drawn.length - 1) return 0;
  const [[a, u], [b, v], [c, w]] = [drawn[i - 1], drawn[i], drawn[i + 1]];
  const [left, right] = [(v - u) / (b - a), (w - v) / (c - b)];
  if (left * right <= 0) return 0;
  const [near, far] = [2 * (c - b) + (b - a), c - b + 2 * (b - a)];
  return (near + far) / (near / left + far / right);
}
