import type { Curve } from "../../model/curves";
import { quantityOf, withUnit } from "../../model/units";
import type { Arc } from "../../protocol/binary";
import type { ChannelInfo, Scene } from "../../protocol/messages";
import { isControl } from "../outliner/outline";

/** A time this near to a key, in frames, is the key's; the server reads it so too. */
const NEAR = 0.1;
/** Values come in single precision; a limit is passed when it is passed by more than that. */
const ROUNDING = 1e-5;

/** Channels of one kind that stand together in the inspector. */
export interface ChannelGroup {
  title: string;
  channels: ChannelInfo[];
}

/** The channels that move a joint: its own by kind, then the controls that move it with others. */
export function channelsOfJoint(scene: Scene, joint: string): ChannelGroup[] {
  const moving = scene.channels.filter((channel) => channel.joints.includes(joint));
  const own = (kind: ChannelInfo["kind"]): ChannelInfo[] => moving.filter((channel) => channel.kind === kind && !channel.handle);
  const groups = [
    { title: "Rotation", channels: own("rotation") },
    { title: "Translation", channels: own("translation") },
    { title: "Scale", channels: own("scale") },
    { title: "Controls", channels: moving.filter(isControl) },
    ...handleGroups(moving),
  ];
  return groups.filter((group) => group.channels.length > 0);
}

/** Channels that were chosen by themselves: controls together, those of handles apart. */
export function chosenGroups(channels: readonly ChannelInfo[]): ChannelGroup[] {
  const groups = [{ title: "Chosen", channels: channels.filter(({ handle }) => !handle) }, ...handleGroups(channels)];
  return groups.filter((group) => group.channels.length > 0);
}

/** Where handles want their tip, where they bend to, and how much they count. */
function handleGroups(channels: readonly ChannelInfo[]): ChannelGroup[] {
  const names = [...new Set(channels.flatMap(({ handle }) => handle ?? []))];
  return names.flatMap((name) => {
    const own = (isPart: (part: string) => boolean): ChannelInfo[] =>
      channels.filter((each) => each.handle === name && isPart(each.name.slice(name.length + 1)));
    return [
      { title: `${name} target`, channels: own((part) => part.length === 1) },
      { title: `${name} pole`, channels: own((part) => part.startsWith("pole.")) },
      { title: `${name} blend`, channels: own((part) => part === "blend") },
    ];
  });
}

/** A channel's name without its joint's or handle's: "rx" of "hand_l.rx", "x" of "arm_l.pole.x". */
export function shortName(channel: ChannelInfo): string {
  if (channel.handle) return channel.name.slice(channel.name.lastIndexOf(".") + 1);
  const [joint] = channel.joints;
  return !isControl(channel) && channel.name.startsWith(`${joint}.`) ? channel.name.slice(joint.length + 1) : channel.name;
}

/** Whether a channel has a key on this frame, elsewhere, or none. */
export function keyedAt(curve: Curve | null, time: number, rate: number): "here" | "elsewhere" | "nowhere" {
  if (!curve || curve.keys.length === 0) return "nowhere";
  return keyAt(curve, time, rate) >= 0 ? "here" : "elsewhere";
}

/** The number of the key on a frame; −1 when there is none. */
export function keyAt(curve: Curve | null, time: number, rate: number): number {
  return curve?.keys.findIndex((key) => Math.abs(key.time - time) * rate <= NEAR) ?? -1;
}

/** What is wrong with a channel's value, in words; "" when nothing is. */
export function limitProblem({ lower, upper, kind, metres = 1 }: ChannelInfo, value: number): string {
  const quantity = quantityOf(kind);
  const slack = (limit: number): number => ROUNDING * Math.max(1, Math.abs(limit));
  if (lower !== null && value < lower - slack(lower)) {
    return `${withUnit((lower - value) * metres, quantity)} below its lower limit, ${withUnit(lower * metres, quantity)}`;
  }
  if (upper !== null && value > upper + slack(upper)) {
    return `${withUnit((value - upper) * metres, quantity)} above its upper limit, ${withUnit(upper * metres, quantity)}`;
  }
  return "";
}

/** How fast a point goes at a time, in metres a second; null where its arc is not known. */
export function speedAt(arc: Arc | null, time: number, rate: number): number | null {
  if (!arc || arc.samples === 0) return null;
  const at = Math.round((time - arc.start) * arc.perFrame * rate);
  return arc.speeds[Math.min(arc.samples - 1, Math.max(0, at))];
}
