import { commonBeginning, shortened } from "../../model/names";
import { jointPlace, mainJoint, samePlace } from "../../model/selection";
import type { ChannelInfo, MeshInfo, Place, PointInfo, PropInfo, Scene } from "../../protocol/messages";
import type { Node } from "./tree";

/** What a line of the outliner stands for. */
export type Item =
  | { kind: "section" }
  | { kind: "clip"; clip: string }
  | { kind: "joint"; joint: number; place: Place }
  | { kind: "point"; place: Place }
  | { kind: "control"; channel: ChannelInfo }
  | { kind: "handle"; channels: readonly string[] }
  | { kind: "mesh"; mesh: MeshInfo }
  | { kind: "prop"; prop: PropInfo };

export type Line = Node<Item>;

/** The document as the outliner lists it: joints with their points, controls, handles, meshes, props, and clips where there is a choice. */
export function outline(scene: Scene): Line[] {
  const sections: [string, Line[]][] = [
    ["Skeleton", skeleton(scene)],
    ["Controls", scene.channels.filter(isControl).map(control)],
    ["Handles", handles(scene)],
    ["Obstacles", props(scene, "obstacle")],
    ["Meshes", scene.meshes.map((mesh) => line(`mesh ${mesh.name}`, mesh.name, { kind: "mesh", mesh }))],
    ["Props", props(scene, "prop")],
    ["Clips", clips(scene)],
  ];
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(([name, lines]) => ({ ...line(`section ${name}`, name, { kind: "section" }), heading: true, children: lines, folded: name === "Clips" }));
}

/** Whether a channel belongs to no joint alone, so that it is listed by itself. */
export function isControl(channel: ChannelInfo): boolean {
  return !channel.handle && (channel.kind === "control" || channel.kind === "shape" || channel.kind === "bend");
}

/** The place on the body that an item stands for, if it is one. */
export function placeOf(item: Item): Place | null {
  return item.kind === "joint" || item.kind === "point" ? item.place : null;
}

/** The id of the line that shows a place: its point's, where it is one of the rig's, else that of the joint that carries it. */
export function lineOf(scene: Scene, place: Place): string {
  const point = scene.points.find((each) => samePlace(pointPlace(each), place));
  return point ? `point ${point.name}` : `joint ${mainJoint(place)}`;
}

function pointPlace({ name, joint, offset }: PointInfo): Place {
  return { parts: [{ joint, offset, weight: 1 }], name };
}

function skeleton(scene: Scene): Line[] {
  const beginning = commonBeginning(scene.joints.map(({ name }) => name));
  const lines = scene.joints.map(({ name }, joint) => ({
    ...line(`joint ${name}`, name, { kind: "joint", joint, place: jointPlace(name) }),
    shown: shortened(name, beginning),
  }));
  const byName = new Map(lines.map((each) => [each.name, each]));
  for (const point of scene.points) {
    byName.get(point.joint)?.children.push(line(`point ${point.name}`, point.name, { kind: "point", place: pointPlace(point) }));
  }
  const aside = helping(scene);
  const helpers = new Map<number, Line>();
  scene.joints.forEach(({ parent }, i) => {
    const above = lines[parent];
    if (!above) return;
    // Of a row of helpers the first is folded away, and the rest with it.
    if (aside[i] && !aside[parent]) fold(helpers, parent, above.name).children.push(lines[i]);
    else above.children.push(lines[i]);
  });
  for (const [joint, group] of helpers) {
    group.name = group.children.length === 1 ? "1 helper" : `${group.children.length} helpers`;
    lines[joint].children.push(group);
  }
  return lines.filter((_, i) => scene.joints[i].parent < 0);
}

/** By joint whether it and all below it only help: ends, targets, slots, nodes of meshes; what the body has is never folded away. */
function helping({ joints }: Scene): boolean[] {
  const aside = joints.map(({ bare }) => bare ?? false);
  for (let i = joints.length - 1; i >= 0; i--) {
    if (!aside[i] && joints[i].parent >= 0) aside[joints[i].parent] = false;
  }
  return aside;
}

/** The line under which a joint's helpers are. */
function fold(groups: Map<number, Line>, joint: number, name: string): Line {
  const known = groups.get(joint) ?? { ...line(`helpers ${name}`, "", { kind: "section" }), heading: true, folded: true };
  groups.set(joint, known);
  return known;
}

function clips(scene: Scene): Line[] {
  if (scene.clips.length < 2) return [];
  const beginning = commonBeginning(scene.clips);
  return scene.clips.map((clip) => ({ ...line(`clip ${clip}`, clip, { kind: "clip", clip }), shown: shortened(clip, beginning) }));
}

function control(channel: ChannelInfo): Line {
  return line(`control ${channel.name}`, channel.name, { kind: "control", channel });
}

/** IK handles, each with its seven channels. */
function handles({ channels }: Scene): Line[] {
  const names = [...new Set(channels.flatMap(({ handle }) => handle ?? []))];
  return names.map((name) =>
    line(`handle ${name}`, name, { kind: "handle", channels: channels.filter(({ handle }) => handle === name).map((each) => each.name) }),
  );
}

function props(scene: Scene, role: PropInfo["role"]): Line[] {
  return scene.props.filter((prop) => prop.role === role).map((prop) => line(`prop ${prop.name}`, prop.name, { kind: "prop", prop }));
}

function line(id: string, name: string, item: Item): Line {
  return { id, name, item, children: [] };
}
