import type { Curve } from "../model/curves";
import { layerName, type Names } from "../model/key_refs";
import type { JointInfo } from "../protocol/messages";

/** A line of the dope sheet: everything, a joint (or a control), or one curve of it. */
export interface Row {
  /** One text a row, the same for as long as the row means the same. */
  id: string;
  kind: "summary" | "group" | "curve";
  name: string;
  /** The joint that a click on the name selects. */
  joint: string | null;
  /** The control or shape that a click on the name selects. */
  control: string | null;
  curves: readonly Curve[];
  open: boolean;
}

/** What rows are made of. */
export interface RowSource extends Names {
  joints: readonly JointInfo[];
  curves: Iterable<Curve>;
}

const SUMMARY_ID = "summary";

/** All keys of the clip in one row. */
export function summaryRow(curves: Iterable<Curve>): Row {
  return { id: SUMMARY_ID, kind: "summary", name: "All keys", joint: null, control: null, curves: [...curves], open: false };
}

/**
 * The rows of the wished joints and controls, or (null) of everything that has keys, in the rig's order.
 *
 * A channel that moves several joints is listed under each of them that is wished for; in the list of everything it
 * stands once, by its own name.
 */
export function keyRows(source: RowSource, wished: Wished | null, open: ReadonlySet<string>): Row[] {
  const groups = wished ? wishedGroups(source, wished) : allGroups(source);
  const rows: Row[] = [];
  for (const group of groups) {
    const single = group.control !== null && group.curves.length < 2;
    const isOpen = !single && open.has(group.id);
    rows.push({ ...group, kind: "group", open: isOpen });
    if (isOpen) rows.push(...group.curves.map((curve) => curveRow(group, curve, source)));
  }
  return rows;
}

export interface Wished {
  joints: readonly string[];
  controls: readonly string[];
}

type Group = Omit<Row, "kind" | "open">;

function wishedGroups(source: RowSource, { joints, controls }: Wished): Group[] {
  const curves = [...source.curves];
  const moving = (curve: Curve, joint: string): boolean => source.channels[curve.channel].joints.includes(joint);
  return [
    ...[...new Set(joints)].map((joint) =>
      jointGroup(
        joint,
        curves.filter((each) => moving(each, joint)),
      ),
    ),
    ...controls.map((name) =>
      controlGroup(
        name,
        curves.filter((each) => source.channels[each.channel].name === name),
      ),
    ),
  ];
}

function allGroups(source: RowSource): Group[] {
  const byJoint = new Map<string, Curve[]>(source.joints.map((joint) => [joint.name, []]));
  const byControl = new Map<string, Curve[]>();
  for (const curve of source.curves) {
    const { name, joints, kind } = source.channels[curve.channel];
    const own = joints.length === 1 && kind !== "control" && kind !== "shape" && kind !== "bend" ? byJoint.get(joints[0]) : undefined;
    if (own) own.push(curve);
    else byControl.set(name, [...(byControl.get(name) ?? []), curve]);
  }
  const joints = [...byJoint].filter(([, curves]) => curves.length > 0);
  return [...joints.map(([joint, curves]) => jointGroup(joint, curves)), ...[...byControl].map(([name, curves]) => controlGroup(name, curves))];
}

function jointGroup(joint: string, curves: Curve[]): Group {
  return { id: `joint ${joint}`, name: joint, joint, control: null, curves: inOrder(curves) };
}

function controlGroup(name: string, curves: Curve[]): Group {
  return { id: `control ${name}`, name, joint: null, control: name, curves: inOrder(curves) };
}

function curveRow(group: Group, curve: Curve, names: Names): Row {
  const channel = names.channels[curve.channel].name;
  const layer = layerName(curve, names);
  return {
    ...group,
    id: `${group.id} ${curve.layer} ${channel}`,
    kind: "curve",
    name: shortName(channel, group.name) + (layer === null ? "" : ` · ${layer}`),
    curves: [curve],
    open: false,
  };
}

/** Without the joint that stands above it: "rx" for "head.rx". */
function shortName(channel: string, group: string): string {
  return channel.startsWith(`${group}.`) ? channel.slice(group.length + 1) : channel;
}

function inOrder(curves: Curve[]): Curve[] {
  return curves.sort((a, b) => a.channel - b.channel || a.layer - b.layer);
}
