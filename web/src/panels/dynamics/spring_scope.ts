import type { ChainInfo, Looseness, Scene, SpringInfo } from "../../protocol/messages";
import { sameSpring } from "./preset_scale";

/** What the sliders of springs are about: some joints, a chain, or the whole body, which swing as one; or controls. */
export interface SpringScope {
  kind: "joints" | "chain" | "body" | "controls";
  /** Its joints, or controls. */
  joints: readonly string[];
  /** Those of them that are loose. */
  loose: readonly string[];
  /** What it is called in the middle of a sentence. */
  whose: string;
  /** How it swings, or what stands for springs that differ. */
  spring: Required<SpringInfo>;
  mixed: boolean;
  /** How a gesture or request names it; null is the whole body. */
  names: string[] | null;
  tip: number | null;
  /** The chain that it is, or that its only joint is within. */
  chain: ChainInfo | null;
  /** How the body swings as a whole where these joints have the same springs as all others; else null. */
  sway: SpringInfo | null;
}

/** The scope of selected joints, or else controls; nothing is the whole body, and the first joint of a chain the chain. */
export function springScope(scene: Scene, told: Looseness, selected: readonly string[], controls: readonly string[] = []): SpringScope {
  const springs = new Map(told.settings.springs.map((each) => [each.name, each]));
  const found = (joints: readonly string[]): SpringInfo[] => joints.flatMap((name) => springs.get(name) ?? []);
  const scope = (joints: readonly string[]): Pick<SpringScope, "joints" | "loose" | "spring" | "mixed"> => {
    const there = found(joints);
    const spring = middle(there);
    return { joints, loose: there.map(({ name }) => name), spring, mixed: there.some((each) => !sameSpring(each, spring)) };
  };
  if (selected.length === 0 && controls.length > 0) {
    const whose = controls.length === 1 ? controls[0] : `${controls.length} controls`;
    return { ...scope(controls), kind: "controls", whose, names: [...controls], tip: null, chain: null, sway: null };
  }
  if (selected.length === 0) {
    const held = new Set(told.held);
    const free = scene.joints.filter(({ name, parent }) => parent >= 0 && (springs.has(name) || !held.has(name))).map(({ name }) => name);
    const body = { ...scope(free), kind: "body", whose: "the whole body", names: null, tip: null, chain: null, sway: told.sway } as const;
    return told.sway ? { ...body, spring: asOne(told.sway) } : body;
  }
  const [first] = selected;
  const chain = (selected.length === 1 && told.chains.find(({ joints }) => joints.includes(first))) || null;
  if (chain?.first === first) {
    const whose = `the chain from ${first}`;
    return {
      kind: "chain",
      joints: chain.joints,
      loose: chain.joints,
      whose,
      spring: asOne(chain),
      mixed: false,
      names: [first],
      tip: chain.tip,
      chain,
      sway: null,
    };
  }
  const whose = selected.length === 1 ? first : `${selected.length} joints`;
  const some = scope(selected);
  const isPart = some.loose.length > 0 && found(scene.joints.map(({ name }) => name)).length > some.loose.length;
  return { ...some, kind: "joints", whose, names: [...selected], tip: null, chain, sway: isPart ? told.sway : null };
}

/** Names for reading: all of a few, else the first ones and how many more there are. */
export function someNames(names: readonly string[], most = 8): string {
  if (names.length <= most + 1) return names.join(", ");
  return `${names.slice(0, most).join(", ")} and ${names.length - most} more`;
}

function asOne({ frequency, damping = 0.5 }: { frequency: number; damping?: number }): Required<SpringInfo> {
  return { name: "", frequency, damping };
}

/** Springs that stand for several: ratios matter, so the geometric mean. */
function middle(springs: readonly SpringInfo[]): Required<SpringInfo> {
  if (springs.length === 0) return { name: "", frequency: 3.5, damping: 0.5 };
  const frequency = Math.exp(springs.reduce((sum, each) => sum + Math.log(each.frequency), 0) / springs.length);
  const damping = springs.reduce((sum, each) => sum + (each.damping ?? 0.5), 0) / springs.length;
  return { name: "", frequency, damping };
}
