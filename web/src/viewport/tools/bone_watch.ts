import { onChange } from "../../model/changes";
import type { Model } from "../../model/model";

/**
 * Keeps the shapes of the bones on the shown frame up to date while nothing moves: for the sketch tool, and for picking
 * where a character has bends.
 */
export class BoneWatch {
  private isAsking = false;
  private isStale = true;

  constructor(
    private readonly model: Model,
    /** Whether somebody wants them although the character has no bends. */
    private readonly isWanted: () => boolean,
  ) {
    const { tool, playback, changed, hand, clip } = model;
    onChange(
      () => [tool.value, playback.frame.value, playback.playing.value, changed.value, hand.value, clip.value],
      () => this.outdate(),
    );
  }

  private outdate(): void {
    this.isStale = true;
    void this.ask();
  }

  private async ask(): Promise<void> {
    const { playback, hand, clip, scene } = this.model;
    const isQuiet = !playback.playing.value && hand.value === null;
    const isOfUse = this.isWanted() || scene.value?.channels.some((channel) => channel.kind === "bend");
    if (!isQuiet || !isOfUse || this.isAsking || !this.isStale || !clip.value || !scene.value?.joints.length) return;
    this.isAsking = true;
    this.isStale = false;
    await this.model.ask({ type: "fetch-bones", time: this.model.timeOf(playback.frame.value) });
    this.isAsking = false;
    void this.ask();
  }
}
