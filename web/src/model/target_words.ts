import type { TargetState } from "../protocol/messages";
import { centimetres, centimetresPerSecond, degrees, quantityOf, withUnit } from "./units";

/** Misses smaller than these are none to the eye: metres, radians, metres a second, and what poses are counted in. */
const NEAR = { distance: 1e-4, turn: 1e-3, speed: 0.01, pose: 1e-3 };

/** "hit", or what is missed and by how much: "misses by 4.2 cm, 3.0°"; empty until it is known. */
export function hitOrMiss(state: TargetState | null): string {
  if (!state) return "";
  const misses = [
    missed(state.distance, NEAR.distance, (by) => centimetres(by, by < 0.001 ? 2 : 1)),
    missed(state.turn, NEAR.turn, (by) => degrees(by)),
    missed(state.speed, NEAR.speed, centimetresPerSecond),
    ...(state.pose ?? []).slice(0, 1).map(({ by, kind }) => missed(by, NEAR.pose, () => withUnit(by, quantityOf(kind)))),
  ].filter(Boolean);
  if (misses.length > 0) return `misses by ${misses.join(", ")}`;
  return [state.distance, state.turn, state.speed, state.pose].some((each) => each !== null) ? "hit" : "";
}

export function isHit(state: TargetState | null): boolean {
  return hitOrMiss(state) === "hit";
}

/** A part of a pose that is not where it should be: what it is called, the joint it is of, and by how much in people's units. */
export interface FarPart {
  name: string;
  joint: string | null;
  by: string;
}

/** The parts of a pose that are missed most, the farthest first; none where it is hit, or no pose is wanted. */
export function farthestParts(state: TargetState | null): FarPart[] {
  const misses = (state?.pose ?? []).filter(({ by }) => by > NEAR.pose);
  return misses.map(({ channel, joint, kind, by }) => ({ name: joint ?? channel, joint, by: withUnit(by, quantityOf(kind)) }));
}

function missed(by: number | null, near: number, say: (by: number) => string): string {
  return by === null || by <= near ? "" : say(by);
}
