import type { Curves } from "../../model/curves";
import { mainJoint } from "../../model/selection";
import type { ConstraintInfo, Scene, SpringInfo } from "../../protocol/messages";

/** What the outliner marks on a joint: held as it is, kept still, animated by keys of its own. */
export interface Badges {
  pinned: boolean;
  planted: boolean;
  keyed: boolean;
  /** It, or a channel of its own, is on a spring. */
  loose: boolean;
}

const unmarked = (): Badges => ({ pinned: false, planted: false, keyed: false, loose: false });

/** The marks of every joint, in the order of the scene's joints. */
export function badgesOf(scene: Scene, constraints: readonly ConstraintInfo[], curves: Curves, springs: readonly SpringInfo[] = []): Badges[] {
  const badges = scene.joints.map(unmarked);
  const index = new Map(scene.joints.map((joint, i) => [joint.name, i]));
  for (const { on, stands, place } of constraints) {
    const at = badges[index.get(mainJoint(place)) ?? -1];
    if (!on || !at) continue;
    if (stands) at.planted = true;
    else at.pinned = true;
  }
  for (const { channel } of curves.all()) {
    const joints = scene.channels[channel]?.joints ?? [];
    const at = joints.length === 1 ? badges[index.get(joints[0]) ?? -1] : undefined;
    if (at) at.keyed = true;
  }
  const owners = new Map(scene.channels.flatMap(({ name, joints }) => (joints.length === 1 ? [[name, joints[0]]] : [])));
  for (const { name } of springs) {
    const at = badges[index.get(name) ?? index.get(owners.get(name) ?? "") ?? -1];
    if (at) at.loose = true;
  }
  return badges;
}

/** For every joint, whether anything below it is marked so; what a closed branch has to tell. */
export function below(scene: Scene, badges: readonly Badges[]): Badges[] {
  const sums = badges.map(unmarked);
  // Parents come before their children, so going backwards every joint is whole before its parent reads it.
  for (let i = scene.joints.length - 1; i >= 0; i--) {
    const parent = sums[scene.joints[i].parent];
    if (!parent) continue;
    parent.pinned ||= badges[i].pinned || sums[i].pinned;
    parent.planted ||= badges[i].planted || sums[i].planted;
    parent.keyed ||= badges[i].keyed || sums[i].keyed;
    parent.loose ||= badges[i].loose || sums[i].loose;
  }
  return sums;
}
