import { BEZIER, type Key } from "../model/curves";
import type { KernelInfo, KeyRef } from "../protocol/messages";
import { type BellPart, bellGrip, bellHit } from "./bells";
import { keyBefore, valueAt } from "./curve_values";
import { countSelected, extentOf } from "./key_selection";
import { type Edge, type Extent, edgesOf, handleEnd } from "./moves";
import { type Drawn, refOf } from "./rows";
import { RULER, type View } from "./view";

/** What is under the pointer. */
export type Hit =
  | { what: "ruler" }
  | { what: "key"; drawn: Drawn; key: number }
  | { what: "handle"; drawn: Drawn; key: number; side: "in" | "out" }
  | { what: "edge"; edge: Edge; extent: Extent; drawn: Drawn }
  | { what: "bell"; kernel: number; part: BellPart }
  | { what: "curve"; drawn: Drawn }
  | { what: "empty" };

const REACH = 7;
const CURVE_REACH = 5;
/** How far the rectangle of the selection stands off its keys, and half the length of a grip on its edge. */
const OFFSET = 11;
export const GRIP = 9;

/** A rectangle on the sheet, in pixels. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Whether a key has a handle that does something: its segment on that side is a Bezier one. */
export function hasHandle(keys: readonly Key[], number: number, side: "in" | "out"): boolean {
  const segment = side === "in" ? number - 1 : number;
  if (segment < 0 || segment >= keys.length - 1 || keys[segment].interpolation !== BEZIER) return false;
  return (side === "in" ? keys[number].inX : keys[number].outX) > 0;
}

/** What the pointer is over; keys before handles before grips before bells before curves, and of two the nearer. */
export function hitAt(view: View, drawn: readonly Drawn[], x: number, y: number, kernels: readonly KernelInfo[] = []): Hit {
  if (y < RULER) return { what: "ruler" };
  const found = keyHit(view, drawn, x, y) ?? handleHit(view, drawn, x, y) ?? edgeHit(view, drawn, x, y);
  if (found) return found;
  const bell = bellHit(view, kernels, x, y);
  return bell ? { what: "bell", ...bell } : curveHit(view, drawn, x, y);
}

function keyHit(view: View, drawn: readonly Drawn[], x: number, y: number): Hit | null {
  let [nearest, best]: [Hit | null, number] = [null, REACH];
  for (const each of drawn) {
    const { keys } = each.curve;
    const axis = view.axis(each.row.unit);
    const last = view.time.time(x + REACH);
    for (let i = Math.max(0, keyBefore(keys, view.time.time(x - REACH))); i < keys.length && keys[i].time <= last; i++) {
      // Of keys on one spot the selected one is meant.
      const bonus = each.selected.has(i) ? 0.5 : 0;
      const distance = Math.hypot(view.time.x(keys[i].time) - x, axis.y(keys[i].value) - y) - bonus;
      if (distance < best) [nearest, best] = [{ what: "key", drawn: each, key: i }, distance];
    }
  }
  return nearest;
}

function handleHit(view: View, drawn: readonly Drawn[], x: number, y: number): Hit | null {
  let [nearest, best]: [Hit | null, number] = [null, REACH];
  for (const each of drawn) {
    const axis = view.axis(each.row.unit);
    for (const key of each.selected) {
      for (const side of ["in", "out"] as const) {
        if (!each.curve.keys[key] || !hasHandle(each.curve.keys, key, side)) continue;
        const end = handleEnd(each.curve.keys[key], side);
        const distance = Math.hypot(view.time.x(end.time) - x, axis.y(end.value) - y);
        if (distance < best) [nearest, best] = [{ what: "handle", drawn: each, key, side }, distance];
      }
    }
  }
  return nearest;
}

