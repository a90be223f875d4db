import type { DragSteps } from "../canvas/drag";
import type { Hand } from "../model/hand";
import type { KeyRef } from "../protocol/messages";
import type { Copies, Desk } from "./desk";
import { type Box, type Hit, keysWithin } from "./hits";
import { extentOf, selectedRefs, toggled, without } from "./key_selection";
import { handleEnd, type KeysMove, shift, type Spot, stretch, tangentTo } from "./moves";
import { refOf } from "./rows";
import { readable, type Unit } from "./units";

/** Pixels that a pointer may tremble before a press becomes a drag. */
const TREMBLE = 3;

/** A press on a key selects it; a drag moves all selected keys, or with Alt copies of them. */
export function dragKeys(desk: Desk, hit: Extract<Hit, { what: "key" }>, start: PointerEvent): DragSteps {
  const { model, shown, view } = desk;
  const own = refOf(hit.drawn.row, hit.key);
  const wasSelected = hit.drawn.selected.has(hit.key);
  if (start.shiftKey) model.selection.keys.value = toggled(model.selection.keys.value, [own]);
  else if (!wasSelected) model.selection.keys.value = [own];
  const { unit } = hit.drawn.row;
  const key = hit.drawn.curve.keys[hit.key];
  const before = model.selection.keys.value;
  const drawn = shown.curves();
  const units = extentOf(drawn)?.low === null ? "several" : "one";
  const [refs, from] = [selectedRefs(drawn), spotAt(desk, start, unit)];
  const copies: Copies | null = start.altKey
    ? { from: drawn.map(({ row, curve, selected }) => ({ row, times: [...selected].map((i) => curve.keys[i].time) })), move: [0, 0, 1, 1, 0, 0] }
    : null;
  const begin = (): Hand | null => {
    if (refs.length === 0) return null;
    desk.followCopies(copies);
    return model.take({ kind: "move-keys", keys: refs, copies: copies !== null });
  };
  const held = holding(desk, start, begin, (hand, event) => {
    const to = spotAt(desk, event, unit);
    const sideways = Math.abs(view.time.x(to.time) - view.time.x(from.time)) >= Math.abs(view.axis(unit).y(to.value) - view.axis(unit).y(from.value));
    // One number cannot be degrees and centimetres at once: keys of several units move in time only.
    const only = units === "several" ? "time" : event.shiftKey ? (sideways ? "time" : "value") : null;
    const move = shift(key, from, to, snapRate(desk, event), only);
    if (copies) copies.move = move;
    hand.move(...move);
    const where = spotNote(desk, { time: key.time + move[0], value: key.value + move[1] }, unit);
    return units === "several" ? `${where} · several units: time only` : where;
  });
  return {
    ...held.steps,
    commit: (event) => {
      if (!held.taken() && wasSelected && !start.shiftKey) model.selection.keys.value = [own];
      held.steps.commit(event);
    },
    cancel: () => {
      desk.followCopies(null);
      model.selection.keys.value = before;
      held.steps.cancel();
    },
  };
}

/** A drag on a handle turns and stretches its tangent; Alt breaks the key first, Ctrl keeps the width. */
export function dragHandle(desk: Desk, hit: Extract<Hit, { what: "handle" }>, start: PointerEvent): DragSteps {
  const { row, curve } = hit.drawn;
  const key = curve.keys[hit.key];
  const from = spotAt(desk, start, row.unit);
  const end = handleEnd(key, hit.side);
  const begin = (): Hand =>
    desk.model.take({ kind: "drag-handle", key: refOf(row, hit.key), side: hit.side, breaks: start.altKey, weighted: !isCtrl(start) });
  return holding(desk, start, begin, (hand, event) => {
    const to = spotAt(desk, event, row.unit);
    const [x, y] = tangentTo(key, hit.side, { time: end.time + to.time - from.time, value: end.value + to.value - from.value });
    hand.move(x, y);
    const rate = desk.model.clip.value?.rate ?? 1;
    return `${readable(x > 0 ? y / x / rate : 0, row.unit, row.unit.digits + 1)} a frame`;
  }).steps;
}

