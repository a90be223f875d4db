import { shiftText, snapped, spanText } from "../canvas/frames";
import type { DragSteps } from "../canvas/press";
import { onChange } from "../model/changes";
import type { Curve } from "../model/curves";
import type { KeyRef } from "../protocol/messages";
import { middleOf, type Placed } from "./arrangement";
import { includesAll, refsWithin, together, toggled } from "./chosen_keys";
import type { DragSheet } from "./drag_sheet";
import { HALF } from "./key_marks";
import type { Row } from "./rows";

/** A click on a key: it alone, or with Shift besides the others. */
export function clickKeys(sheet: DragSheet, refs: readonly KeyRef[], adds: boolean): void {
  sheet.view.select(adds ? toggled(sheet.view.model.selection.keys.value, refs) : refs);
}

/** Drag keys to other times, or copies of them. The one taken hold of lands on whole frames, unless Ctrl is down. */
export function dragKeys(sheet: DragSheet, start: PointerEvent, refs: readonly KeyRef[], time: number): DragSteps {
  const { view } = sheet;
  const { model } = view;
  const selected = model.selection.keys.value;
  if (!includesAll(selected, refs)) view.select(start.shiftKey ? together(selected, refs) : refs);
  const copies = start.altKey;
  const taken = view.chosen.refs(view.names);
  const hand = model.take({ kind: "move-keys", keys: taken, copies });
  const originals = chosenTimes(sheet);
  let shift = 0;
  // Keys that come or pass push the numbers of others about, so they are looked up by their times whenever curves come back.
  const stop = onChange(
    () => model.curves.all(),
    () => view.select(movedKeys(sheet, originals, shift)),
  );
  return sheet.saying({
    move(event) {
      const wished = (event.clientX - start.clientX) / view.axis.scale;
      shift = event.ctrlKey ? wished : snappedShift(time, wished, sheet);
      hand.move(shift, 0, 1, 1, 0, 0);
      sheet.say(`${copies ? "copy " : ""}${shiftText(shift, view.clip, view.inSeconds)}`, event);
    },
    commit() {
      void (shift === 0 ? hand.cancel() : hand.commit()).then(stop);
    },
    cancel: () => {
      shift = 0;
      void hand.cancel().then(stop);
    },
  });
}

/** Stretch the selected keys in time about the other end. */
export function scaleKeys(sheet: DragSheet, start: PointerEvent, side: "from" | "to"): DragSteps {
  const { view } = sheet;
  const { from, to } = view.chosen;
  const [pivot, end] = side === "to" ? [from, to] : [to, from];
  const hand = view.model.take({ kind: "move-keys", keys: view.chosen.refs(view.names) });
  return sheet.saying({
    move(event) {
      const shift = (event.clientX - start.clientX) / view.axis.scale;
      const wished = event.ctrlKey ? end + shift : end + snappedShift(end, shift, sheet);
      hand.move(0, 0, Math.max(0, (wished - pivot) / (end - pivot)), 1, pivot, 0);
      const [a, b] = wished < pivot ? [wished, pivot] : [pivot, wished];
      sheet.say(spanText(a, b, view.clip, view.inSeconds), event);
    },
    commit: () => void hand.commit(),
    cancel: () => void hand.cancel(),
  });
}

/** Select all keys in a rectangle; with Shift besides those selected. */
export function boxSelect(sheet: DragSheet, start: PointerEvent): DragSteps {
  const { view } = sheet;
  const before = view.model.selection.keys.value;
  const { x, y } = sheet.at(start);
  const select = (event: PointerEvent): void => {
    const to = sheet.at(event);
    view.box = { x, y, toX: to.x, toY: to.y };
    const found = keysInBox(sheet);
    view.select(start.shiftKey ? together(before, found) : found);
    sheet.invalidate();
  };
  const end = (): void => {
    view.box = null;
    sheet.invalidate();
  };
  return {
    move: select,
    commit: end,
    cancel() {
      view.select(before);
      end();
    },
  };
}

function keysInBox(sheet: DragSheet): KeyRef[] {
  const { view } = sheet;
  const { box } = view;
  if (!box) return [];
  const at = sheet.place();
  const [left, right] = [Math.min(box.x, box.toX), Math.max(box.x, box.toX)];
  const [top, bottom] = [Math.min(box.y, box.toY), Math.max(box.y, box.toY)];
  const [from, to] = [view.axis.time(left - at.left), view.axis.time(right - at.left)];
  const isIn = (row: Placed<Row>): boolean => middleOf(row) + HALF >= top && middleOf(row) - HALF <= bottom;
  const visible = at.rows.filter((row) => row.y + row.height > at.rowsTop && row.y < at.rowsBottom);
  const curves = new Set([at.summary, ...visible].filter(isIn).flatMap((row) => row.item.curves));
  return refsWithin(curves, from, to, view.names);
}

/** A shift that brings a time onto a whole frame; less than half a frame is none, also for keys between frames. */
function snappedShift(time: number, shift: number, { view }: DragSheet): number {
  return Math.abs(shift) * view.clip.rate < 0.5 ? 0 : snapped(time + shift, view.clip) - time;
}

/** The times of the selected keys by curve, whose references change as soon as something moves. */
function chosenTimes({ view }: DragSheet): Map<string, number[]> {
  const entries = [...view.chosen.byCurve];
  return new Map(entries.map(([curve, keys]) => [placeOf(curve), keys.map((key) => curve.keys[key].time)]));
}

/** The keys where they are now, or their copies, so that these are selected and not what they come from or have passed. */
function movedKeys({ view }: DragSheet, originals: ReadonlyMap<string, number[]>, shift: number): KeyRef[] {
  return view
    .allCurves()
    .flatMap((curve) => (originals.get(placeOf(curve)) ?? []).flatMap((time) => refsWithin([curve], time + shift, time + shift, view.names)));
}

function placeOf({ layer, channel }: Curve): string {
  return `${layer}:${channel}`;
}
