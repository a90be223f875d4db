import type { Model } from "../../model/model";
import { mainJoint } from "../../model/selection";
import type { ChannelInfo, KeyRef, Place } from "../../protocol/messages";

/**
 * The channels that K keys: those of the selected joints and controls; in the pose tool all keyed ones that move the selected
 * points, because a pose is the whole chain; all keyed ones when nothing is selected, and the whole body while nothing is keyed.
 */
export function channelsToKey(model: Model): string[] {
  const scene = model.scene.value;
  if (!scene) return [];
  const isKeyed = (channel: ChannelInfo): boolean => model.curves.get(model.channelIndex(channel.name)) !== null;
  const { points, controls } = model.selection;
  if (points.value.length + controls.value.length === 0) {
    const keyed = scene.channels.filter(isKeyed);
    return (keyed.length > 0 ? keyed : scene.channels.filter(poses)).map(({ name }) => name);
  }
  const own = (joint: string): ChannelInfo[] => scene.channels.filter((each) => each.joints.includes(joint));
  const found = new Set(controls.value);
  for (const { place } of points.value) {
    const chain = chainOf(model, mainJoint(place));
    // A joint without channels of its own is moved by the nearest one above that has some.
    const first = chain.map(own).find((channels) => channels.length > 0) ?? [];
    const chosen = model.tool.value.keysChains ? chain.flatMap(own).filter(isKeyed) : first;
    for (const { name } of chosen.length > 0 ? chosen : first) found.add(name);
  }
  return [...found];
}

/** The keys of a joint's channels at any of some times. */
export function keysAt(model: Model, joint: string, times: readonly number[]): KeyRef[] {
  const channels = model.scene.value?.channels ?? [];
  return channels.flatMap((channel, index) => {
    const keys = channel.joints.includes(joint) ? (model.curves.get(index)?.keys ?? []) : [];
    return keys.flatMap(({ time }, key) => (times.some((each) => Math.abs(each - time) < 1e-3) ? [{ channel: channel.name, key }] : []));
  });
}

/** A joint and all above it, the joint first. */
function chainOf(model: Model, joint: string): string[] {
  const joints = model.scene.value?.joints ?? [];
  const chain: string[] = [];
  for (let at = model.jointIndex(joint); at >= 0; at = joints[at].parent) chain.push(joints[at].name);
  return chain;
}

/** Whether a channel is part of every pose: rotations, and what moves the body as a whole. */
export function poses({ kind, free }: ChannelInfo): boolean {
  return kind === "rotation" || (kind === "translation" && free !== false);
}

/** Whether a place has keys before and after a time, and none on it: then tangents say what it does there. */
export function isBetweenKeys(model: Model, place: Place, time: number): boolean {
  const near = 0.1 / (model.clip.value?.rate ?? 24);
  const channels = model.scene.value?.channels ?? [];
  const chain = new Set(chainOf(model, mainJoint(place)));
  const times = [...model.curves.all()]
    .filter(({ channel, keys }) => keys.length > 1 && channels[channel]?.joints.some((joint) => chain.has(joint)))
    .flatMap(({ keys }) => keys.map((key) => key.time));
  return times.some((each) => each < time - near) && times.some((each) => each > time + near) && !times.some((each) => Math.abs(each - time) <= near);
}

/** Seconds of the shown frame. */
export function shownTime(model: Model): number {
  return model.timeOf(model.playback.frame.value);
}
