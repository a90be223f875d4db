import type { Renewal } from "../model/changes";
import type { Model } from "../model/model";
import type { Character } from "./character";
import { GHOST } from "./colours";
import type { Likeness } from "./likeness";
import { keyedPoseAt } from "./pose";
import type { Stage } from "./stage";

const OPACITY = 0.22;

/** The body as keyed, as a wireframe, while a loose one is shown. */
export class KeyedGhost {
  private likeness: Likeness | null = null;
  private readonly standing: Renewal;

  constructor(
    stage: Stage,
    private readonly character: Character,
    private readonly model: Model,
  ) {
    this.standing = stage.renewal(() => this.stand());
  }

  /** Whether it is drawn; for tests. */
  get isShown(): boolean {
    return this.likeness?.group.visible ?? false;
  }

  prepare(): void {
    this.standing.renew();
  }

  private stand(): void {
    const { loosening, playback, hiddenMeshes } = this.model;
    const pose = loosening.showsBoth ? keyedPoseAt(this.model, playback.frame.value) : null;
    if (!pose) return this.likeness?.hide();
    this.likeness ??= this.character.likeness(GHOST, OPACITY, true);
    this.likeness.show(pose, hiddenMeshes.value);
  }
}
