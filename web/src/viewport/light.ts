import { Matrix4, type PerspectiveCamera, Vector3 } from "three";

/**
 * Three soft lamps that stand around the camera, so that a character is well lit from every side; the same as in
 * pictures and movies. Directions are right, up and back of the camera's level axes.
 */
export const KEY_FROM = new Vector3(-0.8, 0.8, 0.38).normalize();
const FILL_FROM = new Vector3(0.85, 0.1, 0.6).normalize();
const RIM_FROM = new Vector3(0.35, 0.6, -0.85).normalize();
const UP = new Vector3(0, 1, 0);

/** One set of uniforms for all materials: set once a drawing. */
export class Light {
  readonly uniforms = {
    lampTowards: { value: [new Vector3(), new Vector3(), new Vector3()] },
    lampColour: {
      value: [
        new Vector3(1.55, 1.44, 1.28),
        new Vector3(0.13, 0.17, 0.25),
        new Vector3(0.75, 0.84, 1.05),
        new Vector3(0.11, 0.13, 0.17), // from above
        new Vector3(0.05, 0.045, 0.042), // from below
      ],
    },
  };
  private readonly level = new Matrix4();
  private readonly right = new Vector3();
  private readonly back = new Vector3();

  /** Towards the key light, a unit vector in the world. */
  get key(): Vector3 {
    return this.uniforms.lampTowards.value[0];
  }

  follow(camera: PerspectiveCamera): void {
    // The camera never rolls, so its right is level.
    this.right.setFromMatrixColumn(camera.matrixWorld, 0).normalize();
    this.level.makeBasis(this.right, UP, this.back.crossVectors(this.right, UP));
    [KEY_FROM, FILL_FROM, RIM_FROM].forEach((from, i) => this.uniforms.lampTowards.value[i].copy(from).transformDirection(this.level));
  }
}
