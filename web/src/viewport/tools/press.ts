import { followPointer } from "../../canvas/drag";
import { activate, type Bench, pixelOf, placeOf } from "./bench";
import { toggleLock } from "./constraints";
import { type Drag, takeHold } from "./drags";
import type { Hover } from "./hover";
import type { SketchTool } from "./sketch";
import { suggestKey } from "./suggestion";
import { placeTarget } from "./target_drags";
import { beneath, tickUnder, type Under, under } from "./under";

/** A pointer that moves less than this between down and up has clicked. */
export const CLICK_PIXELS = 3;

/** What the left button does on the stage: a click selects or locks, a drag takes hold; Alt leaves it to the camera. */
export function listenForPresses(bench: Bench, hover: Hover, sketch: SketchTool): void {
  const { canvas } = bench.stage;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.altKey || bench.model.hand.value) return;
    bench.stage.element.focus({ preventScroll: true });
    if (bench.model.tool.value === "sketch") sketch.press(event);
    else press(bench, hover, event);
  });
}

function press(bench: Bench, hover: Hover, start: PointerEvent): void {
  const [x, y] = pixelOf(bench.stage, start);
  // With Ctrl a click locks, and a handle that sits on the tick must not be in the way.
  const tick = start.ctrlKey || start.metaKey ? tickUnder(bench, x, y) : null;
  const what = tick ?? under(bench, x, y);
  let drag: Drag | null = null;
  let moved = false;
  const end = (): void => {
    bench.gizmo.hold(null);
    hover.resume();
  };
  followPointer(bench.stage.canvas, start, {
    move: (event) => {
      const [nowX, nowY] = pixelOf(bench.stage, event);
      if (!moved && Math.hypot(nowX - x, nowY - y) >= CLICK_PIXELS) {
        moved = true;
        hover.pause();
        drag = takeHold(bench, what, x, y);
        bench.gizmo.hold(drag?.part ?? null);
      }
      drag?.move(nowX, nowY);
    },
    commit: (event) => {
      end();
      if (drag) {
        suggestKey(bench.model, drag.hand);
        void drag.hand.commit();
      } else if (!moved) click(bench, what, event);
    },
    cancel: () => {
      end();
      void drag?.hand.cancel();
    },
  });
}

function click(bench: Bench, what: Under, event: PointerEvent): void {
  const { model } = bench;
  if (model.tool.value === "target" && placeTarget(bench, what, ...pixelOf(bench.stage, event))) return;
  switch (what.kind) {
    case "tick": {
      const place = placeOf(model, what.arc);
      if ((event.ctrlKey || event.metaKey) && place) return toggleLock(model, place, model.timeOf(what.frame));
      activate(model, what.arc);
      model.playback.pause();
      model.playback.go(what.frame);
      return;
    }
    case "target":
    case "velocity":
      return model.loosening.choose(what.name);
    case "body":
      return model.selection.pick(what.hit.place, event.shiftKey);
    case "nothing":
      if (!event.shiftKey) model.selection.clear();
      return;
    case "gizmo": {
      // Handles are for dragging: a click means what lies behind them, except on the centre, which is the point itself.
      const behind = beneath(bench, ...pixelOf(bench.stage, event));
      if ((what.part !== "centre" || bench.gizmo.holdsTarget) && behind.kind !== "nothing") click(bench, behind, event);
      return;
    }
  }
}
