import { type FrameGrid, firstLabel } from "../canvas/frames";

/** What was typed as a frame or as seconds ("17", "0.71 s", "12 f"), as a frame from the clip's first; null: no number. */
export function frameFrom(text: string, grid: FrameGrid, inSeconds: boolean): number | null {
  const match = /^([+-]?(?:\d+[.,]?\d*|[.,]\d+))\s*(s|f)?$/i.exec(text.trim().replace("−", "-"));
  if (!match) return null;
  const value = Number(match[1].replace(",", "."));
  const unit = match[2]?.toLowerCase() ?? (inSeconds ? "s" : "f");
  return unit === "s" ? Math.round((value - grid.start) * grid.rate) : Math.round(value - firstLabel(grid));
}
