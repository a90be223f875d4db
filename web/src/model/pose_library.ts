import { computed, signal } from "@preact/signals-core";
import type { PoseInfo } from "../protocol/messages";
import type { Model } from "./model";
import { selectedChannels } from "./posing";
import { hasAll } from "./words";

/** The poses that the project keeps, which of them is chosen, and what is looked for. */
export class PoseLibrary {
  readonly items = signal<readonly PoseInfo[]>([]);
  readonly search = signal("");
  private readonly picked = signal<string | null>(null);
  /** The chosen one; null where there is none, or not any more. */
  readonly chosen = computed(() => this.items.value.find(({ name }) => name === this.picked.value)?.name ?? null);
  readonly found = computed(() => this.items.value.filter(({ name }) => hasAll(name, this.search.value)));

  choose(name: string | null): void {
    this.picked.value = name;
  }
}

/** What a pose goes onto: the shown frame, what is selected or all; keyed there if poses key themselves. */
export function poseTarget(model: Model, mirrored: boolean): { time: number; mirrored: boolean; channels: string[] | null; key: boolean } {
  const time = model.timeOf(model.playback.frame.peek());
  // Mirrored it goes onto the other side of what it was saved from, whatever is selected.
  return { time, mirrored, channels: mirrored ? null : selectedChannels(model), key: model.posing.autoKey.peek() };
}

/** Bring the character into a kept pose; what of it is not here is told. */
export async function applyPose(model: Model, pose: string, mirrored: boolean): Promise<void> {
  model.playback.pause();
  const said = await model.ask({ type: "apply-pose", pose, ...poseTarget(model, mirrored) });
  if (said) model.notices.add("info", `${pose}: ${said}`);
}
