import type { Batch, BatchClip } from "../protocol/messages";

/** Which clips of a batch are looked at. */
export const FILTERS = {
  all: { label: "All", keeps: () => true },
  todo: { label: "To do", keeps: ({ done }: BatchClip) => !done },
  failed: { label: "Failed", keeps: ({ failed }: BatchClip) => failed },
  short: { label: "Fell short", keeps: ({ failed, problem }: BatchClip) => !failed && problem !== "" },
  edited: { label: "Edited", keeps: ({ edited }: BatchClip) => edited },
  done: { label: "Done", keeps: ({ done }: BatchClip) => done },
} as const;
export type Filter = keyof typeof FILTERS;

/** How a table is looked at: which clips, with which text in them, by which figure ("" is the name), which way. */
export interface Looking {
  filter: Filter;
  text: string;
  by: string;
  up: boolean;
}

/** Figures that every table shows, where clips have them; the worst comes before. */
const ALWAYS = ["keys", "frames", "moved_mm", "seconds"];

/** The worst first, with what failed above all. */
export function atFirst(batch: Batch): Looking {
  return { filter: "all", text: "", by: batch.worst, up: false };
}

/** All figures that any clip has, in the order of the alphabet. */
export function figures(batch: Batch): string[] {
  return [...new Set(batch.clips.flatMap((clip) => Object.keys(clip.figures)))].sort();
}

/** The figures of the table's columns: the worst, the one that it is sorted by, and what every table shows. */
export function columns(batch: Batch, { by }: Looking): string[] {
  const known = new Set(figures(batch));
  return [...new Set([batch.worst, by, ...ALWAYS])].filter((name) => known.has(name));
}

/** How many clips each filter lets through. */
export function counts(batch: Batch): Record<Filter, number> {
  const names = Object.keys(FILTERS) as Filter[];
  return Object.fromEntries(names.map((name) => [name, batch.clips.filter(FILTERS[name].keeps).length])) as Record<Filter, number>;
}

/** The clips to be seen, in order. Failures have no figures; they come first where the largest do, else last. */
export function rows(batch: Batch, { filter, text, by, up }: Looking): BatchClip[] {
  const wanted = text.trim().toLowerCase();
  const found = batch.clips.filter((clip) => FILTERS[filter].keeps(clip) && words(clip).includes(wanted));
  const byName = (a: BatchClip, b: BatchClip): number => a.name.localeCompare(b.name, undefined, { numeric: true });
  const size = ({ figures, failed }: BatchClip): number => figures[by] ?? (failed ? Infinity : -Infinity);
  const way = up ? -1 : 1;
  return found.sort((a, b) => {
    if (by === "") return way * byName(a, b);
    // Two infinities have no difference.
    return size(a) === size(b) ? byName(a, b) : way * (size(b) - size(a));
  });
}

function words({ name, clip, problem }: BatchClip): string {
  return `${name} ${clip} ${problem}`.toLowerCase();
}

const UNITS: Record<string, string> = { mm: "mm", cm: "cm", m: "m", s: "s", mb: "MB", deg: "°" };

/** "judge.max_error_mm" as a person reads it: "judge: max error, mm". */
export function readableFigure(name: string): string {
  const [step, rest] = name.includes(".") ? [name.slice(0, name.indexOf(".")), name.slice(name.indexOf(".") + 1)] : ["", name];
  const parts = rest.replaceAll(".", " ").split("_");
  const unit = parts.length > 1 ? UNITS[parts[parts.length - 1]] : undefined;
  const said = (unit ? parts.slice(0, -1) : parts).join(" ");
  return `${step ? `${step.replaceAll("_", " ")}: ` : ""}${said}${unit ? `, ${unit}` : ""}`;
}

/** A figure with as many digits as anybody compares. */
export function readableValue(value: number | undefined): string {
  if (value === undefined) return "";
  if (Number.isInteger(value) || Math.abs(value) >= 1000) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(3)));
}
