import { computed, signal } from "@preact/signals-core";
import { TimeAxis } from "../canvas/time_axis";
import type { CostStrip } from "../model/cost_map";
import type { Curve } from "../model/curves";
import type { Names } from "../model/key_refs";
import type { Model } from "../model/model";
import { mainJoint } from "../model/selection";
import type { Clip, KeyRef } from "../protocol/messages";
import { type Arrangement, arrange, scrollToLane, within } from "./arrangement";
import { ChosenKeys } from "./chosen_keys";
import { type Hit, type HitSource, hitAt } from "./hits";
import { type KeyTimes, KeyTimesCache } from "./key_times";
import { type Lane, lanesOf } from "./lanes";
import { keyRows, type Row, summaryRow, type Wished } from "./rows";

/** A range that is being dragged and is not the server's yet: a new constraint, or the clip's own ends. */
export interface Draft {
  kind: "contact" | "pin" | "clip";
  lane: Lane | null;
  from: number;
  to: number;
}

/** How the dope sheet looks at the model: zoom, scroll, which rows are open, what is under the pointer. */
export class View implements HitSource {
  readonly axis = new TimeAxis();
  readonly scroll = { rows: 0, lanes: 0 };
  readonly open = signal<ReadonlySet<string>>(new Set());
  /** List everything, whatever is selected. */
  readonly listsAll = signal(false);
  /** The whole clip is shown, also when the panel is resized. */
  fitted = true;
  hover: { hit: Hit; x: number; y: number } | null = null;
  /** What is said beside the pointer while it drags. */
  said: { text: string; x: number; y: number } | null = null;
  draft: Draft | null = null;
  /** A key of the scene's camera that is being dragged, and where to. */
  cameraDraft: { from: number; to: number } | null = null;
  box: { x: number; y: number; toX: number; toY: number } | null = null;
  /** The constraint that was clicked last: Delete takes it away. */
  constraint: string | null = null;
  private readonly cache = new KeyTimesCache();

  constructor(readonly model: Model) {}

  get clip(): Clip {
    return this.model.clip.value ?? NO_CLIP;
  }

  get names(): Names {
    return { channels: this.model.scene.value?.channels ?? [], layers: this.clip.layers };
  }

  get chosen(): ChosenKeys {
    return this.current.value.chosen;
  }

  get inSeconds(): boolean {
    return this.model.timeInSeconds.value;
  }

  get cameraKeys(): readonly number[] {
    return this.model.camera.value?.keys ?? [];
  }

  timesOf = (row: Row): KeyTimes => this.cache.of(row.id, row.curves);

  /** What a joint or control costs over time, the whole body in the summary; null where there is nothing to show. */
  costsOf(row: Row): CostStrip | null {
    const { costs } = this.model;
    if (row.kind === "summary") return costs.strip(null);
    const names = row.curves.map(({ channel }) => this.names.channels[channel]?.name ?? "");
    const found = costs.strip(new Set(row.joint === null ? names : [row.joint, ...names]));
    return found?.isWhole ? null : found;
  }

  allCurves(): readonly Curve[] {
    return this.current.value.summary.curves;
  }

  /** Where everything is on a sheet of this size. */
  arrange(width: number, height: number): Arrangement {
    const { summary, rows } = this.current.value;
    const active = this.model.selection.active?.place ?? null;
    return arrange(width, height, summary, rows, lanesOf(this.model.constraints.value, active, this.clip, this.model.loosening.targets), this.scroll, {
      heard: this.model.sound.info.value !== null,
      filmed: this.model.camera.value !== null,
    });
  }

  hit(x: number, y: number, place: Arrangement): Hit {
    return hitAt(x, y, place, this);
  }

  fit(place: Arrangement): void {
    this.axis.fit(this.clip.start, this.clip.end, place.width - place.left, 16);
    this.fitted = true;
  }

  /** Turn the page when a time is out of sight. */
  reveal(time: number, place: Arrangement): void {
    const width = place.width - place.left;
    const x = this.axis.x(time);
    if (width <= 0 || (x >= -1 && x <= width + 1)) return;
    this.axis.start = time - (x < 0 ? 0.9 : 0.1) * (width / this.axis.scale);
    this.hover = null; // something else is under the pointer now
  }

  revealActiveLane(place: Arrangement): void {
    const lane = place.lanes.find((each) => each.item.active);
    if (lane) this.scroll.lanes = within(scrollToLane(place, lane, within(this.scroll.lanes, place.lanesSlack)), place.lanesSlack);
  }

  scrollBy(pixels: number, region: "rows" | "lanes", place: Arrangement): void {
    const slack = region === "rows" ? place.rowsSlack : place.lanesSlack;
    this.scroll[region] = within(within(this.scroll[region], slack) + pixels, slack);
  }

  toggleOpen(row: Row): void {
    const open = new Set(this.open.value);
    if (!open.delete(row.id)) open.add(row.id);
    this.open.value = open;
  }

  select(keys: readonly KeyRef[]): void {
    this.model.selection.keys.value = keys;
  }

  /** Rows and selected keys, made anew only when something they come from changed. */
  private readonly current = computed(() => {
    const { scene, curves, selection } = this.model;
    const names = this.names;
    // Curves of a scene that is just being replaced may name channels that are not there.
    const all = [...curves.all()].filter((curve) => curve.channel < names.channels.length);
    const rows = keyRows({ ...names, joints: scene.value?.joints ?? [], curves: all }, this.wished(), this.open.value);
    return { summary: summaryRow(all), rows, chosen: new ChosenKeys(selection.keys.value, all, names) };
  });

  private wished(): Wished | null {
    const { points, controls } = this.model.selection;
    if (this.listsAll.value || points.value.length + controls.value.length === 0) return null;
    return { joints: points.value.map((each) => mainJoint(each.place)), controls: controls.value };
  }
}

const NO_CLIP: Clip = { type: "clip", name: "", start: 0, end: 1, rate: 24, frames: 1, dense: false, loops: false, layers: [], kernels: [] };
