import { Vector3 } from "three";
import type { VertexPlace } from "../protocol/messages";
import type { ToPixels } from "./arc_geometry";

/** Pixels by which a vertex may be missed: on dense meshes the next one is nearer than that. */
const REACH = 9;

/** Of a mesh that swings by itself: its name, where all its vertices are drawn, and which of them are soft. */
export interface SoftSurface {
  mesh: string;
  positions: ArrayLike<number>;
  vertices: Iterable<number>;
}

/** The soft vertex under a pixel that is nearest to the eye; none that is farther from the eye than `farthest`. */
export function softVertexUnder(
  surfaces: readonly SoftSurface[],
  toPixels: ToPixels,
  eye: Vector3,
  farthest: number,
  x: number,
  y: number,
): VertexPlace | null {
  const [at, pixel] = [new Vector3(), new Vector3()];
  let [best, least]: [VertexPlace | null, number] = [null, Infinity];
  for (const { mesh, positions, vertices } of surfaces) {
    for (const vertex of vertices) {
      at.set(positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]);
      toPixels(at, pixel);
      const apart = Math.hypot(pixel.x - x, pixel.y - y);
      const away = at.distanceTo(eye);
      if (apart > REACH || away > farthest || pixel.z >= 1) continue;
      // Among those under the pointer the near side counts, and on it the one that is pointed at.
      const cost = away * (1 + 0.002 * apart);
      if (cost < least) [best, least] = [{ mesh, vertex }, cost];
    }
  }
  return best;
}
