import { Vector3 } from "three";
import type { Lens } from "./tools/lens";
import { basis } from "./tools/turns";

export const MOVE_PARTS = ["centre", "x", "y", "z", "yz", "zx", "xy"] as const;
export const TURN_PARTS = ["rx", "ry", "rz", "view"] as const;
export const TIMING_PARTS = ["timing"] as const;
export type GizmoPart = (typeof MOVE_PARTS)[number] | (typeof TURN_PARTS)[number] | (typeof TIMING_PARTS)[number];

/** A part of the gizmo as it is on the screen. */
export interface Outline {
  part: GizmoPart;
  /** Pixels, x and y by turns. */
  line: number[];
  closed: boolean;
  /** Whether the inside counts, as of a square; else only what is near the line. */
  filled: boolean;
}

const AXIS_VECTORS = { x: new Vector3(1, 0, 0), y: new Vector3(0, 1, 0), z: new Vector3(0, 0, 1) } as const;

const LENGTH = 78;
const GAP = 13;
const SQUARE = [20, 34] as const;
const RING = 62;
const VIEW_RING = 76;
const CENTRE = 9;
const RING_STEPS = 48;
/** A handle shorter than this on the screen points at the eye and cannot be aimed at. */
const SHORTEST = 14;
const REACH = 7;
/** The head of an arrow, with room around it. */
const HEAD = 20;

/** How large the rings are, in pixels: as many as one radian takes where they are seen from the side. */
export function ringPixels(part: GizmoPart): number {
  return part === "view" ? VIEW_RING : RING;
}

/** The axes that rings turn about: x, y and z. */
export type RingAxes = readonly [Vector3, Vector3, Vector3];
export const WORLD_AXES: RingAxes = [AXIS_VECTORS.x, AXIS_VECTORS.y, AXIS_VECTORS.z];

/** The axis of a part: the arrow's, the plane's normal, or the ring's. */
export function axisOf(part: GizmoPart, lens: Lens, rings: RingAxes = WORLD_AXES): Vector3 {
  const ring = TURN_PARTS.indexOf(part as "rx");
  if (ring >= 0 && ring < 3) return rings[ring].clone();
  const letter = { x: "x", y: "y", z: "z", yz: "x", zx: "y", xy: "z" }[part as string];
  if (letter) return AXIS_VECTORS[letter as "x"].clone();
  return lens.forward(new Vector3()).negate();
}

/** The outlines of some parts about a centre, in the order in which to draw them; what cannot be aimed at is left out. */
export function outlines(parts: readonly GizmoPart[], centre: Vector3, lens: Lens, rings: RingAxes = WORLD_AXES): Outline[] {
  const pixel = lens.metresPerPixel(centre);
  const at = lens.toPixels(centre, new Vector3());
  if (at.z <= -1 || at.z >= 1) return [];
  return parts.flatMap((part) => outline(part, centre, [at.x, at.y], pixel, lens, rings) ?? []).sort((a, b) => rank(a) - rank(b));
}

/** The part under a pixel: smaller kinds win, then what is nearer. `sure` leaves the shafts of arrows out, not their heads. */
export function partUnder(shapes: readonly Outline[], x: number, y: number, sure = false): GizmoPart | null {
  let [best, least, bestRank]: [GizmoPart | null, number, number] = [null, Infinity, -1];
  for (const shape of shapes) {
    const { part, line, closed, filled } = shape;
    const apart = filled && isInside(line, x, y) ? 0 : distanceTo(line, closed, x, y);
    if (apart > (filled ? 2 : REACH) || (sure && part.length === 1 && !isAtHead(line, x, y))) continue;
    if (rank(shape) > bestRank || (rank(shape) === bestRank && apart < least)) [best, least, bestRank] = [part, apart, rank(shape)];
  }
  return best;
}

/** Where a pointer takes hold of a part best: in its middle, at an arrow's head or, on a ring, far from others; null when not shown. */
export function handleOf(shapes: readonly Outline[], part: GizmoPart): [number, number] | null {
  const shape = shapes.find((each) => each.part === part);
  if (!shape) return null;
  const { line, filled } = shape;
  if (filled) return [(line[0] + line[4]) / 2, (line[1] + line[5]) / 2];
  if (line.length === 4) return [0.1 * line[0] + 0.9 * line[2], 0.1 * line[1] + 0.9 * line[3]];
  let [best, most]: [[number, number], number] = [[line[0], line[1]], -1];
  for (let i = 0; i < line.length; i += 2) {
    for (const share of [0.2, 0.8]) {
      const next = Math.min(i + 2, line.length - 2);
      const at: [number, number] = [0, 1].map((k) => (1 - share) * line[i + k] + share * line[next + k]) as [number, number];
      const others = shapes.filter((each) => each !== shape).map((each) => distanceTo(each.line, each.closed, ...at));
      const apart = Math.min(...others, 1e6);
      if (apart > most) [best, most] = [at, apart];
    }
  }
  return best;
}

