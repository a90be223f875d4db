import { Plane, type Ray, Vector3 } from "three";
import type { ViewPlane } from "../../protocol/messages";

/** A camera, as far as strokes care. */
export interface Eye {
  position: Vector3;
  right: Vector3;
  up: Vector3;
  ray(x: number, y: number): Ray;
}

/** The plane that faces a camera at the depth of what is drawn on; pixels become points in it, and points of the world. */
export class SketchPlane {
  readonly view: ViewPlane;
  private readonly origin: Vector3;
  private readonly plane: Plane;

  constructor(
    private readonly eye: Eye,
    through: Vector3,
  ) {
    const forward = eye.up.clone().cross(eye.right).normalize();
    const distance = Math.max(1e-3, through.clone().sub(eye.position).dot(forward));
    this.origin = eye.position.clone().addScaledVector(forward, distance);
    this.plane = new Plane().setFromNormalAndCoplanarPoint(forward, this.origin);
    this.view = { origin: this.origin.toArray(), right: eye.right.toArray(), up: eye.up.toArray(), distance };
  }

  /** The point of the plane under a pixel, in the world. */
  under(x: number, y: number): Vector3 {
    return this.eye.ray(x, y).intersectPlane(this.plane, new Vector3()) ?? this.origin.clone();
  }

  /** A point of the plane as strokes have it: metres to the right and up. */
  flat(point: Vector3): [number, number] {
    const away = point.clone().sub(this.origin);
    return [away.dot(this.eye.right), away.dot(this.eye.up)];
  }
}

/** A stroke has so many points at most; the server takes three times as many numbers. */
export const MOST_POINTS = 1000;
/** Pixels between two points of a stroke; a hand trembles more than that. */
const APART = 2;

/** Whether a pointer tells how hard it presses: a mouse always says a half, and what fingers say is up to the device. */
export function tellsPressure({ pointerType }: PointerEvent): boolean {
  return pointerType === "pen";
}

/** All events of a pointer's way: a quick hand goes farther than a pixel between two displayed frames, and the browser knows how. */
export function wayOf(event: PointerEvent): readonly PointerEvent[] {
  const way = event.getCoalescedEvents?.() ?? [];
  return way.length > 0 ? way : [event];
}

/** The points of a stroke as it is drawn: none closer together than a tremble, and not without end. */
export class StrokePoints {
  readonly points: Vector3[] = [];
  private readonly flat: number[] = [];
  private last: [number, number] | null = null;

  constructor(
    private readonly plane: SketchPlane,
    private readonly pressed = false,
  ) {}

  /** Go on to a pixel, pressed so hard; whether that made another point. */
  add(x: number, y: number, pressure: number): boolean {
    if (this.points.length >= MOST_POINTS) return false;
    if (this.last && Math.hypot(x - this.last[0], y - this.last[1]) < APART) return false;
    this.last = [x, y];
    const point = this.plane.under(x, y);
    this.points.push(point);
    this.flat.push(...this.plane.flat(point), ...(this.pressed ? [pressure] : []));
    return true;
  }

  /** x and y of each, in the plane; and how hard it was pressed, of a pen that shall tell. */
  get numbers(): readonly number[] {
    return this.flat;
  }
}
