import { computed, signal } from "@preact/signals-core";
import type { CostsOverTime, GuidanceSettings } from "../protocol/messages";
import { onChange } from "./changes";
import type { TermName } from "./guidance_terms";
import type { Model } from "./model";

/** Cost over time of some joints and channels, ready to be drawn. */
export interface CostStrip {
  times: readonly number[];
  /** Cost at each time, in `unit`; `most` is what the brightest colour stands for. */
  values: readonly number[];
  most: number;
  unit: string;
  term: string;
  /** Whose cost it is: of the joints and channels asked for, or of the whole body where these cost nothing. */
  isWhole: boolean;
}

/** What the shown motion costs over time, by one term: there while it is on, before any run, during one, and under every hand. */
export class CostMap {
  readonly on = signal(true);
  /** The term that somebody chose; one that does not count any more gives way to the first that does. */
  readonly chosen = signal<TermName | null>(null);
  readonly told = signal<CostsOverTime | null>(null);
  readonly term = computed(() => this.choices.find((name) => name === this.chosen.value) ?? this.choices.at(0) ?? null);
  /** What the brightest colour stands for, by what is measured: fixed until somebody rescales, so that a fall is seen. */
  private readonly scales = signal<ReadonlyMap<string, number>>(new Map());
  private asking = 0;
  private unanswered = 0;

  constructor(private readonly model: Model) {
    onChange(
      () => JSON.stringify(this.wish()),
      () => this.ask(),
    );
    onChange(
      () => model.clip.value?.name,
      () => this.forget(),
    );
  }

  /** The terms that could be shown: those that count. */
  get choices(): TermName[] {
    return this.model.guiding.terms().map(({ name }) => name);
  }

  /** What the brightest colour stands for now; null before anything was measured. */
  get most(): number | null {
    return this.scales.value.get(this.measure) ?? null;
  }

  hear(message: CostsOverTime): void {
    // What was measured before the newest wish would set a scale for something else.
    if (this.unanswered > 0) return;
    this.told.value = message;
    if (this.most === null && message.rows.length > 0) this.rescale();
  }

  /** Let the brightest colour stand for what these joints and channels cost at most, or any joint. */
  rescale(names: ReadonlySet<string> | null = null): void {
    const { told } = this;
    if (!told.value) return;
    const strip = names && this.strip(names);
    const loudest = (_: number, i: number): number => Math.max(0, ...(told.value?.rows ?? []).map(({ values }) => values[i]));
    const most = roundUp(nearlyMost(strip ? strip.values : told.value.times.map(loudest)));
    this.scales.value = new Map(this.scales.value).set(this.measure, most);
  }

  /** The cost of joints and channels by name, all of the body's with null; null where nothing is to be shown. */
  strip(names: ReadonlySet<string> | null): CostStrip | null {
    const [told, most] = [this.told.value, this.most];
    if (!this.on.value || !told || most === null || told.rows.length === 0 || told.term !== this.term.value) return null;
    const own = names === null ? [] : told.rows.filter(({ label }) => names.has(label));
    const rows = own.length > 0 ? own : told.rows;
    const values = told.times.map((_, i) => Math.sqrt(rows.reduce((sum, row) => sum + row.values[i] ** 2, 0)));
    return { times: told.times, values, most, unit: told.unit, term: told.term, isWhole: own.length === 0 };
  }

  /** Ask anew, as a new connection knows nothing of what this page wants to see. */
  ask(): void {
    const { connection } = this.model;
    if (connection.state.value !== "open" || this.asking !== 0) return;
    // Kernels move faster than the server need hear: once a displayed frame is enough.
    this.asking = requestAnimationFrame(async () => {
      this.asking = 0;
      this.unanswered++;
      await this.model.ask({ type: "show-costs", settings: this.wish() });
      this.unanswered--;
    });
  }

  /** Another clip or character: what was measured says nothing of it. */
  forget(): void {
    this.told.value = null;
    this.scales.value = new Map();
  }

  private wish(): GuidanceSettings | null {
    const term = this.term.value;
    if (!this.on.value || term === null || !this.model.clip.value) return null;
    const { kernels, gravity, held_root, masses, style } = this.model.guiding.settings({});
    return { terms: [{ name: term, weight: 1 }], kernels, gravity, held_root, masses, style };
  }

  /** What is measured, in all that makes its numbers others: each has a scale of its own. */
  private get measure(): string {
    const { gravity, held_root, masses, style } = this.model.guiding.settings({});
    return JSON.stringify([this.term.value, gravity, held_root, masses, style]);
  }
}

/** Single moments, as beside a key, must not make all others dark. */
function nearlyMost(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(0.97 * (sorted.length - 1))] ?? 0;
}

/** The next of 1, 2, 5, 10, 20 … */
export function roundUp(value: number): number {
  if (!(value > 1e-9)) return 1;
  const ten = 10 ** Math.floor(Math.log10(value));
  return ten * ([1, 2, 5].find((digit) => digit * ten >= value * (1 - 1e-9)) ?? 10);
}
