import { signal } from "@preact/signals-core";
import type { GuidanceSettings, KernelInfo, KeyRef } from "../protocol/messages";
import { onChange } from "./changes";
import { TERM_DEFAULTS, type TermName, whyNot } from "./guidance_terms";
import { refId } from "./key_refs";
import type { Model } from "./model";

/** What a run may change: fixed when it begins, for whoever selects another joint meanwhile does not mean to begin anew. */
export type Allowed = Pick<GuidanceSettings, "channels" | "start" | "end">;

/** The whole clip; the played range, or the seconds around the shown frame; from the first selected key to the last. */
export type When = "clip" | "range" | "keys";

/** How this page steers guidance: sliders, kernels, frozen keys, and what may change. */
export class Steering {
  readonly regularise = signal(0.3);
  readonly weights = signal<Readonly<Record<TermName, number>>>(TERM_DEFAULTS);
  /** Whether torque counts what it takes to hold the body up. */
  readonly gravity = signal(false);
  /** Whether something drives the root, so that torque counts what that takes. */
  readonly heldRoot = signal(false);
  /** How the body is weighed; null is as the clip's looseness says. */
  readonly masses = signal<NonNullable<GuidanceSettings["masses"]> | null>(null);
  /** The clip that style compares with; null is the motion as it was. */
  readonly style = signal<string | null>(null);
  /** By joint: how much more its tangents stay as they are. */
  readonly factors = signal<ReadonlyMap<string, number>>(new Map());
  /** When costs count less: as the clip has it, but for a run under way, which may try others. */
  readonly kernels = signal<readonly KernelInfo[]>([]);
  /** Keys whose tangents stay as they are. */
  readonly frozen = signal<readonly KeyRef[]>([]);
  /** Whether only the channels of the selected joints may change. */
  readonly selectedOnly = signal(false);
  /** When it may change, where somebody has said so; see `when`. */
  readonly wishedWhen = signal<When | null>(null);
  /** Whether the ends of a clip that loops keep one slope. */
  readonly seamless = signal(false);
  /** Whether the skin stays out of obstacles and of the ground. */
  readonly clear = signal(false);
  /** The layer that is guided; null is the base. It is that of the keys selected last. */
  readonly layer = signal<string | null>(null);

  constructor(protected readonly model: Model) {
    onChange(model.clip, (clip) => {
      const names = clip?.layers.map(({ name }) => name) ?? [];
      if (this.layer.value !== null && !names.includes(this.layer.value)) this.layer.value = null;
      if (this.style.value !== null && !model.scene.value?.clips.includes(this.style.value)) this.style.value = null;
    });
  }

  /** When it may change: in the whole clip or, of one that is long, within the range at hand, unless somebody says otherwise. */
  get when(): When {
    return this.wishedWhen.value ?? (this.model.isLong.value ? "range" : "clip");
  }

  /** Everything that a run under way follows. */
  protected get steered(): unknown[] {
    const { regularise, weights, gravity, heldRoot, masses, style, factors, kernels, frozen, seamless, clear } = this;
    return [regularise, weights, gravity, heldRoot, masses, style, factors, kernels, frozen, seamless, clear].map(({ value }) => value);
  }

  /** Why a term has nothing to count in this clip; empty when it has. */
  whyNot(term: TermName): string {
    return whyNot(term, this.model.scene.value, this.model.constraints.value);
  }

  /** The terms that count, with their weights. */
  terms(): { name: TermName; weight: number }[] {
    const all = Object.entries(this.weights.value) as [TermName, number][];
    return all.filter(([name, weight]) => weight > 0 && !this.whyNot(name)).map(([name, weight]) => ({ name, weight }));
  }

  settings(allowed: Allowed): GuidanceSettings {
    return {
      terms: this.terms(),
      regularise: this.regularise.value,
      joints: [...this.factors.value].map(([joint, factor]) => ({ joint, factor })),
      kernels: [...this.kernels.value],
      gravity: this.gravity.value,
      held_root: this.heldRoot.value,
      masses: this.masses.value,
      style: this.style.value,
      frozen: [...this.frozen.value],
      seamless: this.seamless.value,
      clear: this.clear.value,
      ...allowed,
    };
  }

  /** Put the sliders where a run has them that another page began. */
  protected adopt(settings: GuidanceSettings, layer: string | null): Allowed {
    const weights: Record<TermName, number> = Object.fromEntries(Object.keys(TERM_DEFAULTS).map((name) => [name, 0]));
    for (const { name, weight } of settings.terms) weights[name] = weight;
    this.weights.value = weights;
    this.regularise.value = settings.regularise ?? this.regularise.value;
    this.factors.value = new Map((settings.joints ?? []).map(({ joint, factor }) => [joint, factor ?? Infinity]));
    this.kernels.value = settings.kernels ?? this.model.clip.value?.kernels ?? [];
    this.gravity.value = settings.gravity ?? false;
    this.heldRoot.value = settings.held_root ?? false;
    this.masses.value = settings.masses ?? null;
    this.style.value = settings.style ?? null;
    this.frozen.value = settings.frozen ?? [];
    this.seamless.value = settings.seamless ?? false;
    this.clear.value = settings.clear ?? false;
    const { channels = null, start = null, end = null } = settings;
    this.selectedOnly.value = channels !== null;
    this.wishedWhen.value = start !== null || end !== null ? "keys" : "clip";
    this.layer.value = layer;
    return { channels, start, end };
  }

  weigh(term: TermName, weight: number): void {
    this.weights.value = { ...this.weights.value, [term]: weight };
  }

  factor(joint: string): number {
    return this.factors.value.get(joint) ?? 1;
  }

  setFactor(joint: string, factor: number): void {
    const factors = new Map(this.factors.value);
    if (Math.abs(factor - 1) < 0.02) factors.delete(joint);
    else factors.set(joint, factor);
    this.factors.value = factors;
  }

  /** Put a kernel in another's place, or take one away; a hand that moves says when to save. */
  setKernel(number: number, kernel: KernelInfo | null): void {
    const kernels = [...this.kernels.value];
    if (kernel) kernels[number] = kernel;
    else kernels.splice(number, 1);
    this.kernels.value = kernels;
  }

  /** Let the tangents of keys stay as they are; where all of them do already, let them go. */
  toggleFrozen(keys: readonly KeyRef[]): void {
    const named = new Set(keys.map(refId));
    const others = this.frozen.value.filter((ref) => !named.has(refId(ref)));
    this.frozen.value = this.areFrozen(keys) ? others : [...others, ...keys];
  }

  areFrozen(keys: readonly KeyRef[]): boolean {
    const frozen = new Set(this.frozen.value.map(refId));
    return keys.length > 0 && keys.every((ref) => frozen.has(refId(ref)));
  }

  /** Another character: its joints, keys and times are others. */
  protected resetSteering(): void {
    this.factors.value = new Map();
    this.kernels.value = this.model.clip.value?.kernels ?? [];
    this.frozen.value = [];
    this.layer.value = this.style.value = null;
    this.wishedWhen.value = null;
    this.selectedOnly.value = this.seamless.value = this.clear.value = false;
  }
}
