import type { KernelInfo } from "../protocol/messages";
import { type BellPart, bellGrip } from "./bells";
import { frameOf, gripAt, hasHandle } from "./hits";
import { type Edge, edgesOf, handleEnd } from "./moves";
import type { Drawn } from "./rows";
import type { View } from "./view";

/** Something on the sheet: a key or one of its handles, a grip on an edge of the selection's rectangle, or one on a kernel's bell. */
export type GraphSpot =
  | { channel: string; key: number; part?: "key" | "in" | "out"; layer?: string | null }
  | { edge: Edge }
  | { kernel: number; part?: BellPart };

/** Where something is on the sheet, in its pixels; null when it cannot be seen there. */
export function locate(view: View, drawn: readonly Drawn[], spot: GraphSpot, kernels: readonly KernelInfo[] = []): { x: number; y: number } | null {
  const found =
    "edge" in spot ? edgeAt(view, drawn, spot.edge) : "kernel" in spot ? bellSpot(view, kernels[spot.kernel], spot.part) : partAt(view, drawn, spot);
  return found && view.holds(found.x, found.y) ? found : null;
}

function bellSpot(view: View, kernel: KernelInfo | undefined, part: BellPart = "centre"): { x: number; y: number } | null {
  return kernel ? bellGrip(view, kernel, part) : null;
}

function edgeAt(view: View, drawn: readonly Drawn[], edge: Edge): { x: number; y: number } | null {
  const framed = frameOf(view, drawn);
  return framed && edgesOf(framed.extent).includes(edge) ? gripAt(framed.box, edge) : null;
}

function partAt(view: View, drawn: readonly Drawn[], spot: Extract<GraphSpot, { channel: string }>): { x: number; y: number } | null {
  const { channel, key: number, part = "key", layer = null } = spot;
  const found = drawn.find(({ row }) => row.info.name === channel && row.layerName === layer);
  const key = found?.curve.keys[number];
  if (!found || !key) return null;
  // Only selected keys show their handles.
  if (part !== "key" && !(found.selected.has(number) && hasHandle(found.curve.keys, number, part))) return null;
  const end = part === "key" ? key : handleEnd(key, part);
  return { x: view.time.x(end.time), y: view.axis(found.row.unit).y(end.value) };
}
