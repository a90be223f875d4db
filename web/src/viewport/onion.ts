import { computed } from "@preact/signals-core";
import type { Curve } from "../model/curves";
import type { Model } from "../model/model";
import { strengths } from "../model/onion_options";
import type { Character } from "./character";
import { AFTER, BEFORE } from "./colours";
import type { Likeness } from "./likeness";
import { poseAt } from "./pose";

/** Likenesses of the body around the shown frame, cool before it and warm after it; made once somebody wants them. */
export class Onion {
  private readonly before: Likeness[] = [];
  private readonly after: Likeness[] = [];
  private readonly keys = computed(() => keyFrames(this.model.curves.all(), (time) => this.model.frameOf(time), this.model.playback.frames));

  constructor(
    private readonly character: Character,
    private readonly model: Model,
  ) {}

  /** The frames at which there are likenesses now; for tests. */
  shown: { before: number[]; after: number[] } = { before: [], after: [] };

  update(): void {
    const { playback, onionSkins, onion } = this.model;
    this.shown = { before: [], after: [] };
    if (onionSkins.value) {
      const { every, step, count } = onion.value;
      this.shown = neighbours(every ? [] : this.keys.value, playback.frame.value, playback.frames, count, step);
    }
    this.show(this.before, BEFORE, this.shown.before);
    this.show(this.after, AFTER, this.shown.after);
  }

  private show(likenesses: Likeness[], colour: number, at: readonly number[]): void {
    const clear = strengths(this.model.onion.value);
    at.forEach((frame, i) => {
      const pose = poseAt(this.model, frame);
      if (!pose) return likenesses[i]?.hide();
      likenesses[i] ??= this.character.likeness(colour, clear[i]);
      likenesses[i].strength = clear[i];
      likenesses[i].show(pose, this.model.hiddenMeshes.value);
    });
    for (const each of likenesses.slice(at.length)) each.hide();
  }
}

/** Keys nearer than this on average are a recording rather than poses: then fixed steps say more. */
const DENSE = 3;

/** All whole frames on which any curve has a key, in order. */
export function keyFrames(curves: Iterable<Curve>, frameOf: (time: number) => number, frames: number): number[] {
  const found = new Set<number>();
  for (const { keys } of curves) for (const { time } of keys) found.add(Math.round(frameOf(time)));
  return [...found].filter((frame) => frame >= 0 && frame < frames).sort((a, b) => a - b);
}

/** The frames to show before and after a frame, nearest first: neighbouring keys, or fixed steps in recordings. */
export function neighbours(keys: readonly number[], frame: number, frames: number, each: number, step = 4): { before: number[]; after: number[] } {
  const span = keys.length > 1 ? keys[keys.length - 1] - keys[0] : 0;
  if (span < DENSE * (keys.length - 1) || keys.length < 2) {
    const steps = Array.from({ length: each }, (_, i) => step * (i + 1));
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
