import type { DragSteps } from "../canvas/press";
import type { DragSheet } from "./drag_sheet";

/** Drag the playhead along the ruler, from frame to frame. */
export function scrub(sheet: DragSheet, start: PointerEvent): DragSteps {
  const { model } = sheet.view;
  const before = model.playback.frame.value;
  const follow = (event: PointerEvent): void => model.playback.go(model.frameOf(sheet.timeAt(event)));
  model.playback.pause();
  follow(start);
  return { move: follow, commit: follow, cancel: () => model.playback.go(before) };
}

/** Drag the sheet itself: along time, and up and down where there is more than fits. */
export function pan(sheet: DragSheet, start: PointerEvent): DragSteps {
  const { view } = sheet;
  const before = { start: view.axis.start, rows: view.scroll.rows, lanes: view.scroll.lanes };
  const region = sheet.at(start).y >= sheet.place().lanesTop ? "lanes" : "rows";
  let last = start;
  view.fitted = false;
  return {
    move(event) {
      view.axis.pan(event.clientX - last.clientX);
      view.scrollBy(last.clientY - event.clientY, region, sheet.place());
      last = event;
      sheet.invalidate();
    },
    commit: () => undefined,
    cancel() {
      view.axis.start = before.start;
      Object.assign(view.scroll, { rows: before.rows, lanes: before.lanes });
      sheet.invalidate();
    },
  };
}
