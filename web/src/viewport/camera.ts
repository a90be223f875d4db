import { signal } from "@preact/signals-core";
import { MathUtils, type PerspectiveCamera, Quaternion, Vector3 } from "three";
import { Version } from "../model/changes";
import type { ViewInfo } from "../protocol/messages";

/** Where a camera stands: it looks at a target from an angle and a distance, y up, without roll. */
export interface Standpoint {
  target: [number, number, number];
  /** From +z towards +x, in radians. */
  azimuth: number;
  elevation: number;
  /** From eye to target, in metres. */
  distance: number;
  /** Vertical angle in radians. */
  fov: number;
}

export const FOV = 0.55;
const STEEPEST = Math.PI / 2;
/** Almost parallel sight lines: a very long lens from far away, so that everything else still meets one kind of camera. */
const FLAT_FOV = 0.008;

/** Angles, target and distance as an animator turns them; carried over to the three.js camera exactly, without sliding on. */
export class Orbit {
  /** Changes of where it stands. */
  readonly version = new Version();
  readonly flat = signal(false);
  private readonly target = new Vector3();
  private azimuth = MathUtils.degToRad(35);
  private elevation = MathUtils.degToRad(14);
  private distance = 5;
  private fov = FOV;
  private readonly turn = new Quaternion();
  private readonly pitch = new Quaternion();

  get standpoint(): Standpoint {
    const { azimuth, elevation, distance, fov } = this;
    return { target: this.target.toArray(), azimuth, elevation, distance, fov };
  }

  stand({ target, azimuth, elevation, distance, fov }: Standpoint): void {
    this.target.set(...target);
    this.azimuth = azimuth;
    this.elevation = MathUtils.clamp(elevation, -STEEPEST, STEEPEST);
    this.distance = Math.max(1e-6, distance);
    this.fov = fov;
    this.version.bump();
  }

  /** Turn about the target, in radians. */
  rotate(azimuth: number, elevation: number): void {
    this.stand({ ...this.standpoint, azimuth: this.azimuth + azimuth, elevation: this.elevation + elevation });
  }

  /** Slide so that what is at the target's depth follows the pointer: shares of the picture's height, right and down. */
  pan(right: number, down: number): void {
    const { x, y } = this.axes();
    const tall = this.height();
    this.target.addScaledVector(x, -right * tall).addScaledVector(y, down * tall);
    this.version.bump();
  }

  /**
   * Come nearer (factor < 1) or go away; what is at the target's depth under (x, y) stays there. Both are in picture
   * heights from the middle, y up.
   */
  zoom(factor: number, x = 0, y = 0): void {
    const axes = this.axes();
    const tall = this.height();
    const shift = 1 - factor;
    this.target.addScaledVector(axes.x, x * tall * shift).addScaledVector(axes.y, y * tall * shift);
    this.distance = Math.max(1e-6, this.distance * factor);
    this.version.bump();
  }

  /** Put a three.js camera there; `centre` and `reach` say where things are, so that near and far hold them. */
  apply(camera: PerspectiveCamera, centre: Vector3, reach: number): void {
    this.version.read();
    const lens = this.flat.value ? FLAT_FOV : this.fov;
    const away = (this.distance * Math.tan(this.fov / 2)) / Math.tan(lens / 2);
    const { z } = this.axes();
    camera.quaternion.copy(this.turn);
    camera.position.copy(this.target).addScaledVector(z, away);
    camera.fov = MathUtils.radToDeg(lens);
    const depth = -z.dot(centre.clone().sub(camera.position));
    camera.far = Math.max(depth + reach, 2 * away);
    // What is nearer than a fiftieth of the way to what is looked at is cut off: otherwise depths are so coarse there that
    // a podium level with the ground flickers.
    camera.near = Math.max(depth - reach, 1e-4 * camera.far, 0.02 * away);
    if (!this.flat.value) camera.near = Math.min(camera.near, 0.2 * away);
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  /** Right, up and backward, unit vectors. */
  axes(): { x: Vector3; y: Vector3; z: Vector3 } {
    this.turn.setFromAxisAngle(new Vector3(0, 1, 0), this.azimuth);
    this.turn.multiply(this.pitch.setFromAxisAngle(new Vector3(1, 0, 0), -this.elevation));
    return {
      x: new Vector3(1, 0, 0).applyQuaternion(this.turn),
      y: new Vector3(0, 1, 0).applyQuaternion(this.turn),
      z: new Vector3(0, 0, 1).applyQuaternion(this.turn),
    };
  }

  /** The height of the picture at the target's depth, in metres. */
  private height(): number {
    return 2 * this.distance * Math.tan(this.fov / 2);
  }
}

/** The document's own camera. In a picture narrower than 16:9 it steps back, so that the sides stay in view. */
export function standpointOf({ eye, target, fov }: ViewInfo, aspect: number): Standpoint {
  const [x, y, z] = eye.map((e, i) => e - target[i]);
  const distance = Math.hypot(x, y, z);
  return {
    target,
    azimuth: Math.atan2(x, z),
    elevation: Math.asin(y / Math.max(distance, 1e-12)),
    distance: distance * Math.max(1, 16 / 9 / aspect),
    fov,
  };
}

/** Part of the way from one standpoint to another, the short way round; distances grow evenly. */
export function between(a: Standpoint, b: Standpoint, share: number): Standpoint {
  const mix = (x: number, y: number): number => x + share * (y - x);
  const round = 2 * Math.PI;
  const turn = ((((b.azimuth - a.azimuth + Math.PI) % round) + round) % round) - Math.PI;
  return {
    target: a.target.map((x, i) => mix(x, b.target[i])) as Standpoint["target"],
    azimuth: a.azimuth + share * turn,
    elevation: mix(a.elevation, b.elevation),
    distance: a.distance * (b.distance / a.distance) ** share,
    fov: mix(a.fov, b.fov),
  };
}
