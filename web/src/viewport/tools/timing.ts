import { svg } from "lit";
import { onChange } from "../../model/changes";
import type { Hand } from "../../model/hand";
import { TIMING_PARTS } from "../gizmo_shape";
import { activate, type Bench, pixelOf, placeOf } from "./bench";
import { pulling } from "./drags";
import type { Drag, Grip, StageTool } from "./tool";
import { usualCursor } from "./tool";
import { tickUnder, type Under } from "./under";

const key = "R";
/** So much faster for a notch up, slower for one down. */
const AMOUNT_PER_NOTCH = 0.05;
const PIXELS_PER_NOTCH = 100;
/** The same for a pixel of the handle: 100 pixels are ten notches. */
const AMOUNT_PER_PIXEL = 0.005;
/** A pause of this length ends the gesture of the wheel. */
const REST_MS = 400;

/** Make the motion around a time faster or slower, or move frames along the arc. All notches in a row are one gesture. */
class Timing implements StageTool {
  readonly name = "timing";
  readonly label = "Timing";
  readonly key = key;
  readonly does = "wheel over the arc, or drag its ticks";
  readonly icon = svg`<circle cx="8" cy="8" r="5.7" /><path d="M8 4.7V8l2.4 1.5" />`;
  readonly gestures = [
    { where: "Arc", gesture: `${key}, then wheel`, does: "Make the motion there faster or slower" },
    { where: "Arc", gesture: `${key}, then drag a tick`, does: "Move a frame along the arc" },
  ];
  readonly parts = TIMING_PARTS;
  readonly holdsTargets = false;
  /** What the wheel holds, how far it has turned, and what waits for its rest. */
  private hand: Hand | null = null;
  private amount = 0;
  private timer = 0;

  cursor(what: Under): string {
    if (what.kind === "gizmo") return "ns-resize";
    return what.kind === "tick" ? "ew-resize" : usualCursor(what);
  }

  take(bench: Bench, grip: Grip, x: number, y: number): Drag {
    const { place, time, part } = grip;
    if (part === null) return pulling(bench, { kind: "move-tick", place, time }, grip, x, y);
    const hand = bench.model.take({ kind: "scale-timing", place, time });
    return { hand, part, move: (_, to) => hand.move((y - to) * AMOUNT_PER_PIXEL) };
  }

  wheel(bench: Bench, event: WheelEvent): boolean {
    if (event.ctrlKey || event.altKey) return false;
    if (this.hand?.isOver) this.hand = null;
    this.hand ??= this.begin(bench, event);
    if (!this.hand) return false;
    this.amount -= AMOUNT_PER_NOTCH * notches(event);
    this.hand.move(this.amount);
    this.rest();
    return true;
  }

  attach({ model }: Bench): undefined {
    // The pause begins when the animator sees what the last notch did.
    onChange(model.answer, (answer) => {
      if (this.hand && answer?.gesture === this.hand.number) this.rest();
    });
    // Anything else that begins finds the timing committed.
    window.addEventListener("pointerdown", () => this.end(), true);
    window.addEventListener("keydown", (event) => this.onKey(event), true);
  }

  private begin(bench: Bench, event: WheelEvent): Hand | null {
    const { model, stage } = bench;
    const tick = tickUnder(bench, ...pixelOf(stage, event));
    const place = tick && placeOf(model, tick.arc);
    if (!tick || !place || model.hand.value) return null;
    activate(model, tick.arc);
    model.playback.pause();
    model.playback.go(tick.frame);
    this.amount = 0;
    return model.take({ kind: "scale-timing", place, time: model.timeOf(tick.frame) });
  }

  private rest(): void {
    clearTimeout(this.timer);
    const mine = window.setTimeout(() => {
      // On a slow machine notches still wait to be told; they come before the next picture but one.
      const endUnlessTurned = (): void => void (this.timer === mine && this.end());
      requestAnimationFrame(() => requestAnimationFrame(endUnlessTurned));
    }, REST_MS);
    this.timer = mine;
  }

  private end(): void {
    clearTimeout(this.timer);
    void this.hand?.commit();
    this.hand = null;
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key !== "Escape" || !this.hand) return this.end();
    clearTimeout(this.timer);
    event.preventDefault();
    event.stopPropagation();
    void this.hand.cancel();
    this.hand = null;
  }
}

/** Wheels tell pixels or lines; a notch of an ordinary wheel is 100 pixels or 3 lines. */
export function notches({ deltaY, deltaMode }: Pick<WheelEvent, "deltaY" | "deltaMode">): number {
  if (deltaMode === 1) return deltaY / 3;
  return deltaMode === 2 ? deltaY : deltaY / PIXELS_PER_NOTCH;
}

export const timing: StageTool = new Timing();
