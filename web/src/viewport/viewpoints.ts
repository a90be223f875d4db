import { trackpad } from "../model/look";
import type { Model } from "../model/model";
import { boxAround, diagonal } from "./bounds";
import { Orbit, type Standpoint, standpointOf } from "./camera";
import { CameraControls } from "./camera_controls";
import type { Character } from "./character";
import { framing, PRESETS, type Preset } from "./framing";
import { sharesOf } from "./marks";
import type { Room } from "./room";
import { pointsAt, pointsOver } from "./room";
import type { Stage } from "./stage";

/** The camera, and from where it may look: at the selection, at everything, from the sides, as the document wants. */
export class Viewpoints {
  private readonly controls: CameraControls;

  constructor(
    private readonly stage: Stage,
    private readonly model: Model,
    private readonly character: Character,
    private readonly room: () => Room,
    private readonly side: Preset | null = null,
    /** The camera of another view, where both are to look from one place. */
    readonly orbit = new Orbit(),
  ) {
    if (side !== null) this.orbit.flat.value = true;
    this.controls = new CameraControls(
      this.orbit,
      stage.element,
      stage.canvas,
      () => stage.invalidate(),
      () => trackpad.value,
    );
  }

  /** Look at the selection, or at the whole body where nothing is selected. */
  frameSelection(): void {
    const { selection, playback } = this.model;
    const joints = sharesOf(
      selection.points.value.map((point) => point.place),
      (name) => this.model.jointIndex(name),
    );
    const points = pointsAt(this.model, this.character, playback.frame.value, joints.size > 0 ? joints.keys() : undefined);
    this.frame(roomy(points, 0.2 * this.room().size));
  }

  /** Look at the whole motion and what stands around it. */
  frameAll(): void {
    this.frame(this.everything());
  }

  lookFrom(preset: Preset): void {
    this.controls.travel(this.standpointFrom(preset));
  }

  private standpointFrom(preset: Preset): Standpoint {
    const [azimuth, elevation] = angles(preset);
    // Without perspective, from the side means level.
    const level = this.orbit.flat.peek() && preset !== "top" && preset !== "three-quarter";
    return framing(this.everything(), this.stage.camera.aspect, azimuth, level ? 0 : elevation);
  }

  /** Through the document's own camera or, where it has none, at everything. */
  lookThroughDocument(): void {
    this.controls.travel(this.ownStandpoint());
  }

  /** Where nothing can be dragged, the plain left button turns the camera. */
  turnByAnyButton(): void {
    this.controls.leftTurns = true;
  }

  toggleFlat(): void {
    this.orbit.flat.value = !this.orbit.flat.value;
  }

  /** Stand at once where the document wants it. */
  place(): void {
    this.controls.halt();
    this.orbit.stand(this.ownStandpoint());
  }

  private frame(points: readonly number[]): void {
    if (points.length === 0) return;
    const { azimuth, elevation, fov } = this.orbit.standpoint;
    this.controls.travel(framing(points, this.stage.camera.aspect, azimuth, elevation, fov));
  }

  private ownStandpoint(): Standpoint {
    if (this.side) return this.standpointFrom(this.side);
    const view = this.model.scene.value?.view;
    if (view) return standpointOf(view, this.stage.camera.aspect);
    return framing(this.everything(), this.stage.camera.aspect, ...angles("three-quarter"));
  }

  /** The motion as far as it is known, or the room where there is none. */
  private everything(): number[] {
    const { low, high } = this.room().box;
    const motion = pointsOver(this.model, this.character);
    return motion.length > 0 ? motion : [...low, ...high];
  }
}

function angles(preset: Preset): [number, number] {
  const [azimuth, elevation] = PRESETS[preset].map((degrees) => (degrees * Math.PI) / 180);
  return [azimuth, elevation];
}

/** Points, with corners of a box of at least this diagonal around them: a bare joint is framed with its surroundings. */
export function roomy(points: readonly number[], least: number): number[] {
  const box = boxAround(points);
  if (!box || diagonal(box) >= least) return [...points];
  const half = least / (2 * Math.sqrt(3));
  const middle = box.low.map((x, i) => (x + box.high[i]) / 2);
  return [...points, ...middle.map((x) => x - half), ...middle.map((x) => x + half)];
}
