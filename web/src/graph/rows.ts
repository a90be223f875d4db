import type { Curve, Curves } from "../model/curves";
import type { SelectedPoint } from "../model/selection";
import type { ChannelInfo, Clip, KeyRef, Scene } from "../protocol/messages";
import { axisOf, type Unit, unitOf } from "./units";

/** A line of the channel list: a channel on the base or on a layer, whether or not it has a curve there. */
export interface Row {
  /** The channel's number; with the layer, what curves go by. */
  channel: number;
  info: ChannelInfo;
  /** 0 is the base, n the layer n − 1. */
  layer: number;
  layerName: string | null;
  /** What people read, and what it goes by: no two rows share one. */
  label: string;
  unit: Unit;
  axis: "x" | "y" | "z" | null;
}

/** A row with its curve and which of its keys are selected: what is drawn and what the pointer can hit. */
export interface Drawn {
  row: Row;
  curve: Curve;
  selected: ReadonlySet<number>;
}

/** What of the selection has channels: points by shapes that move and joints that carry them, controls by their name. */
interface Chosen {
  points: readonly SelectedPoint[];
  controls: readonly string[];
}

/**
 * The channels that move the selected points, those of the active one first, shapes before joints, and selected controls;
 * with nothing selected, all that have curves. A selected channel without any curve has a row too: it can be keyed.
 */
export function rowsOf(scene: Scene, clip: Clip, curves: Curves, chosen: Chosen): Row[] {
  const rows: Row[] = [];
  const everything = chosen.points.length + chosen.controls.length === 0;
  for (const channel of everything ? scene.channels.keys() : channelsOf(scene, chosen)) {
    const layers = Array.from({ length: clip.layers.length + 1 }, (_, layer) => layer);
    const keyed = layers.filter((layer) => curves.get(channel, layer) !== null);
    const listed = keyed.length > 0 || everything ? keyed : [0];
    for (const layer of listed) rows.push(row(scene.channels[channel], channel, layer, clip));
  }
  return rows;
}

export function refOf({ info, layerName }: Row, key: number): KeyRef {
  return { channel: info.name, key, layer: layerName };
}

export function isOn({ info, layerName }: Row, ref: KeyRef): boolean {
  return ref.channel === info.name && (ref.layer ?? null) === layerName;
}

function channelsOf(scene: Scene, { points, controls }: Chosen): Set<number> {
  const found = new Set<number>();
  for (const { place } of [...points].reverse()) {
    const parts = [...place.parts].sort((a, b) => b.weight - a.weight);
    const shapes = new Set(parts.flatMap((part) => (part.shapes ?? []).map(([channel]) => channel)));
    scene.channels.forEach(({ name }, i) => {
      if (shapes.has(name)) found.add(i);
    });
    for (const { joint } of parts) {
      scene.channels.forEach((channel, i) => {
        if (channel.joints.includes(joint)) found.add(i);
      });
    }
  }
  scene.channels.forEach(({ name }, i) => {
    if (controls.includes(name)) found.add(i);
  });
  return found;
}

function row(info: ChannelInfo, channel: number, layer: number, clip: Clip): Row {
  const layerName = layer === 0 ? null : clip.layers[layer - 1].name;
  return {
    channel,
    info,
    layer,
    layerName,
    label: layerName === null ? info.name : `${info.name} · ${layerName}`,
    unit: unitOf(info.kind),
    axis: axisOf(info),
  };
}
