import type { Key } from "../model/curves";
import type { Model } from "../model/model";
import { parse, type Quantity } from "../panels/units";
import { exact } from "./moves";
import { type Row, refOf } from "./rows";

/** The time of a frame (or the seconds) that somebody typed; null when it is no number. */
export function typedTime(text: string, rate: number, inSeconds: boolean): number | null {
  const number = parse(text.trim().replace(/s$/, ""), "frames");
  return number === null || inSeconds ? number : number / rate;
}

/** Bring a key to a time and value in one step of the history. */
export async function bringKey(model: Model, row: Row, number: number, key: Key, time: number, value: number): Promise<void> {
  const hand = model.take({ kind: "move-keys", keys: [refOf(row, number)] });
  hand.move(time - exact(key.time, model.clip.value?.rate ?? 1), value - key.value, 1, 1, 0, 0);
  await hand.commit();
}

/** What a field's text asks of a key: a time and a value, or null where the text makes no sense. */
export function wished(key: Key, field: "time" | "value", text: string, quantity: Quantity, rate: number, inSeconds: boolean): { time: number; value: number } | null {
  const number = field === "time" ? typedTime(text, rate, inSeconds) : parse(text, quantity);
  if (number === null) return null;
  return field === "time" ? { time: number, value: key.value } : { time: exact(key.time, rate), value: number };
}
