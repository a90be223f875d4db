import type { ChannelInfo, KeyRef, LayerInfo } from "../protocol/messages";
import type { Curve } from "./curves";

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
