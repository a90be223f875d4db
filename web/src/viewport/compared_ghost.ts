import type { Renewal } from "../model/changes";
import type { Model } from "../model/model";
import type { Character } from "./character";
import { COMPARED } from "./colours";
import type { Likeness } from "./likeness";
import { comparedPoseAt } from "./pose";
import type { Stage } from "./stage";

const OPACITY = 0.5;

/** The body as an earlier step of the history has it, while that is compared with. */
export class ComparedGhost {
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
    const { comparing, playback, hiddenMeshes } = this.model;
    const pose = comparing.isOn && !comparing.alone.value ? comparedPoseAt(this.model, playback.frame.value) : null;
    if (!pose) return this.likeness?.hide();
    this.likeness ??= this.character.likeness(COMPARED, OPACITY);
    this.likeness.show(pose, hiddenMeshes.value);
  }
}
