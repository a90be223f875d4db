import type { Answer } from "../protocol/messages";

/** Blockers with a smaller share of the resistance are not worth naming. */
const WORTH_NAMING = 0.15;
const MOST_NAMES = 2;
export const OUT_OF_REACH = "out of reach";
/** Timing is a matter of tangents' widths, and those end at the neighbouring keys. */
export const WIDEST = "as far as the keys allow";
/** Arcs bend between keys; on a key only the pose can change. */
export const KEYED = "keyed here: press Q to change the pose";

/** "held by: head pin (2.3 cm short)"; empty when the wish was reached. `unnamed` is said when no constraint holds it. */
export function shortfall(answer: Answer, unnamed = OUT_OF_REACH): string {
  if (answer.reached) return "";
  const byShare = [...answer.blockers].sort((a, b) => b.share - a.share);
  const named = byShare.filter((each, i) => i === 0 || each.share >= WORTH_NAMING).slice(0, MOST_NAMES);
  const what = named.length > 0 ? `held by: ${named.map((each) => each.name).join(", ")}` : unnamed;
  const short = readableShortfall(answer);
  return short ? `${what} (${short} short)` : what;
}

function readableShortfall({ wish, distance, turn }: Answer): string {
  if (wish) return `${(100 * distance).toFixed(1)} cm`;
  const degrees = (180 / Math.PI) * turn;
  return degrees >= 0.1 ? `${degrees.toFixed(degrees < 10 ? 1 : 0)}°` : "";
}
