import { momentText, snapped } from "../canvas/frames";
import type { DragSteps } from "../canvas/press";
import type { DragSheet } from "./drag_sheet";

/** Drag the sound along time: to whole frames or, with Ctrl, anywhere. */
export function dragSound(sheet: DragSheet, start: PointerEvent): DragSteps {
  const { view } = sheet;
  const { sound } = view.model;
  const from = sound.start;
  const wish = (event: PointerEvent): number => {
    const time = from + (event.clientX - start.clientX) / view.axis.scale;
    return event.ctrlKey ? time : snapped(time, view.clip);
  };
  return sheet.saying({
    move(event) {
      sound.draft.value = wish(event);
      sheet.say(`sound from ${momentText(wish(event), view.clip, view.inSeconds)} on`, event);
    },
    commit(event) {
      const to = wish(event);
      // Until the server has said so, it stays where the hand left it.
      const done = to === from ? Promise.resolve() : view.model.ask({ type: "change-sound", start: to });
      void done.then(() => (sound.draft.value = null));
    },
    cancel: () => (sound.draft.value = null),
  });
}
