import { type FrameGrid, firstLabel } from "../canvas/frames";
import type { Key } from "../model/curves";
import type { Model } from "../model/model";
import { parse, type Quantity } from "../model/units";
import { exact, type Spot } from "./moves";
import { type Row, refOf } from "./rows";

/** A key's frame (or seconds) as a field shows it, finer than a label. */
export function timeText(time: number, grid: FrameGrid, inSeconds: boolean): string {
  if (inSeconds) return `${Number(time.toFixed(3))} s`;
  return String(Number((firstLabel(grid) + (time - grid.start) * grid.rate).toFixed(2)));
}

/** The time of a frame (or the seconds) that somebody typed; null when it is no number. */
export function typedTime(text: string, grid: FrameGrid, inSeconds: boolean): number | null {
  const number = parse(text.trim().replace(/s$/, ""), "frames");
  return number === null || inSeconds ? number : grid.start + (number - firstLabel(grid)) / grid.rate;
}

/** Bring a key to a time and value in one step of the history. */
export async function bringKey(model: Model, row: Row, number: number, key: Key, { time, value }: Spot, grid: FrameGrid): Promise<void> {
  const hand = model.take({ kind: "move-keys", keys: [refOf(row, number)] });
  hand.move(time - exact(key.time, grid), value - key.value, 1, 1, 0, 0);
  await hand.commit();
}

/** What a field's text asks of a key; null where the text makes no sense. */
export function wished(key: Key, field: "time" | "value", text: string, quantity: Quantity, grid: FrameGrid, inSeconds: boolean): Spot | null {
  const number = field === "time" ? typedTime(text, grid, inSeconds) : parse(text, quantity);
  if (number === null) return null;
  return field === "time" ? { time: number, value: key.value } : { time: exact(key.time, grid), value: number };
}
