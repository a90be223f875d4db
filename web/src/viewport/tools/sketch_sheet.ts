import type { Vector3 } from "three";
import type { Model } from "../../model/model";
import type { Overlay } from "../overlay";
import type { Stage } from "../stage";
import { pathOf } from "./bones";

/** A stroke that became a step of the history, on the frame it was drawn on. */
interface OldStroke {
  points: number[];
  frame: number;
  step: number;
}

const REMEMBERED = 6;
/** The newest of the old strokes is this clear, each before it two thirds of that. */
const CLEAREST = 0.45;
const FADING = 2 / 3;

/** What the sketch tool draws over the picture: bones, those chosen in cyan, the stroke in blue, older strokes faintly. */
export class SketchSheet {
  private readonly bones: SVGPathElement;
  private readonly chosenEdge: SVGPathElement;
  private readonly chosen: SVGPathElement;
  private readonly stroke: SVGPathElement;
  private readonly old: SVGPathElement[];
  private strokes: OldStroke[] = [];
  private drawn: number[] = [];
  private isChoosing = false;

  constructor(
    private readonly stage: Stage,
    private readonly model: Model,
    overlay: Overlay,
    /** Whether the tool is chosen. */
    private readonly isOn: () => boolean,
  ) {
    const line = (stroke: string, width: number, more: Record<string, string | number> = {}): SVGPathElement =>
      overlay.shape("path", { fill: "none", stroke, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round", ...more });
    this.bones = line("var(--text)", 1.2, { "stroke-opacity": 0.35 });
    this.chosenEdge = line("var(--ground)", 5, { "stroke-opacity": 0.55 });
    this.chosen = line("var(--bone)", 2.5);
    this.old = Array.from({ length: REMEMBERED }, () => line("var(--stroke)", 2));
    this.stroke = line("var(--stroke)", 3);
    stage.beforeDraw.push(() => this.draw());
  }

  /** The stroke under way; a choosing one looks different. */
  show(points: readonly Vector3[], choosing: boolean): void {
    this.drawn = points.flatMap((point) => point.toArray());
    this.isChoosing = choosing;
    this.stage.invalidate();
  }

  /** The stroke is over; one that was kept is remembered as the step it became. */
  end(keep: boolean): void {
    if (keep) {
      const [frame, step] = [this.model.playback.frame.value, this.model.history.value.at];
      this.strokes = [...this.strokes.filter((each) => each.step < step), { points: this.drawn, frame, step }].slice(-REMEMBERED);
    }
    this.drawn = [];
    this.stage.invalidate();
  }

  /** Another document: its strokes were others. */
  forget(): void {
    this.strokes = [];
  }

  private draw(): void {
    const { sketching, hand, playback, history } = this.model;
    const isOn = this.isOn();
    const { shapes, bones } = sketching;
    // While a stroke reshapes the bones, their shapes are those of before.
    const known = isOn && shapes.value && hand.value === null && !playback.playing.value ? shapes.value.items : [];
    const lines = (chosen: boolean): ArrayLike<number>[] => known.filter((each) => bones.value.includes(each.joint) === chosen).map((each) => each.points);
    const to = (position: Vector3, into: Vector3): Vector3 => this.stage.toPixels(position, into);
    this.bones.setAttribute("d", pathOf(lines(false), to));
    const chosen = pathOf(lines(true), to);
    for (const path of [this.chosenEdge, this.chosen]) path.setAttribute("d", chosen);
    this.stroke.setAttribute("d", isOn ? pathOf([this.drawn], to) : "");
    this.stroke.setAttribute("stroke", this.isChoosing ? "var(--bone)" : "var(--stroke)");
    this.stroke.setAttribute("stroke-dasharray", this.isChoosing ? "1 6" : "none");
    const shown = isOn ? this.strokes.filter((each) => each.frame === playback.frame.value && each.step <= history.value.at) : [];
    this.old.forEach((path, i) => {
      const stroke = shown.at(-1 - i);
      path.setAttribute("d", stroke ? pathOf([stroke.points], to) : "");
      path.setAttribute("stroke-opacity", (CLEAREST * FADING ** i).toFixed(2));
    });
  }
}
