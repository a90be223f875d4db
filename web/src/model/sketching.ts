import { signal } from "@preact/signals-core";
import type { Bones, ChooseBones, Sketch } from "../protocol/messages";

/** How bones are chosen and what a stroke does to them. */
export interface SketchOptions {
  selecting: NonNullable<ChooseBones["selecting"]>;
  drawing: NonNullable<Sketch["drawing"]>;
  stretch: boolean;
  carry: boolean;
  /** What a line of action starts from. */
  support: NonNullable<Sketch["support"]>;
  /** Whether a drag on a bone twists it, rather than drawing a stroke. */
  twisting: boolean;
}

/** What the sketch tool works on: the bones as they are on the shown frame, those chosen, and how strokes are meant. */
export class Sketching {
  readonly shapes = signal<Bones | null>(null);
  /** Named by their joints. */
  readonly bones = signal<readonly string[]>([]);
  readonly options = signal<SketchOptions>({ selecting: "chain", drawing: "auto", stretch: false, carry: true, support: "rest", twisting: false });
  /** Whether the next answer to a choosing stroke is added to the bones that are chosen already. */
  adding = false;

  set(options: Partial<SketchOptions>): void {
    this.options.value = { ...this.options.value, ...options };
  }

  choose(joints: readonly string[]): void {
    this.bones.value = this.adding ? [...new Set([...this.bones.value, ...joints])] : joints;
    this.adding = false;
  }

  /** Choose a bone alone or, with `add`, besides the others; adding what is chosen takes it away. */
  pick(joint: string, add: boolean): void {
    const others = this.bones.value.filter((each) => each !== joint);
    if (!add) this.bones.value = [joint];
    else this.bones.value = others.length < this.bones.value.length ? others : [...others, joint];
  }

  /** Another character: bones that it does not have are not chosen any more. */
  keep(joints: ReadonlySet<string>): void {
    const kept = this.bones.value.filter((each) => joints.has(each));
    if (kept.length < this.bones.value.length) this.bones.value = kept;
  }
}
