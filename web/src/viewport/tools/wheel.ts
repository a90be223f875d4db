import { onChange } from "../../model/changes";
import type { Hand } from "../../model/hand";
import { activate, type Bench, pixelOf, placeOf } from "./bench";
import { tickUnder } from "./under";

/** So much faster for a notch up, slower for one down. */
const AMOUNT_PER_NOTCH = 0.05;
const PIXELS_PER_NOTCH = 100;
/** A pause of this length ends the gesture. */
const REST_MS = 400;

/** In the timing tool the wheel over an arc makes the motion there faster or slower; all notches in a row are one gesture. */
export function listenForWheel(bench: Bench): void {
  const { stage, model } = bench;
  let hand: Hand | null = null;
  let amount = 0;
  let timer = 0;
  const end = (): void => {
    clearTimeout(timer);
    const held = hand;
    hand = null;
    void held?.commit();
  };
  const rest = (): void => {
    clearTimeout(timer);
    const mine = window.setTimeout(() => {
      // On a slow machine notches still wait to be told; they come before the next picture but one.
      const endUnlessTurned = (): void => void (timer === mine && end());
      requestAnimationFrame(() => requestAnimationFrame(endUnlessTurned));
    }, REST_MS);
    timer = mine;
  };
  // The pause begins when the animator sees what the last notch did.
  onChange(
    () => model.answer.value,
    (answer) => {
      if (hand && answer?.gesture === hand.number) rest();
    },
  );
  const begin = (event: WheelEvent): Hand | null => {
    const tick = tickUnder(bench, ...pixelOf(stage, event));
    const place = tick && placeOf(model, tick.arc);
    if (!tick || !place || model.hand.value) return null;
    activate(model, tick.arc);
    model.playback.pause();
    model.playback.go(tick.frame);
    amount = 0;
    return model.take({ kind: "scale-timing", place, time: model.timeOf(tick.frame) });
  };
  const turn = (event: WheelEvent): void => {
    if (model.tool.value !== "timing" || event.ctrlKey || event.altKey) return;
    if (hand?.isOver) hand = null;
    hand ??= begin(event);
    if (!hand) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    amount -= AMOUNT_PER_NOTCH * notches(event);
    hand.move(amount);
    rest();
  };
  // Ahead of the camera, which zooms with the wheel.
  stage.element.addEventListener("wheel", turn, { capture: true, passive: false });
  // Anything else that begins finds the timing committed.
  const endOnKey = (event: KeyboardEvent): void => {
    if (event.key !== "Escape" || !hand) return end();
    clearTimeout(timer);
    event.preventDefault();
    event.stopPropagation();
    void hand.cancel();
    hand = null;
  };
  window.addEventListener("keydown", endOnKey, true);
  window.addEventListener("pointerdown", end, true);
}

/** Wheels tell pixels or lines; a notch of an ordinary wheel is 100 pixels or 3 lines. */
export function notches({ deltaY, deltaMode }: Pick<WheelEvent, "deltaY" | "deltaMode">): number {
  if (deltaMode === 1) return deltaY / 3;
  return deltaMode === 2 ? deltaY : deltaY / PIXELS_PER_NOTCH;
}
