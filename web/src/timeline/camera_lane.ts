import { momentText, snapped } from "../canvas/frames";
import type { Palette } from "../canvas/palette";
import type { DragSteps } from "../canvas/press";
import type { Arrangement } from "./arrangement";
import type { DragSheet } from "./drag_sheet";
import { clip, diamond, fitText } from "./shapes";
import type { View } from "./view";

/** The keys of the scene's camera, on a lane of their own. */
export function drawCamera(context: CanvasRenderingContext2D, place: Arrangement, view: View, palette: Palette): void {
  if (!place.camera) return;
  const { y, height } = place.camera;
  const { left, width } = place;
  const hit = view.hover?.hit;
  context.fillStyle = palette.panel;
  context.fillRect(0, y, width, height);
  context.fillStyle = palette.line;
  context.fillRect(0, y, width, 1);
  const through = view.model.throughCamera.value;
  context.fillStyle = through ? palette.accent : hit?.kind === "camera-name" ? palette.text : palette.quiet;
  fitText(context, through ? "Camera, looked through" : "Camera", 9, y + height / 2, left - 14);
  clip(context, left, y + 1, width - left, height - 1, () => {
    for (const time of view.cameraKeys) {
      const at = view.cameraDraft?.from === time ? view.cameraDraft.to : time;
      const lit = view.cameraDraft?.from === time || (hit?.kind === "camera-key" && hit.time === time);
      context.beginPath();
      diamond(context, left + view.axis.x(at), y + height / 2, 5);
      context.fillStyle = palette.key;
      context.fill();
      context.lineWidth = 1.5;
      context.strokeStyle = lit ? palette.text : palette.panel;
      context.stroke();
    }
  });
}

/** Drag a key of the camera along time: to whole frames or, with Ctrl, anywhere. */
export function dragCameraKey(sheet: DragSheet, start: PointerEvent, from: number): DragSteps {
  const { view } = sheet;
  const wish = (event: PointerEvent): number => {
    const time = from + (event.clientX - start.clientX) / view.axis.scale;
    return event.ctrlKey ? time : snapped(time, view.clip);
  };
  const forget = (): void => {
    view.cameraDraft = null;
    sheet.invalidate();
  };
  return sheet.saying({
    move(event) {
      view.cameraDraft = { from, to: wish(event) };
      sheet.say(`camera key to ${momentText(wish(event), view.clip, view.inSeconds)}`, event);
    },
    commit(event) {
      const to = wish(event);
      // Until the server has said so, it stays where the hand left it.
      const done = to === from ? Promise.resolve() : view.model.ask({ type: "key-camera", time: from, to });
      void done.then(forget);
    },
    cancel: forget,
  });
}
