import { type Matrix4, Vector3 } from "three";
import type { Box } from "./bounds";

/** A square of the floor: its corner and width in metres. */
export interface Square {
  x: number;
  z: number;
  width: number;
}

/** How many sizes of the character the floor's shadow covers at most; what stands farther off throws none. */
const WIDEST = 9;

/** The square for the shadow of the body and, as far as they are near, of the things around it. */
export function squareAround(body: Box, around: Box, size: number): Square {
  const room = 0.35 * size;
  const reach = 0.5 * WIDEST * size;
  const span = (axis: 0 | 2): [number, number] => {
    const middle = (body.low[axis] + body.high[axis]) / 2;
    const low = Math.min(body.low[axis], Math.max(around.low[axis], middle - reach));
    const high = Math.max(body.high[axis], Math.min(around.high[axis], middle + reach));
    return [low - room, high + room];
  };
  const [[left, right], [back, front]] = [span(0), span(2)];
  const width = Math.max(right - left, front - back);
  return { x: (left + right - width) / 2, z: (back + front - width) / 2, width };
}

/** Clip space of the floor's shadow: x and z of the world across the square, and the height as depth, lowest nearest. */
export function castFromFloor({ x, z, width }: Square, floor: number, size: number, into: Matrix4): Matrix4 {
  const s = 2 / width;
  const tall = 1 / (4 * size);
  return into.set(s, 0, 0, -s * x - 1, 0, 0, s, -s * z - 1, 0, tall, 0, -tall * floor - 1, 0, 0, 0, 1);
}

const [across, above, centre] = [new Vector3(), new Vector3(), new Vector3()];

/** Clip space of what the key light sees around a box; returns the width of the map in metres. */
export function castFromLight(box: Box, towards: Vector3, size: number, into: Matrix4): number {
  across.set(0, 1, 0).cross(towards).normalize();
  above.crossVectors(towards, across);
  const [low, high] = [new Vector3(...box.low), new Vector3(...box.high)];
  centre.addVectors(low, high).multiplyScalar(0.5);
  const width = 1.1 * Math.max(low.distanceTo(high), 0.1 * size);
  const s = 2 / width;
  // Towards the light there is room for what stands between; behind the body nothing matters.
  const d = 1 / width;
  // biome-ignore format: a row of the matrix a line
  into.set(
    s * across.x, s * across.y, s * across.z, -s * across.dot(centre),
    s * above.x, s * above.y, s * above.z, -s * above.dot(centre),
    -d * towards.x, -d * towards.y, -d * towards.z, d * towards.dot(centre),
    0, 0, 0, 1,
  );
  return width;
}
