import { Vector3 } from "three";
import type { Model } from "../model/model";
import { hitOrMiss, isHit } from "../model/target_words";
import type { AimInfo } from "../protocol/messages";
import type { Overlay } from "./overlay";
import { arrowHead, Label } from "./overlay";
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

/** A velocity is drawn as far as it goes in this many seconds. */
export const ARROW_SECONDS = 0.2;

/** Where the arrow of the velocity that a target was given ends; null where it leaves that open, or wants a standstill. */
export function velocityTip(model: Model, aim: AimInfo): Vector3 | null {
  const at = wishOf(model, aim);
  if (!at || aim.target.kind !== "point" || !Array.isArray(aim.target.velocity)) return null;
  const along = new Vector3(...aim.target.velocity);
  return along.lengthSq() === 0 ? null : at.addScaledVector(along, ARROW_SECONDS);
}

interface Mark {
  name: string;
  cross: SVGPathElement;
  miss: SVGLineElement;
  arrow: SVGPathElement;
  at: Vector3;
  /** Where the arrow ends. */
  tip: Vector3;
  seen: boolean;
  pointed: boolean;
}

/** Yellow crosshairs where targets are, a dotted line from where the motion is instead, an arrow where a velocity is given. */
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

  /** The target whose velocity arrow ends under a pixel of the stage, by name: the nearest. */
  velocityUnder(x: number, y: number): string | null {
    let [best, least]: [string | null, number] = [null, REACH];
    for (const { name, tip, pointed } of this.marks) {
      const apart = Math.hypot(tip.x - x, tip.y - y);
      if (pointed && apart <= least) [best, least] = [name, apart];
    }
    return best;
  }

  /** Where a target's velocity arrow ends on the stage; null where it has none. */
  tipOf(name: string): [number, number] | null {
    const mark = this.marks.find((each) => each.name === name);
    return mark?.pointed ? [mark.tip.x, mark.tip.y] : null;
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
      this.arrow(mark, aim, isChosen);
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

  private arrow(mark: Mark, aim: AimInfo, isChosen: boolean): void {
    const { arrow, at, tip } = mark;
    const end = mark.seen ? velocityTip(this.model, aim) : null;
    if (end) this.stage.toPixels(end, tip);
    mark.pointed = end !== null && tip.z > -1 && tip.z < 1;
    arrow.setAttribute("visibility", mark.pointed ? "visible" : "hidden");
    if (!mark.pointed) return;
    arrow.setAttribute("d", `M${at.x.toFixed(1)} ${at.y.toFixed(1)}L${tip.x.toFixed(1)} ${tip.y.toFixed(1)}${arrowHead(at.x, at.y, tip.x, tip.y)}`);
    arrow.setAttribute("stroke-width", isChosen ? "2.2" : "1.4");
    arrow.setAttribute("opacity", aim.on ? "1" : "0.5");
  }

  /** As many marks as there are targets; their shapes are used again. */
  private fit(names: readonly string[]): void {
    while (this.marks.length > names.length) {
      const { cross, miss, arrow } = this.marks.pop() as Mark;
      for (const shape of [cross, miss, arrow]) shape.remove();
    }
    names.forEach((name, i) => {
      this.marks[i] ??= {
        name,
        miss: this.overlay.shape("line", { stroke: "var(--target)", "stroke-width": 1.5, "stroke-dasharray": "1 4", "stroke-linecap": "round" }),
        arrow: this.overlay.shape("path", { stroke: "var(--target)", fill: "var(--target)", "stroke-linejoin": "round" }),
        cross: this.overlay.shape("path", { d: CROSS, stroke: "var(--target)", fill: "none", "stroke-linecap": "round" }),
        at: new Vector3(),
        tip: new Vector3(),
        seen: false,
        pointed: false,
      };
      this.marks[i].name = name;
    });
  }
}