function edgeHit(view: View, drawn: readonly Drawn[], x: number, y: number): Hit | null {
  const framed = frameOf(view, drawn);
  if (!framed) return null;
  const of = drawn.find((each) => each.selected.size > 0) as Drawn;
  for (const edge of edgesOf(framed.extent)) {
    const grip = gripAt(framed.box, edge);
    const upright = edge === "left" || edge === "right";
    const [along, across] = upright ? [y - grip.y, x - grip.x] : [x - grip.x, y - grip.y];
    if (Math.abs(along) <= GRIP + 3 && Math.abs(across) <= 5) return { what: "edge", edge, extent: framed.extent, drawn: of };
  }
  return null;
}

function curveHit(view: View, drawn: readonly Drawn[], x: number, y: number): Hit {
  let [nearest, best]: [Hit, number] = [{ what: "empty" }, CURVE_REACH];
  for (const each of drawn) {
    const distance = distanceTo(view, each, x, y);
    if (distance < best) [nearest, best] = [{ what: "curve", drawn: each }, distance];
  }
  return nearest;
}

/** How far a pixel is from a curve, which within reach is as good as a few straight pieces. */
function distanceTo(view: View, { row, curve }: Drawn, x: number, y: number): number {
  const axis = view.axis(row.unit);
  let best = Infinity;
  let [fromX, fromY] = [NaN, NaN];
  for (let atX = x - CURVE_REACH; atX <= x + CURVE_REACH; atX += CURVE_REACH / 2) {
    const atY = axis.y(valueAt(curve, view.time.time(atX)));
    if (!Number.isNaN(fromX)) best = Math.min(best, distanceToPiece(x, y, fromX, fromY, atX, atY));
    [fromX, fromY] = [atX, atY];
  }
  return best;
}

function distanceToPiece(x: number, y: number, fromX: number, fromY: number, toX: number, toY: number): number {
  const [overX, overY] = [toX - fromX, toY - fromY];
  const share = ((x - fromX) * overX + (y - fromY) * overY) / (overX * overX + overY * overY);
  const kept = Math.min(1, Math.max(0, share));
  return Math.hypot(fromX + kept * overX - x, fromY + kept * overY - y);
}

/** The rectangle around several selected keys, kept on the sheet so that its grips can be reached. */
export function frameOf(view: View, drawn: readonly Drawn[]): { extent: Extent; box: Box } | null {
  const extent = countSelected(drawn) > 1 ? extentOf(drawn) : null;
  if (!extent) return null;
  const spans = drawn.flatMap(({ row, curve, selected }) =>
    [...selected].filter((key) => key < curve.keys.length).map((key) => view.axis(row.unit).y(curve.keys[key].value)),
  );
  const [upper, lower] = spans.reduce(([least, most], y) => [Math.min(least, y), Math.max(most, y)], [Infinity, -Infinity]);
  const box = {
    left: Math.max(4, view.time.x(extent.start) - OFFSET),
    right: Math.min(view.width - 4, view.time.x(extent.end) + OFFSET),
    top: Math.max(RULER + 4, upper - OFFSET),
    bottom: Math.min(view.height - 4, lower + OFFSET),
  };
  return box.left < box.right && box.top < box.bottom ? { extent, box } : null;
}

/** The middle of an edge of a rectangle: what the pointer takes hold of. */
export function gripAt({ left, right, top, bottom }: Box, edge: Edge): { x: number; y: number } {
  if (edge === "left" || edge === "right") return { x: edge === "left" ? left : right, y: (top + bottom) / 2 };
  return { x: (left + right) / 2, y: edge === "top" ? top : bottom };
}

/** All keys within a rectangle. */
export function keysWithin(view: View, drawn: readonly Drawn[], { left, right, top, bottom }: Box): KeyRef[] {
  const found: KeyRef[] = [];
  for (const { row, curve } of drawn) {
    const axis = view.axis(row.unit);
    const end = view.time.time(right);
    for (let i = Math.max(0, keyBefore(curve.keys, view.time.time(left))); i < curve.keys.length && curve.keys[i].time <= end; i++) {
      const y = axis.y(curve.keys[i].value);
      if (view.time.x(curve.keys[i].time) >= left && y >= top && y <= bottom) found.push(refOf(row, i));
    }
  }
  return found;
}

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
