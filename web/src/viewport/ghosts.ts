import { signal } from "@preact/signals-core";
import type { Renewal } from "../model/changes";
import type { Model } from "../model/model";
import type { Character } from "./character";
import { GHOST } from "./colours";
import type { Likeness } from "./likeness";
import { poseAt } from "./pose";
import type { Stage } from "./stage";

const OPACITY = 0.5;

/** A pale body at the frame that the pointer is over; there only as long as it is asked for. */
export class Ghost {
  private likeness: Likeness | null = null;
  private readonly frame = signal<number | null>(null);
  private readonly posing: Renewal;

  constructor(
    private readonly stage: Stage,
    private readonly model: Model,
    private readonly character: Character,
  ) {
    this.posing = stage.renewal(() => this.pose());
    // Poses that were missing when the pointer came may arrive while it stays.
    stage.beforeDraw.push(() => this.posing.renew());
  }

  /** At a frame, or nowhere. */
  show(frame: number | null): void {
    if (frame === this.frame.value) return;
    this.frame.value = frame;
    // At once: whoever prepares a drawing earlier has to find it.
    this.posing.renew();
    this.stage.invalidate();
  }

  private pose(): void {
    const pose = this.frame.value === null ? null : poseAt(this.model, this.frame.value);
    if (!pose) {
      this.likeness?.hide();
      return;
    }
    this.likeness ??= this.character.likeness(GHOST, OPACITY);
    this.likeness.show(pose, this.model.hiddenMeshes.value);
  }
}
