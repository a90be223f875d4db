import { BufferGeometry, Float32BufferAttribute, Line, LineBasicMaterial, LineSegments, Vector3 } from "three";
import { onChange } from "../model/changes";
import type { Model } from "../model/model";
import type { SceneCamera, ViewInfo } from "../protocol/messages";
import { type Orbit, type Standpoint, standpointOf } from "./camera";
import { KEY } from "./colours";
import type { Stage } from "./stage";

/** Where the scene's camera is on a frame. */
function viewAt({ frames }: SceneCamera, frame: number): ViewInfo | null {
  const row = frames.slice(7 * frame, 7 * frame + 7);
  if (row.length < 7) return null;
  const [x, y, z, toX, toY, toZ, fov] = row;
  return { eye: [x, y, z], target: [toX, toY, toZ], fov };
}

/** Where a standpoint has its eye: what keys the camera as it is looked now. */
export function viewOf({ target, azimuth, elevation, distance, fov }: Standpoint): ViewInfo {
  const level = Math.cos(elevation) * distance;
  const eye: ViewInfo["eye"] = [target[0] + Math.sin(azimuth) * level, target[1] + Math.sin(elevation) * distance, target[2] + Math.cos(azimuth) * level];
  return { eye, target, fov };
}

/** The scene's camera as a pyramid of lines, its way through the clip as another, and the main view that follows it where that is wished. */
export class CameraMark {
  private readonly lines = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: KEY }));
  private readonly way = new Line(new BufferGeometry(), new LineBasicMaterial({ color: KEY, transparent: true, opacity: 0.6 }));

  /** Of what the way is drawn. */
  private shown: SceneCamera | null = null;

  constructor(
    stage: Stage,
    private readonly model: Model,
    /** The view that may look through it; null for one that never does. */
    orbit: Orbit | null,
    private readonly size: () => number,
  ) {
    this.lines.frustumCulled = false;
    this.lines.visible = this.way.visible = this.way.frustumCulled = false;
    stage.scene.add(this.lines, this.way);
    const drawing = stage.renewal(() => this.draw(orbit !== null));
    stage.beforeDraw.push(() => drawing.renew());
    if (!orbit) return;
    onChange(
      () => [model.throughCamera.value, model.camera.value, model.playback.frame.value] as const,
      ([through, camera, frame]) => {
        const view = through && camera ? viewAt(camera, frame) : null;
        if (view) orbit.stand(standpointOf(view, stage.camera.aspect));
        stage.invalidate();
      },
    );
  }

  /** Whether it is drawn; for tests. */
  get isShown(): boolean {
    return this.lines.visible;
  }

  /** Where the way that it goes through the clip is drawn, x, y and z of every frame; for tests. */
  get path(): readonly number[] {
    return this.way.visible ? Array.from(this.way.geometry.attributes.position.array) : [];
  }

  private draw(mayLookThrough: boolean): void {
    const { camera, playback, throughCamera } = this.model;
    const view = camera.value && !(mayLookThrough && throughCamera.value) ? viewAt(camera.value, playback.frame.value) : null;
    this.lines.visible = view !== null;
    this.way.visible = view !== null && (camera.value?.keys.length ?? 0) > 1;
    if (!view) return;
    if (this.way.visible && this.shown !== camera.value) {
      this.shown = camera.value;
      const eyes = (this.shown?.frames ?? []).filter((_, i) => i % 7 < 3);
      this.way.geometry.setAttribute("position", new Float32BufferAttribute(eyes, 3));
    }
    const [eye, target] = [new Vector3(...view.eye), new Vector3(...view.target)];
    const ahead = target.sub(eye).normalize();
    const right = new Vector3().crossVectors(ahead, new Vector3(0, 1, 0));
    if (right.lengthSq() < 1e-8) right.set(1, 0, 0);
    right.normalize();
    const up = new Vector3().crossVectors(right, ahead);
    const long = 0.25 * this.size();
    const half = long * Math.tan(view.fov / 2);
    const corner = (x: number, y: number): Vector3 =>
      eye
        .clone()
        .addScaledVector(ahead, long)
        .addScaledVector(right, (x * half * 16) / 9)
        .addScaledVector(up, y * half);
    const corners = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
    const points: Vector3[] = [];
    corners.forEach((each, i) => points.push(eye, each, each, corners[(i + 1) % 4]));
    // A small roof says which side is up.
    points.push(corner(-0.4, 1.1), corner(0, 1.6), corner(0, 1.6), corner(0.4, 1.1));
    this.lines.geometry.setAttribute(
      "position",
      new Float32BufferAttribute(
        points.flatMap((each) => each.toArray()),
        3,
      ),
    );
  }
}
