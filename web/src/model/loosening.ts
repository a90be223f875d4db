import { signal } from "@preact/signals-core";
import type { AimInfo, Looseness, LoosenessSettings, LooseState, Place, PointTarget, PoseTarget, TargetState, Windows } from "../protocol/messages";
import { onChange } from "./changes";
import type { Model } from "./model";

/** Keyed motion curves go by the number of the loose one that they belong to, and this much more. */
const KEYED_ARCS = 1_000_000;

export function keyedArc(arc: number): number {
  return arc + KEYED_ARCS;
}

export function isKeyedArc(arc: number): boolean {
  return arc > KEYED_ARCS;
}

/** What the page knows of looseness: as the server told it, and which target is chosen. */
export class Loosening {
  readonly told = signal<Looseness | null>(null);
  readonly state = signal<LooseState | null>(null);
  /** How far windows leave the motion from a whole simulation; null until it was asked for since the last change. */
  readonly windows = signal<Windows | null>(null);
  /** Whether the keyed body is drawn as a wireframe beside the loose one, and keyed arcs beside loose ones. */
  readonly showKeyed = signal(true);
  /** The chosen target, by name. */
  readonly chosen = signal<string | null>(null);

  /** A target that is to be chosen as soon as it is told. */
  private awaited: string | null = null;

  constructor(private readonly model: Model) {
    onChange(
      () => [this.showKeyed.value, model.welcome.value],
      () => this.wish(),
    );
    onChange(model.changed, (what) => {
      if (what && what.last >= what.first) this.windows.value = null;
    });
    // Whoever selects something else means that, and no target any more.
    onChange(
      () => [model.selection.points.value, model.selection.controls.value],
      () => {
        this.chosen.value = null;
      },
    );
  }

  hear(message: Looseness): void {
    this.told.value = message;
    this.windows.value = null;
    if (!message.targets.some(({ name }) => name === this.chosen.value)) this.chosen.value = null;
    const { awaited } = this;
    this.awaited = null;
    if (awaited !== null) this.choose(awaited);
  }

  /** Whether what is shown swings. */
  get isLoose(): boolean {
    return this.told.value?.loose ?? false;
  }

  /** Whether anything has been loosened, be it switched on or off. */
  get hasSprings(): boolean {
    const settings = this.told.value?.settings;
    return settings !== undefined && (settings.springs.length > 0 || (settings.soft?.length ?? 0) > 0);
  }

  /** Whether keyed poses and arcs are shown beside loose ones. */
  get showsBoth(): boolean {
    return this.isLoose && this.showKeyed.value;
  }

  get targets(): readonly AimInfo[] {
    return this.told.value?.targets ?? [];
  }

  get chosenTarget(): AimInfo | null {
    return this.targets.find(({ name }) => name === this.chosen.value) ?? null;
  }

  /** How things stand with a target; null until the server has told. */
  stateOf(name: string): TargetState | null {
    return this.state.value?.targets.find((each) => each.name === name) ?? null;
  }

  /** Choose a target: its point's arc comes with it, and one looks at its frame. */
  choose(name: string): void {
    const aim = this.targets.find((each) => each.name === name);
    if (!aim) return;
    const place = placeOfTarget(aim.target);
    if (place) this.model.selection.pick(place);
    this.chosen.value = name;
    this.model.playback.pause();
    this.model.playback.go(this.model.frameOf(aim.target.time));
  }

  /** One more target, chosen at once. */
  async add(target: PointTarget | PoseTarget): Promise<void> {
    const name = await this.model.ask({ type: "add-target", target });
    if (!name) return;
    // That it was done may be told before what has changed.
    if (this.targets.some((each) => each.name === name)) this.choose(name);
    else this.awaited = name;
  }

  /** Change some of a target; nothing where there is no such target. */
  async change(name: string, changes: Partial<PointTarget>): Promise<void> {
    const aim = this.targets.find((each) => each.name === name);
    if (aim) await this.model.ask({ type: "replace-target", name, target: { ...aim.target, ...changes } as PointTarget });
  }

  /** Another looseness of the whole clip, in some respects. */
  async set(changes: Partial<LoosenessSettings>): Promise<void> {
    const settings = this.told.value?.settings ?? { springs: [] };
    await this.model.ask({ type: "loosen", settings: { ...settings, ...changes } });
  }

  private wish(): void {
    if (this.model.connection.state.value === "open") void this.model.ask({ type: "show-keyed", on: this.showKeyed.value });
  }
}

/** The place on the body that a target is of; null for a pose or a vertex. */
export function placeOfTarget(target: PointTarget | PoseTarget): Place | null {
  return target.kind === "point" ? (target.place ?? null) : null;
}

/** A point's target at a time, wanting it where it is keyed. */
export function targetAt(place: Place, time: number): PointTarget {
  return { kind: "point", time, place, position: "keyed" };
}