/** A drag on an edge of the selection's rectangle scales its keys about the opposite edge. */
export function dragEdge(desk: Desk, hit: Extract<Hit, { what: "edge" }>, start: PointerEvent): DragSteps {
  const { unit } = hit.drawn.row;
  const [from, refs] = [spotAt(desk, start, unit), selectedRefs(desk.shown.curves())];
  const begin = (): Hand => desk.model.take({ kind: "move-keys", keys: refs });
  return holding(desk, start, begin, (hand, event) => {
    const move: KeysMove = stretch(hit.extent, hit.edge, from, spotAt(desk, event, unit), snapRate(desk, event));
    hand.move(...move);
    return hit.edge === "left" || hit.edge === "right" ? `time × ${move[2].toFixed(2)}` : `values × ${move[3].toFixed(2)}`;
  }).steps;
}

/** A drag on the empty sheet selects the keys within; Shift adds them. A mere press selects nothing. */
export function dragBand(desk: Desk, start: PointerEvent): DragSteps {
  const before = desk.model.selection.keys.value;
  const from = desk.at(start);
  const select = (keys: readonly KeyRef[]): void => {
    desk.model.selection.keys.value = start.shiftKey ? [...without(before, keys), ...keys] : keys;
  };
  return {
    move: (event) => {
      const to = desk.at(event);
      const band: Box = {
        left: Math.min(from.x, to.x),
        right: Math.max(from.x, to.x),
        top: Math.min(from.y, to.y),
        bottom: Math.max(from.y, to.y),
      };
      desk.stretchBand(band);
      select(keysWithin(desk.view, desk.shown.curves(), band));
    },
    commit: (event) => {
      const to = desk.at(event);
      if (!start.shiftKey && Math.hypot(to.x - from.x, to.y - from.y) <= TREMBLE) select([]);
      desk.stretchBand(null);
    },
    cancel: () => {
      desk.stretchBand(null);
      desk.model.selection.keys.value = before;
    },
  };
}

export function dragView(desk: Desk, start: PointerEvent): DragSteps {
  let last = desk.at(start);
  const pan = (event: PointerEvent): void => {
    const now = desk.at(event);
    desk.view.pan(now.x - last.x, now.y - last.y);
    last = now;
    desk.viewed();
  };
  return { move: pan, commit: pan, cancel: () => undefined };
}

/** A drag in the ruler goes through the clip, frame by frame. */
export function scrub(desk: Desk, start: PointerEvent): DragSteps {
  const { playback } = desk.model;
  const before = playback.frame.value;
  const go = (event: PointerEvent): void => playback.go(desk.model.frameOf(desk.view.time.time(desk.at(event).x)));
  playback.playing.value = false;
  go(start);
  return { move: go, commit: go, cancel: () => playback.go(before) };
}

/** Steps that take hold once the pointer really moved: a press alone changes nothing. */
function holding(
  desk: Desk,
  start: PointerEvent,
  begin: () => Hand | null,
  follow: (hand: Hand, event: PointerEvent) => string,
): { steps: DragSteps; taken: () => boolean } {
  let hand: Hand | null = null;
  const from = desk.at(start);
  const steps: DragSteps = {
    move: (event) => {
      const to = desk.at(event);
      if (!hand && Math.hypot(to.x - from.x, to.y - from.y) <= TREMBLE) return;
      hand ??= begin();
      if (hand) desk.note(follow(hand, event), to.x, to.y);
    },
    commit: () => {
      desk.note(null);
      void hand?.commit();
    },
    cancel: () => {
      desk.note(null);
      void hand?.cancel();
    },
  };
  return { steps, taken: () => hand !== null };
}

function spotAt(desk: Desk, event: PointerEvent, unit: Unit): Spot {
  const { x, y } = desk.at(event);
  return { time: desk.view.time.time(x), value: desk.view.axis(unit).value(y) };
}

function spotNote(desk: Desk, spot: Spot, unit: Unit): string {
  const frame = spot.time * (desk.model.clip.value?.rate ?? 1);
  return `frame ${Number(frame.toFixed(2))} · ${readable(spot.value, unit)}`;
}

/** Frames snap, unless Ctrl is down. */
function snapRate(desk: Desk, event: PointerEvent): number | null {
  return isCtrl(event) ? null : (desk.model.clip.value?.rate ?? null);
}

function isCtrl(event: PointerEvent): boolean {
  return event.ctrlKey || event.metaKey;
}
