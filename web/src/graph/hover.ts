import { valueAt } from "./curve_values";
import type { Hit } from "./hits";
import { readable } from "./units";

/** What the pointer looks like over something. */
export function cursorOf(hit: Hit): string {
  switch (hit.what) {
    case "ruler":
      return "col-resize";
    case "key":
      return "move";
    case "handle":
      return "grab";
    case "edge":
      return hit.edge === "left" || hit.edge === "right" ? "ew-resize" : "ns-resize";
    case "bell":
      return hit.part === "centre" ? "move" : "ew-resize";
    case "curve":
      return "pointer";
    case "empty":
      return "default";
  }
}

/** What a drag there does, and what the modifier keys change. */
export function hintOf(hit: Hit): string {
  switch (hit.what) {
    case "ruler":
      return "Drag to go through the clip";
    case "key":
      return "Drag: move the selected keys, to whole frames (Ctrl: between frames; Shift: along one axis; Alt: copy)";
    case "handle":
      return "Drag: turn and stretch the tangent (Alt: break it from the other; Ctrl: keep its width)";
    case "edge":
      return hit.edge === "left" || hit.edge === "right"
        ? "Drag: scale the time of the selected keys (Ctrl: between frames)"
        : "Drag: scale the values of the selected keys";
    case "bell":
      return hit.part === "centre"
        ? "Drag sideways: move the kernel, to whole frames (Ctrl: between frames); down: let guidance's costs count again there"
        : "Drag: how wide the kernel is";
    case "curve":
      return "Click: select all keys of this curve (Shift: besides others)";
    case "empty":
      return "";
  }
}

/** What is under the pointer, its time and value; null where there is nothing to name. */
export function readingOf(hit: Hit, time: number): { label: string; time: number; value: string } | null {
  if (hit.what !== "key" && hit.what !== "curve") return null;
  const { row, curve } = hit.drawn;
  const spot = hit.what === "key" ? curve.keys[hit.key] : { time, value: valueAt(curve, time) };
  return { label: row.label, time: spot.time, value: readable(spot.value, row.unit) };
}
