import type { Model } from "../model/model";
import type { Character } from "./character";
import { GHOST } from "./colours";
import type { Likeness } from "./likeness";
import { poseAt } from "./rest_pose";
import type { Stage } from "./stage";

const OPACITY = 0.5;

/** A pale body at the frame that the pointer is over; there only as long as it is asked for. */
export class Ghost {
  private likeness: Likeness | null = null;
  private frame: number | null = null;

  constructor(
    private readonly stage: Stage,
    private readonly model: Model,
    private readonly character: Character,
  ) {
    // Poses that were missing when the pointer came may arrive while it stays.
    for (const cell of [model.frames.version, model.blends.version, model.hiddenMeshes]) {
      cell.watch(() => {
        if (this.frame !== null) this.pose();
      });
    }
  }

  /** At a frame, or nowhere. */
  show(frame: number | null): void {
    if (frame === this.frame) return;
    this.frame = frame;
    this.pose();
  }

  private pose(): void {
    const pose = this.frame === null ? null : poseAt(this.model, this.frame);
    this.stage.invalidate();
    if (!pose) {
      this.likeness?.hide();
      return;
    }
    this.likeness ??= this.character.likeness(GHOST, OPACITY);
    this.likeness.show(pose, this.model.hiddenMeshes.value);
  }
}
