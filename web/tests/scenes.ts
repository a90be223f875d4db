import type { ChannelInfo, Scene } from "../src/protocol/messages";

/** A channel without limits. */
export const channel = (name: string, kind: ChannelInfo["kind"], joints: string[], more: Partial<ChannelInfo> = {}): ChannelInfo => ({
  name,
  kind,
  joints,
  default: 0,
  lower: null,
  upper: null,
  stiffness: 1,
  free: true,
  ...more,
});

export const joint = (name: string, parent: number): Scene["joints"][number] => ({ name, parent, order: "XYZ", rest: [0, 0, 0], mass: 1, centre: [0, 0, 0] });

/** A scene of a skeleton alone. */
export const sceneOf = (joints: Scene["joints"], channels: ChannelInfo[]): Scene => ({
  type: "scene",
  name: "arm",
  height: 1,
  joints,
  channels,
  points: [],
  meshes: [],
  props: [],
  clips: ["clip"],
  view: null,
  stiffness_presets: [],
  blending: "linear",
  kind: "object",
});
