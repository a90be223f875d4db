import { Vector3 } from "three";
import type { Model } from "../model/model";
import { hitOrMiss, isHit } from "../model/target_words";
import type { AimInfo } from "../protocol/messages";
import { Label } from "./labels";
import type { Overlay } from "./overlay";
import type { Stage } from "./stage";

/** Pixels around a crosshair that take hold of it. */
const REACH = 10;
const CROSS = "M0 -11V-4M0 4V11M-11 0H-4M4 0H11M5 0A5 5 0 1 1 -5 0A5 5 0 1 1 5 0";

/** Where a target wants its point to be: as it says or, where that is as keyed, as the server found; null for poses. */
export function wishOf({ loosening }: Model, { name, target }: AimInfo): Vector3 | null {
  if (target.kind !== "point") return null;
  if (Array.isArray(target.position)) return new Vector3(...target.position);
  const state = loosening.stateOf(name);
  // A target that leaves the position free is marked where the motion is at its time.
  const at = state?.wish ?? state?.position;
  return at ? new Vector3(...at) : null;
}

interface Mark {
  name: string;
  cross: SVGPathElement;
  miss: SVGLineElement;
  at: Vector3;
  seen: boolean;
}

/** Yellow crosshairs where targets are, and a dotted line from where the motion is instead. */
export class TargetMarks {
  private marks: Mark[] = [];
  private readonly label: Label;
  private readonly from = new Vector3();

  constructor(
    private readonly stage: Stage,
    private readonly model: Model,
    private readonly overlay: Overlay,
  ) {
    this.label = new Label(overlay, "var(--target)");
    const { told, state, chosen } = model.loosening;
    for (const cell of [told, state, chosen, model.playback.playing, model.playback.frame]) {
      cell.watch(() => {
        if (model.loosening.targets.length + this.marks.length > 0) stage.invalidate();
      });
    }
    stage.beforeDraw.push(() => this.draw());
  }

  /** The target under a pixel of the stage, by name: the nearest. */
  under(x: number, y: number): string | null {
    let [best, least]: [string | null, number] = [null, REACH];
    for (const { name, at, seen } of this.marks) {
      const apart = Math.hypot(at.x - x, at.y - y);
      if (seen && apart <= least) [best, least] = [name, apart];
    }
    return best;
  }

  /** Where a target's crosshair is on the stage; null when it is not in sight. */
  pixelOf(name: string): [number, number] | null {
    const mark = this.marks.find((each) => each.name === name);
    return mark?.seen ? [mark.at.x, mark.at.y] : null;
  }

  /** What is said beside the chosen target; for tests. */
  get text(): string {
    return this.label.text;
  }

  private draw(): void {
    const { loosening, playback } = this.model;
    const { targets } = loosening;
    this.fit(targets.map(({ name }) => name));
    let said = false;
    targets.forEach((aim, i) => {
      const mark = this.marks[i];
      const wish = wishOf(this.model, aim);
      if (wish) this.stage.toPixels(wish, mark.at);
      mark.seen = wish !== null && mark.at.z > -1 && mark.at.z < 1;
      const isChosen = loosening.chosen.value === aim.name;
      this.cross(mark, aim, isChosen);
      const words = isChosen && mark.seen && !playback.playing.value ? hitOrMiss(loosening.stateOf(aim.name)) : "";
      if (words) this.label.show(words, mark.at.x, mark.at.y - 26, 16);
      said ||= words !== "";
    });
    if (!said) this.label.hide();
  }

  private cross(mark: Mark, { name, on }: AimInfo, isChosen: boolean): void {
    const { cross, miss, at, seen } = mark;
    const state = this.model.loosening.stateOf(name);
    cross.setAttribute("visibility", seen ? "visible" : "hidden");
    cross.setAttribute("transform", `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})`);
    cross.setAttribute("stroke-width", isChosen ? "2.6" : "1.6");
    cross.setAttribute("stroke-dasharray", on ? "none" : "2 2");
    const isMissed = seen && on && state?.position && state.wish && !isHit(state);
    miss.setAttribute("visibility", isMissed ? "visible" : "hidden");
    if (!isMissed || !state.position) return;
    const from = this.stage.toPixels(this.from.set(...state.position), this.from);
    for (const [key, value] of Object.entries({ x1: from.x, y1: from.y, x2: at.x, y2: at.y })) miss.setAttribute(key, value.toFixed(1));
  }

  /** As many marks as there are targets; their shapes are used again. */
  private fit(names: readonly string[]): void {
    while (this.marks.length > names.length) {
      const { cross, miss } = this.marks.pop() as Mark;
      cross.remove();
      miss.remove();
    }
    names.forEach((name, i) => {
      this.marks[i] ??= {
        name,
        miss: this.overlay.shape("line", { stroke: "var(--target)", "stroke-width": 1.5, "stroke-dasharray": "1 4", "stroke-linecap": "round" }),
        cross: this.overlay.shape("path", { d: CROSS, stroke: "var(--target)", fill: "none", "stroke-linecap": "round" }),
        at: new Vector3(),
        seen: false,
      };
      this.marks[i].name = name;
    });
  }
}
