import { Vector3 } from "three";
import type { Hand } from "../model/hand";
import type { Model } from "../model/model";
import { KEYED, OUT_OF_REACH, shortfall, WIDEST } from "../model/shortfall";
import { keyAt } from "./arc_geometry";
import type { Overlay } from "./overlay";
import { Label } from "./overlay";
import type { Stage } from "./stage";

/** Words about a turn or a timing stand clear of the handles. */
const BESIDE_GIZMO = 92;

/** While a drag falls short: where the hand wishes to be, a dotted line from where it came to, and what holds it. */
export class Blocked {
  private readonly line: SVGLineElement;
  private readonly ghost: SVGCircleElement;
  private readonly label: Label;
  private readonly from = new Vector3();
  private readonly to = new Vector3();

  constructor(
    private readonly stage: Stage,
    private readonly model: Model,
    overlay: Overlay,
    /** Where to say what holds a turn, which has no wished position. */
    private readonly turning: () => Vector3 | null,
  ) {
    const quiet = { stroke: "var(--pin)", "stroke-width": 1.5, visibility: "hidden" };
    this.line = overlay.shape("line", { ...quiet, "stroke-dasharray": "1 5", "stroke-linecap": "round", "stroke-width": 2 });
    this.ghost = overlay.shape("circle", { ...quiet, r: 7, fill: "var(--pin)", "fill-opacity": 0.25 });
    this.label = new Label(overlay, "color-mix(in srgb, var(--pin) 70%, var(--text))");
    stage.beforeDraw.push(() => this.draw());
  }

  /** What is being said; empty when nothing blocks. */
  get text(): string {
    return this.label.text;
  }

  private draw(): void {
    const [answer, hand] = [this.model.answer.value, this.model.hand.value];
    const mine = hand && answer?.gesture === hand.number ? answer : null;
    const text = mine && hand && (shortfall(mine, this.unnamed(hand)) || mine.text);
    const at = mine?.wish && !mine.reached ? this.from.set(...mine.wish) : text ? this.turning() : null;
    if (!mine || !text || !at) return this.hide();
    const wish = this.stage.toPixels(at, this.from);
    const isShort = mine.wish && mine.position && !mine.reached;
    this.label.show(text, wish.x, wish.y, isShort ? 14 : BESIDE_GIZMO);
    this.ghost.setAttribute("visibility", isShort ? "visible" : "hidden");
    this.line.setAttribute("visibility", isShort ? "visible" : "hidden");
    if (!mine.position || !isShort) return;
    const reached = this.stage.toPixels(this.to.set(...mine.position), this.to);
    set(this.ghost, { cx: wish.x, cy: wish.y });
    set(this.line, { x1: reached.x, y1: reached.y, x2: wish.x, y2: wish.y });
  }

  private unnamed(hand: Hand): string {
    if (hand.what.kind === "scale-timing") return WIDEST;
    return isOnKey(this.model, hand) ? KEYED : OUT_OF_REACH;
  }

  private hide(): void {
    this.label.hide();
    this.ghost.setAttribute("visibility", "hidden");
    this.line.setAttribute("visibility", "hidden");
  }
}

/** Whether a hand pulls an arc at one of its keys. */
export function isOnKey(model: Model, { what }: Hand): boolean {
  const active = model.selection.active;
  const arc = active && model.arcs.get(active.arc);
  return what.kind === "drag-arc" && !!arc && keyAt(arc, what.time, model.clip.value?.rate ?? 24) >= 0;
}

function set(shape: SVGElement, numbers: Record<string, number>): void {
  for (const [name, value] of Object.entries(numbers)) shape.setAttribute(name, value.toFixed(1));
}