function isAtHead(line: readonly number[], x: number, y: number): boolean {
  return Math.hypot(line[2] - x, line[3] - y) <= HEAD;
}

function rank({ part }: Outline): number {
  if (part === "centre" || part === "timing") return 3;
  return part === "view" ? 0 : part.length === 2 && part[0] !== "r" ? 1 : 2;
}

function outline(part: GizmoPart, centre: Vector3, at: [number, number], pixel: number, lens: Lens, rings: RingAxes): Outline | null {
  const seen = (offset: Vector3, into: number[]): void => {
    const on = lens.toPixels(offset.multiplyScalar(pixel).add(centre), new Vector3());
    into.push(on.x, on.y);
  };
  const line: number[] = [];
  switch (part) {
    case "centre":
      for (const [x, y] of [
        [-1, -1],
        [1, -1],
        [1, 1],
        [-1, 1],
      ])
        line.push(at[0] + x * CENTRE, at[1] + y * CENTRE);
      return { part, line, closed: true, filled: true };
    case "timing":
      line.push(at[0], at[1] - GAP, at[0], at[1] - LENGTH);
      return { part, line, closed: false, filled: false };
    case "x":
    case "y":
    case "z": {
      for (const length of [GAP, LENGTH]) seen(AXIS_VECTORS[part].clone().multiplyScalar(length), line);
      const long = Math.hypot(line[2] - line[0], line[3] - line[1]);
      if (long < SHORTEST) return null;
      return { part, line, closed: false, filled: false };
    }
    case "yz":
    case "zx":
    case "xy": {
      const u = AXIS_VECTORS[part[0] as "x"];
      const v = AXIS_VECTORS[part[1] as "x"].clone();
      const [low, high] = SQUARE;
      const half = (low + high) / 2;
      const middle: number[] = [];
      seen(u.clone().multiplyScalar(half).addScaledVector(v, half), middle);
      // Where foreshortening would push the square onto the centre, the next quadrant has room.
      if (Math.hypot(middle[0] - at[0], middle[1] - at[1]) < half - CENTRE) v.negate();
      for (const [a, b] of [
        [low, low],
        [high, low],
        [high, high],
        [low, high],
      ]) {
        seen(u.clone().multiplyScalar(a).addScaledVector(v, b), line);
      }
      const area = Math.abs((line[2] - line[0]) * (line[7] - line[1]) - (line[3] - line[1]) * (line[6] - line[0]));
      if (area < 0.15 * (high - low) ** 2) return null;
      return { part, line, closed: true, filled: true };
    }
    case "rx":
    case "ry":
    case "rz":
    case "view":
      return ring(part, axisOf(part, lens, rings), seen, line, lens);
  }
}

/** A ring; of those about an axis only the half that faces the eye, so that one sees which way it turns. */
function ring(part: GizmoPart, axis: Vector3, seen: (offset: Vector3, into: number[]) => void, line: number[], lens: Lens): Outline {
  const radius = ringPixels(part);
  const toEye = lens.forward(new Vector3()).negate();
  const facing = toEye.clone().addScaledVector(axis, -toEye.dot(axis));
  const isWhole = part === "view" || facing.length() < 0.35;
  const east = isWhole ? basis(axis)[0] : facing.normalize();
  const north = new Vector3().crossVectors(axis, east);
  const [from, to] = isWhole ? [0, 2 * Math.PI] : [-Math.PI / 2, Math.PI / 2];
  const steps = isWhole ? RING_STEPS : RING_STEPS / 2;
  for (let i = 0; i < (isWhole ? steps : steps + 1); i++) {
    const angle = from + ((to - from) * i) / steps;
    seen(
      east
        .clone()
        .multiplyScalar(radius * Math.cos(angle))
        .addScaledVector(north, radius * Math.sin(angle)),
      line,
    );
  }
  return { part, line, closed: isWhole, filled: false };
}

function distanceTo(line: readonly number[], closed: boolean, x: number, y: number): number {
  const count = line.length / 2;
  let least = Infinity;
  for (let i = 0; i < (closed ? count : count - 1); i++) {
    const [a, b] = [2 * i, 2 * ((i + 1) % count)];
    const [dx, dy] = [line[b] - line[a], line[b + 1] - line[a + 1]];
    const long = dx * dx + dy * dy;
    const share = long > 0 ? Math.min(1, Math.max(0, ((x - line[a]) * dx + (y - line[a + 1]) * dy) / long)) : 0;
    least = Math.min(least, Math.hypot(line[a] + share * dx - x, line[a + 1] + share * dy - y));
  }
  return least;
}

function isInside(line: readonly number[], x: number, y: number): boolean {
  let inside = false;
  for (let i = 0, j = line.length - 2; i < line.length; j = i, i += 2) {
    const [ax, ay, bx, by] = [line[i], line[i + 1], line[j], line[j + 1]];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside;
  }
  return inside;
}
