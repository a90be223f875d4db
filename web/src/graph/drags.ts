import { type FrameGrid, snapped } from "../canvas/frames";
import type { DragSteps, Press } from "../canvas/press";
import type { Hand } from "../model/hand";
import { bellGrip, pulledBell, pulledDepth } from "./bells";
import type { Desk } from "./desk";
import { type Hit, keysWithin } from "./hits";
import { type Copies, extentOf, selectedRefs, toggled, without } from "./key_selection";
import { handleEnd, type Spot, shift, stretch, tangentTo } from "./moves";
import { type Drawn, refOf } from "./rows";
import { readable, type Unit } from "./units";

/** A press on a key selects it; a drag moves all selected keys, or with Alt copies of them. */
export function pressKey(desk: Desk, hit: Extract<Hit, { what: "key" }>, start: PointerEvent): Press {
  const { selection } = desk.model;
  const own = refOf(hit.drawn.row, hit.key);
  const wasSelected = hit.drawn.selected.has(hit.key);
  if (start.shiftKey) selection.keys.value = toggled(selection.keys.value, [own]);
  else if (!wasSelected) selection.keys.value = [own];
  return {
    click: () => {
      if (wasSelected && !start.shiftKey) selection.keys.value = [own];
    },
    begin: () => dragKeys(desk, hit, start),
  };
}

function dragKeys(desk: Desk, hit: Extract<Hit, { what: "key" }>, start: PointerEvent): DragSteps | null {
  const { model, shown, view } = desk;
  const [{ unit }, key] = [hit.drawn.row, hit.drawn.curve.keys[hit.key]];
  const [before, drawn, from] = [model.selection.keys.value, shown.curves(), spotAt(desk, start, unit)];
  const keys = selectedRefs(drawn);
  if (keys.length === 0) return null;
  // One number cannot be degrees and centimetres at once: keys of several units move in time only.
  const severalUnits = extentOf(drawn)?.low === null;
  const moved: Copies = { from: timesOf(drawn), move: [0, 0, 1, 1, 0, 0] };
  desk.followCopies(moved);
  const steps = holding(desk, model.take({ kind: "move-keys", keys, copies: start.altKey }), (event) => {
    const to = spotAt(desk, event, unit);
    const sideways = Math.abs(to.time - from.time) * view.time.scale >= Math.abs(to.value - from.value) * view.axis(unit).scale;
    const locked = event.shiftKey ? (sideways ? "time" : "value") : null;
    const move = shift(key, from, to, snapGrid(desk, event), severalUnits ? "time" : locked);
    moved.move = move;
    const where = `${desk.moment(key.time + move[0])} · ${readable(key.value + move[1], unit)}`;
    return [move, severalUnits ? `${where} · several units: time only` : where];
  });
  return {
    ...steps,
    cancel: () => {
      desk.followCopies(null);
      steps.cancel();
      model.selection.keys.value = before;
    },
  };
}

/** A drag on a handle turns and stretches its tangent; Alt breaks the key first, Ctrl keeps the width. */
export function pressHandle(desk: Desk, hit: Extract<Hit, { what: "handle" }>, start: PointerEvent): Press {
  const { row, curve } = hit.drawn;
  const key = curve.keys[hit.key];
  const [from, end] = [spotAt(desk, start, row.unit), handleEnd(key, hit.side)];
  const begin = (): DragSteps => {
    const options = { breaks: start.altKey, weighted: !isCtrl(start) };
    const hand = desk.model.take({ kind: "drag-handle", key: refOf(row, hit.key), side: hit.side, ...options });
    return holding(desk, hand, (event) => {
      const to = spotAt(desk, event, row.unit);
      const [x, y] = tangentTo(key, hit.side, { time: end.time + to.time - from.time, value: end.value + to.value - from.value });
      const slope = x > 0 ? y / x / (desk.model.clip.value?.rate ?? 1) : 0;
      return [[x, y], `${readable(slope, row.unit, row.unit.digits + 1)} a frame`];
    });
  };
  return { begin };
}

/** A drag on an edge of the selection's rectangle scales its keys about the opposite edge. */
export function pressEdge(desk: Desk, hit: Extract<Hit, { what: "edge" }>, start: PointerEvent): Press {
  const { unit } = hit.drawn.row;
  const [from, keys] = [spotAt(desk, start, unit), selectedRefs(desk.shown.curves())];
  const begin = (): DragSteps =>
    holding(desk, desk.model.take({ kind: "move-keys", keys }), (event) => {
      const move = stretch(hit.extent, hit.edge, from, spotAt(desk, event, unit), snapGrid(desk, event));
      const inTime = hit.edge === "left" || hit.edge === "right";
      return [move, inTime ? `time × ${move[2].toFixed(2)}` : `values × ${move[3].toFixed(2)}`];
    });
  return { begin };
}

