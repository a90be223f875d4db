import { signal } from "@preact/signals-core";
import { Blends } from "./blends";
import { onChange } from "./changes";
import { Frames } from "./frames";
import type { Model } from "./model";

/** An earlier step of the history that is seen beside the shown motion, or for a moment in its place. */
export class Comparing {
  /** Its number in the history; null for none. */
  readonly step = signal<number | null>(null);
  /** Whether it takes the place of the shown motion. */
  readonly alone = signal(false);
  /** Whether it stands in a view of its own, beside the main one, instead of as a ghost. */
  readonly beside = signal(false);
  readonly frames: Frames;
  readonly blends = new Blends();
  private label = "";

  constructor(private readonly model: Model) {
    this.frames = new Frames((first, count) => void this.fetch(first, count));
    onChange(
      () => [model.history.value, model.scene.value, model.clip.value] as const,
      ([{ labels }]) => {
        // Whoever goes back and does something else has another step there.
        if (this.step.value !== null && labels[this.step.value] !== this.label) this.choose(null);
        else this.renew();
      },
    );
  }

  get isOn(): boolean {
    return this.step.value !== null;
  }

  /** Whether a view of its own is wanted now. */
  get isBeside(): boolean {
    return this.isOn && this.beside.value;
  }

  /** Compare with a step, or with none. */
  choose(step: number | null): void {
    this.label = step === null ? "" : (this.model.history.peek().labels[step] ?? "");
    this.alone.value = false;
    this.step.value = step;
    this.forget();
    this.renew();
  }

  /** "3: Drag hand_l". */
  get name(): string {
    return this.step.value === null ? "" : `${this.step.value}: ${this.label}`;
  }

  private forget(): void {
    this.frames.reset(0, 0, 0);
    this.blends.clear();
  }

  private renew(): void {
    const [scene, clip] = [this.model.scene.peek(), this.model.clip.peek()];
    if (this.step.peek() !== null && scene && clip) this.frames.reset(clip.frames, scene.joints.length, scene.channels.length);
  }

  private async fetch(first: number, count: number): Promise<void> {
    const step = this.step.peek();
    if (step === null) return;
    const said = await this.model.ask({ type: "fetch-poses", first, count, step });
    if (said === undefined && this.step.peek() === step) this.choose(null);
  }
}
