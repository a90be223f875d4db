import type { Signal } from "@preact/signals-core";
import type { ChannelInfo, KeyRef, LayerInfo } from "../protocol/messages";
import { onChange } from "./changes";
import type { Curve } from "./curves";
import type { Model } from "./model";

/** What turns the numbers of a curve into names. */
export interface Names {
  channels: readonly ChannelInfo[];
  layers: readonly LayerInfo[];
}

/** How the server is told of a key. */
export function refOf(curve: Curve, key: number, names: Names): KeyRef {
  return { channel: names.channels[curve.channel].name, key, layer: layerName(curve, names) };
}

export function layerName(curve: Curve, names: Names): string | null {
  return curve.layer === 0 ? null : (names.layers[curve.layer - 1]?.name ?? null);
}

/** One text a key, for sets. */
export function refId(ref: KeyRef): string {
  return `${curveId(ref.channel, ref.layer ?? null)}\n${ref.key}`;
}

/** One text a curve, by its names. */
export function curveId(channel: string, layer: string | null): string {
  return `${channel}\n${layer ?? ""}`;
}

/**
 * Keep lists of keys honest, such as the selection: keys go by their numbers, so where a curve gets or loses keys (a
 * copy taken back, a key inserted), the numbers would mean other keys. Such refs are dropped.
 */
export function dropStaleKeys(model: Model, keys: Signal<readonly KeyRef[]>): void {
  let counts = new Map<string, number>();
  onChange(keys, (refs) => {
    const wanted = new Set(refs.map((ref) => curveId(ref.channel, ref.layer ?? null)));
    counts = new Map([...keyCounts(model)].filter(([id]) => wanted.has(id)));
  });
  onChange(
    () => model.curves.all(),
    () => {
      if (counts.size === 0) return;
      const now = keyCounts(model);
      const stale = new Set([...counts].filter(([id, count]) => now.get(id) !== count).map(([id]) => id));
      if (stale.size === 0) return;
      keys.value = keys.value.filter((ref) => !stale.has(curveId(ref.channel, ref.layer ?? null)));
    },
  );
}

function keyCounts(model: Model): Map<string, number> {
  const names: Names = { channels: model.scene.value?.channels ?? [], layers: model.clip.value?.layers ?? [] };
  const counts = new Map<string, number>();
  for (const curve of model.curves.all()) {
    const channel = names.channels[curve.channel];
    if (channel) counts.set(curveId(channel.name, layerName(curve, names)), curve.keys.length);
  }
  return counts;
}