/** A drag on a bell moves, deepens or widens a kernel; a run under way is steered by it as it goes. */
export function pressBell(desk: Desk, { kernel: number, part }: Extract<Hit, { what: "bell" }>, start: PointerEvent): Press {
  const { guiding, clip } = desk.model;
  const before = guiding.kernels.value[number];
  const from = desk.at(start);
  const off = from.x - bellGrip(desk.view, before, part).x;
  const follow = (event: PointerEvent): void => {
    const { x, y } = desk.at(event);
    const time = desk.view.time.time(x - off);
    const grid = part === "centre" ? snapGrid(desk, event) : null;
    const pulled = pulledBell(before, part, grid ? snapped(time, grid) : time);
    const depth = part === "centre" ? pulledDepth(desk.view, before, y - from.y) : pulled.depth;
    const kernel = { ...pulled, depth };
    guiding.setKernel(number, kernel);
    const reading = `${desk.moment(kernel.centre)} · costs −${Math.round(100 * (depth ?? 1))} %`;
    desk.note(part === "centre" ? reading : `± ${(kernel.width * (clip.value?.rate ?? 1)).toFixed(1)} frames`, x, y);
  };
  const cancel = (): void => {
    desk.note(null);
    guiding.setKernel(number, before);
  };
  const commit = (): void => {
    desk.note(null);
    guiding.saveKernels();
  };
  return { begin: () => ({ move: follow, commit, cancel }) };
}

/** A press on a curve selects its keys; with Shift besides others. */
export function pressCurve(desk: Desk, { drawn }: Extract<Hit, { what: "curve" }>, start: PointerEvent): Press {
  const { selection } = desk.model;
  const keys = drawn.curve.keys.map((_, key) => refOf(drawn.row, key));
  const click = (): void => {
    selection.keys.value = start.shiftKey ? toggled(selection.keys.value, keys) : keys;
  };
  // A drag that happens to start on a curve is meant for what it goes around.
  return { click, begin: () => dragBand(desk, start) };
}

/** A drag on the empty sheet selects the keys within; Shift adds them. A click selects nothing. */
export function pressEmpty(desk: Desk, start: PointerEvent): Press {
  const click = (): void => {
    if (!start.shiftKey) desk.model.selection.keys.value = [];
  };
  return { click, begin: () => dragBand(desk, start) };
}

function dragBand(desk: Desk, start: PointerEvent): DragSteps {
  const { selection } = desk.model;
  const [before, from] = [selection.keys.value, desk.at(start)];
  return {
    move: (event) => {
      const to = desk.at(event);
      const [left, right] = [Math.min(from.x, to.x), Math.max(from.x, to.x)];
      const [top, bottom] = [Math.min(from.y, to.y), Math.max(from.y, to.y)];
      const keys = keysWithin(desk.view, desk.shown.curves(), { left, right, top, bottom });
      desk.stretchBand({ left, right, top, bottom });
      selection.keys.value = start.shiftKey ? [...without(before, keys), ...keys] : keys;
    },
    commit: () => desk.stretchBand(null),
    cancel: () => {
      desk.stretchBand(null);
      selection.keys.value = before;
    },
  };
}

export function pressView(desk: Desk, start: PointerEvent): Press {
  let last = desk.at(start);
  const pan = (event: PointerEvent): void => {
    const now = desk.at(event);
    desk.view.pan(now.x - last.x, now.y - last.y);
    last = now;
    desk.viewed();
  };
  return { begin: () => ({ move: pan, commit: pan, cancel: () => undefined }) };
}

/** A press in the ruler goes to a frame, a drag through the clip frame by frame. */
export function pressRuler(desk: Desk, start: PointerEvent): Press {
  const { playback } = desk.model;
  const before = playback.frame.value;
  const go = (event: PointerEvent): void => playback.go(desk.model.frameOf(desk.view.time.time(desk.at(event).x)));
  playback.pause();
  go(start);
  return { begin: () => ({ move: go, commit: go, cancel: () => playback.go(before) }) };
}

/** A hand that follows the pointer: each event gives the numbers of a move, and a line to read beside it. */
function holding(desk: Desk, hand: Hand, follow: (event: PointerEvent) => [readonly number[], string]): DragSteps {
  return {
    move: (event) => {
      const [{ x, y }, [values, text]] = [desk.at(event), follow(event)];
      hand.move(...values);
      desk.note(text, x, y);
    },
    commit: () => {
      desk.note(null);
      void hand.commit();
    },
    cancel: () => {
      desk.note(null);
      void hand.cancel();
    },
  };
}

function timesOf(drawn: readonly Drawn[]): Copies["from"] {
  return drawn.map(({ row, curve, selected }) => ({ row, times: [...selected].map((key) => curve.keys[key].time) }));
}

function spotAt(desk: Desk, event: PointerEvent, unit: Unit): Spot {
  const { x, y } = desk.at(event);
  return { time: desk.view.time.time(x), value: desk.view.axis(unit).value(y) };
}

/** Frames snap, unless Ctrl is down. */
function snapGrid(desk: Desk, event: PointerEvent): FrameGrid | null {
  return isCtrl(event) ? null : desk.model.clip.value;
}

function isCtrl(event: PointerEvent): boolean {
  return event.ctrlKey || event.metaKey;
}
