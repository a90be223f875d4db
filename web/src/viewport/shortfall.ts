import type { Answer } from "../protocol/messages";

/** Blockers with a smaller share of the resistance are not worth naming. */
const WORTH_NAMING = 0.15;
const MOST_NAMES = 2;
/** Arcs bend between keys; on a key only the pose can change. */
const KEYED = "keyed here: press Q to change the pose";

/** "held by: head pin (2.3 cm short)"; empty when the wish was reached. `onKey` says that an arc was pulled where it is keyed. */
export function shortfall(answer: Answer, onKey = false): string {
  if (answer.reached) return "";
  const byShare = [...answer.blockers].sort((a, b) => b.share - a.share);
  const named = byShare.filter((each, i) => i === 0 || each.share >= WORTH_NAMING).slice(0, MOST_NAMES);
  const what = named.length > 0 ? `held by: ${named.map((each) => each.name).join(", ")}` : onKey ? KEYED : "out of reach";
  const short = readableShortfall(answer);
  return short ? `${what} (${short} short)` : what;
}

function readableShortfall({ wish, distance, turn }: Answer): string {
  if (wish) return `${(100 * distance).toFixed(1)} cm`;
  const degrees = (180 / Math.PI) * turn;
  return degrees >= 0.1 ? `${degrees.toFixed(degrees < 10 ? 1 : 0)}°` : "";
}
