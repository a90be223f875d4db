import type { Model } from "../model/model";
import type { Character } from "./character";
import { GHOST } from "./colours";
import type { Likeness } from "./likeness";
import { keyedPoseAt } from "./rest_pose";
import type { Stage } from "./stage";

const OPACITY = 0.22;

/** The body as keyed, as a wireframe, while a loose one is shown. */
export class KeyedGhost {
  private likeness: Likeness | null = null;
  private stale = true;

  constructor(
    stage: Stage,
    private readonly character: Character,
    private readonly model: Model,
  ) {
    const { keyedFrames, keyedBlends, playback, loosening, hiddenMeshes } = model;
    for (const cell of [keyedFrames.version, keyedBlends.version, playback.frame, loosening.told, loosening.showKeyed, hiddenMeshes]) {
      cell.watch(() => {
        this.stale = true;
        if (loosening.showsBoth || this.isShown) stage.invalidate();
      });
    }
  }

  /** Whether it is drawn; for tests. */
  get isShown(): boolean {
    return this.likeness?.group.visible ?? false;
  }

  prepare(): void {
    if (!this.stale) return;
    this.stale = false;
    const { loosening, playback, hiddenMeshes } = this.model;
    const pose = loosening.showsBoth ? keyedPoseAt(this.model, playback.frame.value) : null;
    if (!pose) return this.likeness?.hide();
    this.likeness ??= this.character.likeness(GHOST, OPACITY, true);
    this.likeness.show(pose, hiddenMeshes.value);
  }
}
