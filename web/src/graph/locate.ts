import { frameOf, gripAt, hasHandle } from "./hits";
import { type Edge, edgesOf, handleEnd } from "./moves";
import type { Drawn } from "./rows";
import type { View } from "./view";

/** Something on the sheet: a key or one of its handles, or a grip on an edge of the selection's rectangle. */
export type GraphSpot = { channel: string; key: number; part?: "key" | "in" | "out"; layer?: string | null } | { edge: Edge };

/** Where something is on the sheet, in its pixels; null when it cannot be seen there. */
export function locate(view: View, drawn: readonly Drawn[], spot: GraphSpot): { x: number; y: number } | null {
  const found = "edge" in spot ? edgeAt(view, drawn, spot.edge) : partAt(view, drawn, spot);
  return found && view.holds(found.x, found.y) ? found : null;
}

function edgeAt(view: View, drawn: readonly Drawn[], edge: Edge): { x: number; y: number } | null {
  const framed = frameOf(view, drawn);
  return framed && edgesOf(framed.extent).includes(edge) ? gripAt(framed.box, edge) : null;
}

function partAt(view: View, drawn: readonly Drawn[], spot: Exclude<GraphSpot, { edge: Edge }>): { x: number; y: number } | null {
  const { channel, key: number, part = "key", layer = null } = spot;
  const found = drawn.find(({ row }) => row.info.name === channel && row.layerName === layer);
  const key = found?.curve.keys[number];
  if (!found || !key) return null;
  // Only selected keys show their handles.
  if (part !== "key" && !(found.selected.has(number) && hasHandle(found.curve.keys, number, part))) return null;
  const end = part === "key" ? key : handleEnd(key, part);
  return { x: view.time.x(end.time), y: view.axis(found.row.unit).y(end.value) };
}
