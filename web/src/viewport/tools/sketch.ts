import { svg } from "lit";
import type { Model } from "../../model/model";
import { jointPlace } from "../../model/selection";
import type { Place } from "../../protocol/messages";
import { CHOSEN_BONE } from "../colours";
import type { Overlay } from "../overlay";
import type { Bench } from "./bench";
import { SketchPad } from "./sketch_pad";
import type { StageTool } from "./tool";

const key = "B";

/** Draw over bones, then draw what they shall look like. */
class Sketch implements StageTool {
  readonly name = "sketch";
  readonly label = "Sketch";
  readonly key = key;
  readonly does = "draw over bones, then draw what they shall look like";
  readonly icon = svg`<path d="M2 13.5c2-.4 2.6-2 2-4.5s1.6-5.5 5-5" /><path d="m9.5 9.5 4-4 1 1-4 4-1.6.6z" />`;
  readonly gestures = [
    { where: "Body", gesture: `${key}, then draw over bones`, does: "Choose bones; Shift adds, a click chooses one" },
    { where: "Body", gesture: `${key}, then draw the wish`, does: "Bend the chosen bones to the stroke" },
  ];
  // In the bar at the top of the stage.
  readonly saysWhatNext = true;
  readonly parts = [];
  readonly holdsTargets = false;
  private pad: SketchPad | null = null;
  private stage: Bench["stage"] | null = null;

  /** Who draws looks at the line, not at what it passes. */
  cursor(): string {
    return "crosshair";
  }

  press({ stage, model }: Bench, event: PointerEvent): void {
    if (stage === this.stage) this.pad?.press(event);
    else model.notices.add("info", "Sketches are drawn in the main view");
  }

  marks({ sketching }: Model): { places: Place[]; colour: number } {
    return { places: sketching.bones.value.map(jointPlace), colour: CHOSEN_BONE };
  }

  attach(bench: Bench, overlay: Overlay): object {
    const pad = new SketchPad(bench, overlay, () => bench.model.tool.value === this);
    [this.pad, this.stage] = [pad, bench.stage];
    return { whereIsBone: (joint: string, place?: number) => pad.whereIsBone(joint, place) };
  }
}

export const sketch: StageTool = new Sketch();
