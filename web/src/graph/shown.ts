import { computed, signal } from "@preact/signals-core";
import { onChange } from "../model/changes";
import type { Model } from "../model/model";
import { placeName } from "../model/selection";
import { drawnRows, still } from "./key_selection";
import { type Drawn, type Row, rowsOf } from "./rows";

/** Which channels the graph lists, which of them it shows, and which one is meant; the list and the sheet share it. */
export class Shown {
  readonly rows = computed(() => this.list());
  /** Labels of rows that are listed but not drawn. */
  readonly hidden = signal<ReadonlySet<string>>(new Set());
  /** The row that the pointer is over, in the list or on the sheet. */
  readonly hovered = signal<Row | null>(null);
  private listed: readonly Row[] = [];
  private readonly drawn = computed(() => drawnRows(this.visible, this.model.curves, this.model.selection.keys.value));

  constructor(private readonly model: Model) {
    onChange(
      () => [this.rows.value, model.curves.all()],
      () => this.dropKeys(),
    );
    // What was hidden to look at one joint must not hide all there is to see of the next.
    onChange(this.rows, (rows) => {
      if (rows.length > 0 && this.visible.length === 0) this.hidden.value = new Set();
    });
  }

  get visible(): Row[] {
    return this.rows.value.filter((row) => !this.hidden.value.has(row.label));
  }

  /** The channels shown, and the joints that they move. */
  get names(): ReadonlySet<string> {
    return new Set(this.visible.flatMap(({ info }) => [info.name, ...info.joints]));
  }

  /** The visible rows that have curves. */
  curves(): readonly Drawn[] {
    return this.drawn.value;
  }

  /** The row whose limits and value are told: the last selected key's, the only one, or the one pointed at. */
  get active(): Row | null {
    const curves = this.curves();
    const last = this.model.selection.keys.value.at(-1);
    const chosen = last && curves.find(({ row }) => row.info.name === last.channel && row.layerName === (last.layer ?? null));
    return chosen?.row ?? (curves.length === 1 ? curves[0].row : this.hovered.value);
  }

  /** Show this row alone; when it is alone already, all. */
  isolate(row: Row): void {
    const visible = this.visible;
    const alone = visible.length === 1 && visible[0].label === row.label;
    this.hidden.value = new Set(alone ? [] : this.rows.value.map(({ label }) => label).filter((label) => label !== row.label));
  }

  toggle(row: Row): void {
    const hidden = new Set(this.hidden.value);
    if (!hidden.delete(row.label)) hidden.add(row.label);
    this.hidden.value = hidden;
  }

  /** Why there is nothing to see, and what would help; empty when there is something. */
  get emptiness(): string {
    if (!this.model.scene.value || this.curves().length > 0) return "";
    if (!this.model.clip.value) return "There is no clip in this document";
    const { active, controls } = this.model.selection;
    const name = active ? placeName(active.place) : controls.value.at(-1);
    if (this.rows.value.length > this.visible.length) return "All curves are hidden: click a channel in the list";
    if (name === undefined) return "Nothing is keyed yet: pull a part of the body with Q, or press K, to begin";
    return this.rows.value.length > 0 ? `${name} has no keys yet: K sets them on this frame` : `${name} has no channels of its own`;
  }

  /** What is to be listed; the list that there is, where it says the same. */
  private list(): readonly Row[] {
    const { scene, clip, curves, selection } = this.model;
    const chosen = { points: selection.points.value, controls: selection.controls.value };
    const rows = scene.value && clip.value ? rowsOf(scene.value, clip.value, curves, chosen) : [];
    const before = this.listed;
    const same = rows.length === before.length && rows.every((row, i) => row.label === before[i].label && row.info === before[i].info);
    if (!same) this.listed = rows;
    return this.listed;
  }

  /** While a hand copies keys, numbers come and go; afterwards a number without a key means nothing. */
  private dropKeys(): void {
    const { selection, curves, hand } = this.model;
    if (!hand.value) selection.keys.value = still(selection.keys.value, this.rows.value, curves);
  }
}
