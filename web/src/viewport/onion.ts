import { computed } from "@preact/signals-core";
import type { Curve } from "../model/curves";
import type { Model } from "../model/model";
import type { Character } from "./character";
import { AFTER, BEFORE } from "./colours";
import type { Likeness } from "./likeness";
import { poseAt } from "./pose";

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

/** Keys nearer than this on average are a recording rather than poses: then fixed steps say more. */
const DENSE = 3;
const STEP = 4;

/** All whole frames on which any curve has a key, in order. */
export function keyFrames(curves: Iterable<Curve>, frameOf: (time: number) => number, frames: number): number[] {
  const found = new Set<number>();
  for (const { keys } of curves) for (const { time } of keys) found.add(Math.round(frameOf(time)));
  return [...found].filter((frame) => frame >= 0 && frame < frames).sort((a, b) => a - b);
}

/** The frames to show before and after a frame, nearest first: neighbouring keys, or fixed steps in recordings. */
export function neighbours(keys: readonly number[], frame: number, frames: number, each: number): { before: number[]; after: number[] } {
  const span = keys.length > 1 ? keys[keys.length - 1] - keys[0] : 0;
  if (span < DENSE * (keys.length - 1) || keys.length < 2) {
    const steps = Array.from({ length: each }, (_, i) => STEP * (i + 1));
    return {
      before: steps.map((step) => frame - step).filter((at) => at >= 0),
      after: steps.map((step) => frame + step).filter((at) => at < frames),
    };
  }
  return {
    before: keys
      .filter((key) => key < frame)
      .slice(-each)
      .reverse(),
    after: keys.filter((key) => key > frame).slice(0, each),
  };
}
