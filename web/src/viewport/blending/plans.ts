import type { DataTexture } from "three";
import { keyed } from "../../protocol/door";
import type { SkinInfo } from "../../protocol/messages";
import { type Plan, planTexture, readPlan } from "./plan";

/** A plan that has arrived; its texture is made when it is first drawn with. */
class LoadedPlan {
  private made: DataTexture | null = null;

  constructor(readonly plan: Plan) {}

  get texture(): DataTexture {
    this.made ??= planTexture(this.plan);
    return this.made;
  }

  dispose(): void {
    this.made?.dispose();
  }
}

/** The plans of the shown meshes, fetched as soon as they are named; those named before stay until all new ones are there. */
export class Plans {
  private readonly loaded = new Map<number, LoadedPlan>();
  private readonly asked = new Set<number>();
  private wanted = new Set<number>();

  /** `arrived` is called when there is more to be drawn with, `failed` when a plan could not be had. */
  constructor(
    private readonly arrived: () => void,
    private readonly failed: (error: Error) => void,
  ) {}

  get(number: number): LoadedPlan | null {
    return this.loaded.get(number) ?? null;
  }

  /** Another server: its numbers stand for other plans. */
  forget(): void {
    for (const plan of this.loaded.values()) plan.dispose();
    this.loaded.clear();
    this.asked.clear();
  }

  want(skins: readonly SkinInfo[]): void {
    this.wanted = new Set(skins.map((each) => each.plan));
    for (const { plan, url } of skins) {
      if (this.loaded.has(plan) || this.asked.has(plan)) continue;
      this.asked.add(plan);
      this.fetch(plan, url)
        .catch(this.failed)
        .finally(() => this.asked.delete(plan));
    }
    this.tidy();
  }

  private async fetch(number: number, url: string): Promise<void> {
    const answer = await fetch(keyed(url), { cache: "no-store" });
    // A newer plan may have taken its place while this one was asked for.
    if (!answer.ok && !this.wanted.has(number)) return;
    if (!answer.ok) throw new Error(`How the skin is blended could not be fetched (${answer.status}); reload the page to try again.`);
    const data = await answer.arrayBuffer();
    // Meanwhile another server may have come, whose plan of this number is another.
    if (!this.asked.has(number)) return;
    this.loaded.set(number, new LoadedPlan(readPlan(number, data)));
    this.tidy();
    this.arrived();
  }

  private tidy(): void {
    if ([...this.wanted].some((number) => !this.loaded.has(number))) return;
    for (const [number, plan] of this.loaded) {
      if (this.wanted.has(number)) continue;
      plan.dispose();
      this.loaded.delete(number);
    }
  }
}
