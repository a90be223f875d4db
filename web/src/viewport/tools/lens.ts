import { type Ray, Vector3 } from "three";
import type { Stage } from "../stage";

/** How the eye looks at the scene: all that the mathematics of a drag needs to know of a camera. */
export interface Lens {
  /** The ray under a pixel. */
  ray(x: number, y: number): Ray;
  /** Where a position is, in CSS pixels; z beyond −1 to 1 is out of sight. */
  toPixels(position: Vector3, into: Vector3): Vector3;
  /** The unit direction in which the camera looks. */
  forward(into: Vector3): Vector3;
  /** How many metres a pixel is wide at a position. */
  metresPerPixel(position: Vector3): number;
}

const [here, beside, right] = [new Vector3(), new Vector3(), new Vector3()];

/** The stage's camera as a lens, whatever kind of camera it is. */
export function lensOf(stage: Stage): Lens {
  return {
    ray: (x, y) => stage.ray(x, y),
    toPixels: (position, into) => stage.toPixels(position, into),
    forward: (into) => stage.camera.getWorldDirection(into),
    metresPerPixel: (position) => {
      stage.camera.updateMatrixWorld();
      right.setFromMatrixColumn(stage.camera.matrixWorld, 0).normalize();
      // A step in proportion to the distance keeps its digits, near and far.
      const step = 1e-2 * Math.max(1e-3, position.distanceTo(stage.camera.position));
      stage.toPixels(position, here);
      stage.toPixels(beside.copy(position).addScaledVector(right, step), beside);
      return step / Math.max(1e-9, Math.hypot(beside.x - here.x, beside.y - here.y));
    },
  };
}
