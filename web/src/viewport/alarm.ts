/** How obstacles tell that they are hit; a matter of the shown frame alone, so a paused picture is still. */

const FADE_S = 0.3;
const PULSE_HZ = 3;
/** An obstacle that is hit somewhere in the clip keeps a breath of red. */
export const SIMMER = 0.16;

/** How red an obstacle is, from 0 to 1: full on frames on which it is hit, fading in the clip's time after them. */
export function alarm(hit: readonly number[], frame: number, rate: number): number {
  if (hit.length === 0) return 0;
  const last = hit.findLast((each) => each <= frame);
  if (last === undefined) return SIMMER;
  const since = (frame - last) / rate;
  if (since > 0) return Math.max(SIMMER, 0.8 * (1 - since / FADE_S));
  return 0.88 + 0.12 * Math.cos(2 * Math.PI * PULSE_HZ * (frame / rate));
}
