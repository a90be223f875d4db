import type { Renewal } from "../model/changes";
import type { Model } from "../model/model";
import type { Character } from "./character";
import { COMPARED, GHOST } from "./colours";
import type { Likeness } from "./likeness";
import { comparedPoseAt, keyedPoseAt } from "./pose";
import type { Stage } from "./stage";

interface Look {
  colour: number;
  opacity: number;
  wires: boolean;
  /** How it stands now; null where it is not seen. */
  pose(model: Model): ReturnType<typeof keyedPoseAt>;
}

/** The body as keyed, as a wireframe, while a loose one is shown. */
export const AS_KEYED: Look = {
  colour: GHOST,
  opacity: 0.22,
  wires: true,
  pose: (model) => (model.loosening.showsBoth ? keyedPoseAt(model, model.playback.frame.value) : null),
};

/** The body as an earlier step of the history has it, while that is compared with. */
export const AS_BEFORE: Look = {
  colour: COMPARED,
  opacity: 0.5,
  wires: false,
  pose: (model) =>
    model.comparing.isOn && !model.comparing.alone.value && !model.comparing.beside.value ? comparedPoseAt(model, model.playback.frame.value) : null,
};

/** The same body once more, as it would stand otherwise on the frame that is shown. */
export class BodyGhost {
  private likeness: Likeness | null = null;
  private readonly standing: Renewal;

  constructor(
    stage: Stage,
    private readonly character: Character,
    private readonly model: Model,
    private readonly look: Look,
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
    const pose = this.look.pose(this.model);
    if (!pose) return this.likeness?.hide();
    this.likeness ??= this.character.likeness(this.look.colour, this.look.opacity, this.look.wires);
    this.likeness.show(pose, this.model.hiddenMeshes.value);
  }
}
