import { clamped, momentText, snapped, spanText } from "../canvas/frames";
import type { DragSteps } from "../canvas/press";
import type { DragSheet } from "./drag_sheet";
import type { Bar, Lane } from "./lanes";
import type { Draft } from "./view";

/** Drag an end of a pin or contact, or the whole of it; an endless one gets an end where it is dragged to. */
export function dragBar(sheet: DragSheet, start: PointerEvent, bar: Bar, part: "start" | "end" | "body"): DragSteps | null {
  const { view } = sheet;
  const { clip } = view;
  const { constraint, from, to } = bar;
  // The body of a pin over the whole clip has nowhere to go.
  if (part === "body" && from <= clip.start && to >= clip.end) return null;
  const hand = view.model.take({ kind: "move-range", constraint: constraint.name });
  const wishFor = (event: PointerEvent): [number, number] => {
    const snap = (time: number): number => (event.ctrlKey ? time : snapped(time, clip));
    const shift = (event.clientX - start.clientX) / view.axis.scale;
    if (part === "start") return [Math.min(clamped(snap(from + shift), clip), to), to];
    if (part === "end") return [from, Math.max(clamped(snap(to + shift), clip), from)];
    const moved = Math.min(Math.max(snap(from + shift) - from, clip.start - from), clip.end - to);
    return [from + moved, to + moved];
  };
  return sheet.saying({
    move(event) {
      const [a, b] = wishFor(event);
      hand.move(a, b);
      sheet.say(a === b ? momentText(a, clip, view.inSeconds) : spanText(a, b, clip, view.inSeconds), event);
    },
    commit: () => void hand.commit(),
    cancel: () => void hand.cancel(),
  });
}

/** Drag over an empty stretch of the active point's lane: a contact there, or with Shift a pin. */
export function dragNewRange(sheet: DragSheet, start: PointerEvent, lane: Lane): DragSteps {
  const { view } = sheet;
  const { clip } = view;
  const begun = snapped(clamped(sheet.timeAt(start), clip), clip);
  const follow = (event: PointerEvent): Draft => {
    const reached = snapped(clamped(sheet.timeAt(event), clip), clip);
    const kind = event.shiftKey ? "pin" : "contact";
    return { kind, lane, from: Math.min(begun, reached), to: Math.max(begun, reached) };
  };
  const show = (draft: Draft | null): void => {
    view.draft = draft;
    sheet.invalidate();
  };
  return {
    move: (event) => show(follow(event)),
    commit(event) {
      const { kind, from, to } = follow(event);
      show(null);
      if (to <= from || !lane.place) return;
      const type = kind === "pin" ? "add-pin" : "add-contact";
      void view.model.ask({ type, place: lane.place, start: from, end: to });
    },
    cancel: () => show(null),
  };
}

/** Drag where the clip starts or ends, to whole frames. */
export function dragClipEnd(sheet: DragSheet, side: "start" | "end"): DragSteps {
  const { view } = sheet;
  const { start, end, rate } = view.clip;
  view.fitted = false; // the view stays; only the end moves
  const follow = (event: PointerEvent): Draft => {
    const time = snapped(sheet.timeAt(event), view.clip);
    const [from, to] = side === "start" ? [Math.min(time, end - 1 / rate), end] : [start, Math.max(time, start + 1 / rate)];
    return { kind: "clip", lane: null, from, to };
  };
  return sheet.saying({
    move(event) {
      const draft = follow(event);
      view.draft = draft;
      sheet.say(`clip: ${spanText(draft.from, draft.to, view.clip, view.inSeconds)}`, event);
    },
    commit(event) {
      const { from, to } = follow(event);
      view.draft = null;
      sheet.invalidate();
      if (from !== start || to !== end) void view.model.ask({ type: "set-clip-range", start: from, end: to });
    },
    cancel() {
      view.draft = null;
      sheet.invalidate();
    },
  });
}
