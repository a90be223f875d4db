import type { Model } from "../../model/model";
import { mainJoint } from "../../model/selection";
import type { ChannelInfo, KeyRef } from "../../protocol/messages";

/**
 * The channels that K keys: those of the selected joints and controls; in the pose tool all keyed ones that move the selected
 * points, because a pose is the whole chain; all keyed ones when nothing is selected.
 */
export function channelsToKey(model: Model): string[] {
  const scene = model.scene.value;
  if (!scene) return [];
  const isKeyed = (channel: ChannelInfo): boolean => model.curves.get(model.channelIndex(channel.name)) !== null;
  const { points, controls } = model.selection;
  if (points.value.length + controls.value.length === 0) return scene.channels.filter(isKeyed).map(({ name }) => name);
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
