import { computed } from "@preact/signals-core";
import type { Model } from "../model/model";
import type { Character } from "./character";
import { AFTER, BEFORE } from "./colours";
import type { Likeness } from "./likeness";
import { keyFrames, neighbours } from "./onion_frames";
import { poseAt } from "./rest_pose";

const EACH_SIDE = 2;
/** The nearer of two likenesses is the clearer one. */
const OPACITY = [0.6, 0.34];

/** Likenesses of the body at the keys around the shown frame, cool before it and warm after it. */
export class Onion {
  private readonly before: Likeness[];
  private readonly after: Likeness[];
  private readonly keys = computed(() => keyFrames(this.model.curves.all(), (time) => this.model.frameOf(time), this.model.playback.frames));

  constructor(
    character: Character,
    private readonly model: Model,
  ) {
    this.before = OPACITY.map((opacity) => character.likeness(BEFORE, opacity));
    this.after = OPACITY.map((opacity) => character.likeness(AFTER, opacity));
  }

  update(): void {
    const { playback, onionSkins, hiddenMeshes } = this.model;
    if (!onionSkins.value) {
      for (const each of [...this.before, ...this.after]) each.hide();
      return;
    }
    const around = neighbours(this.keys.value, playback.frame.value, playback.frames, EACH_SIDE);
    const show = (likenesses: Likeness[], at: number[]): void =>
      likenesses.forEach((each, i) => {
        const pose = at[i] === undefined ? null : poseAt(this.model, at[i]);
        if (pose) each.show(pose, hiddenMeshes.value);
        else each.hide();
      });
    show(this.before, around.before);
    show(this.after, around.after);
  }
}
