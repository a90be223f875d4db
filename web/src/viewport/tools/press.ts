import { followPress } from "../../canvas/press";
import { toggleLock } from "../../model/constraints";
import type { Hand } from "../../model/hand";
import type { Model } from "../../model/model";
import { isOnKey } from "../blocked";
import { activate, type Bench, pixelOf, placeOf } from "./bench";
import { takeHold } from "./drags";
import type { Hover } from "./hover";
import { toolOf } from "./registry";
import type { StageTool } from "./tool";
import { beneath, tickUnder, type Under, under } from "./under";

/** What the left button and the wheel do on the stage, as the chosen tool has it; Alt leaves the button to the camera. */
export function listenForPresses(bench: Bench, hover: Hover): void {
  const { stage, model } = bench;
  stage.canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || event.altKey || model.hand.value) return;
    stage.element.focus({ preventScroll: true });
    const tool = toolOf(model);
    if (tool.press) tool.press(bench, event);
    else press(bench, tool, hover, event);
  });
  const turn = (event: WheelEvent): void => {
    if (!toolOf(model).wheel?.(bench, event)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  // Ahead of the camera, which zooms with the wheel.
  stage.element.addEventListener("wheel", turn, { capture: true, passive: false });
}

/** A click selects or locks, a drag takes hold. */
function press(bench: Bench, tool: StageTool, hover: Hover, start: PointerEvent): void {
  const { stage, model, gizmo } = bench;
  const [x, y] = pixelOf(stage, start);
  // With Ctrl a click locks, and a handle that sits on the tick must not be in the way.
  const tick = start.ctrlKey || start.metaKey ? tickUnder(bench, x, y) : null;
  const what = tick ?? under(bench, x, y);
  followPress(stage.canvas, start, {
    begin: () => {
      hover.pause();
      const drag = takeHold(bench, tool, what, x, y);
      gizmo.hold(drag?.part ?? null);
      return (
        drag && {
          move: (event) => drag.move(...pixelOf(stage, event)),
          commit: () => {
            suggestKey(model, drag.hand);
            void drag.hand.commit();
          },
          cancel: () => void drag.hand.cancel(),
        }
      );
    },
    click: (event) => click(bench, tool, what, event),
    end: () => {
      gizmo.hold(null);
      hover.resume();
    },
  });
}

function click(bench: Bench, tool: StageTool, what: Under, event: PointerEvent): void {
  const { model } = bench;
  if (tool.click?.(bench, what, event)) return;
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
      if ((what.part !== "centre" || bench.gizmo.holdsTarget) && behind.kind !== "nothing") click(bench, tool, behind, event);
      return;
    }
  }
}

/** When a drag is let go short of its wish, ask which key would help, before the hand is gone. */
function suggestKey(model: Model, hand: Hand): void {
  const answer = model.answer.value;
  if (hand.isOver || answer?.gesture !== hand.number || answer.reached || hand.what.kind !== "drag-arc") return;
  if (isOnKey(model, hand)) return; // there is one already
  void model.ask({ type: "suggest-key", gesture: hand.number });
}
