import type { GuidanceHeat } from "../protocol/messages";

/** Costs that are no effort of the body: how far the motion strays from what it was. */
const REGULARISERS = new Set(["path", "tangents"]);

export interface HeatStrip {
  times: readonly number[];
  /** Cost at each time. */
  values: readonly number[];
  /** The term that it is of; null is all of them. */
  term: string | null;
  /** Whose cost it is: of the joints and channels shown, or of the whole body where these cost nothing. */
  isWhole: boolean;
}

/** Cost over time of some joints and channels, by name: of one term, or of all together. */
export function heatOf(heat: GuidanceHeat, names: ReadonlySet<string>, only: string | null = null): HeatStrip {
  const effort = heat.rows.filter(({ term }) => !REGULARISERS.has(term));
  const chosen = effort.filter(({ term }) => term === only);
  // A term that does not count any more has no cost to be shown.
  const [costs, term] = chosen.length > 0 ? [chosen, only] : [effort, null];
  const own = costs.filter(({ label }) => names.has(label));
  const rows = own.length > 0 ? own : costs;
  const values = heat.times.map((_, i) => rows.reduce((sum, row) => sum + row.values[i], 0));
  return { times: heat.times, values, term, isWhole: own.length === 0 };
}

/** What the brightest colour stands for: single moments, as beside a key, must not make all others dark. */
export function brightest({ values }: HeatStrip): number {
  const sorted = [...values].sort((a, b) => a - b);
  return Math.max(1e-12, sorted[Math.floor(0.97 * (sorted.length - 1))] ?? 0);
}
