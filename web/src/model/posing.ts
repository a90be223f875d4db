import { signal } from "@preact/signals-core";
import type { Model } from "./model";
import { mainJoint } from "./selection";

/** About which axes rings turn a joint: those of the world, its own, or its three angles one by one. */
export type Axes = "world" | "local" | "gimbal";
export const AXES: readonly Axes[] = ["world", "local", "gimbal"];

/** How poses are made by hand on this page, and the one that was copied. */
export class Posing {
  /** Seconds to either side that a drag on dense motion reaches; the wheel changes it. */
  readonly reach = signal(0.5);
  /** Whether a pose becomes keyed where a hand changes it. */
  readonly autoKey = signal(true);
  /** Whether feet that stand stay while something else is pulled. */
  readonly planted = signal(true);
  /** Whether the limb of the other side does the same in the mirror. */
  readonly symmetric = signal(false);
  readonly axes = signal<Axes>("world");
  /** Values by channel. */
  readonly copied = signal<Readonly<Record<string, number>> | null>(null);
}

/** All channel values on the shown frame, by name; null while they are not known. */
export function shownPose({ scene, frames, playback }: Model): Record<string, number> | null {
  const values = frames.channels(playback.frame.value);
  const channels = scene.value?.channels;
  return values && channels ? Object.fromEntries(channels.map(({ name }, i) => [name, values[i]])) : null;
}

/** The channels of selected joints and controls; null where nothing is selected, which means all. */
export function selectedChannels({ scene, selection }: Model): string[] | null {
  const joints = new Set(selection.points.value.map(({ place }) => mainJoint(place)));
  const controls = selection.controls.value;
  if (joints.size + controls.length === 0) return null;
  const found = (scene.value?.channels ?? []).filter(({ name, joints: moved }) => controls.includes(name) || moved.some((joint) => joints.has(joint)));
  return found.length > 0 ? found.map(({ name }) => name) : null;
}
