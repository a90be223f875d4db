import { Vector3 } from "three";
import type { Model } from "../model/model";
import { atFrame } from "./arc_geometry";
import { type GizmoPart, handleOf, type Outline, outlines, partUnder, type RingAxes, WORLD_AXES } from "./gizmo_shape";
import type { Overlay } from "./overlay";
import { arrowHead } from "./overlay";
import type { Stage } from "./stage";
import { wishOf } from "./target_marks";
import type { Lens } from "./tools/lens";
import { toolOf } from "./tools/registry";
import { ringAxes } from "./tools/ring_axes";

const COLOURS: Record<string, string> = { x: "var(--x)", y: "var(--y)", z: "var(--z)" };
const LIT = "#fff3cf";

/** The handles at the active point on the shown frame: arrows and squares, rings, or the timing handle, by tool. */
export class Gizmo {
  private shapes: Outline[] = [];
  private readonly drawn = new Map<GizmoPart, SVGPathElement>();
  private lit: GizmoPart | null = null;
  /** While a part is dragged only it is shown. */
  private held: GizmoPart | null = null;

  constructor(
    private readonly stage: Stage,
    private readonly model: Model,
    private readonly lens: Lens,
    private readonly overlay: Overlay,
  ) {
    stage.beforeDraw.push(() => this.draw());
  }

  /** Where the chosen target is or, without one, the active point on the shown frame; null when neither is known. */
  centre(): Vector3 | null {
    const target = this.model.loosening.chosenTarget;
    if (target && this.holdsTarget) return wishOf(this.model, target);
    const active = this.model.selection.active;
    const arc = active && this.model.arcs.get(active.arc);
    return arc && arc.samples > 0 ? atFrame(arc, this.model.playback.frame.value, new Vector3()) : null;
  }

  /** Whether its handles move the chosen target, and not the motion. */
  get holdsTarget(): boolean {
    return this.model.loosening.chosenTarget?.target.kind === "point" && toolOf(this.model).holdsTargets;
  }

  /** About which axes its rings turn, in the world; those of the world for a target, which has no joint. */
  axes(): RingAxes {
    const { posing, selection, playback } = this.model;
    const joint = selection.activeJoint;
    return joint === null || this.holdsTarget ? WORLD_AXES : ringAxes(this.model, joint, playback.frame.value, posing.axes.value);
  }

  under(x: number, y: number, sure: boolean): GizmoPart | null {
    return partUnder(this.shapes, x, y, sure);
  }

  /** Pixels of the stage at which a part can be taken; null when it is not shown. */
  handle(part: GizmoPart): [number, number] | null {
    return handleOf(this.shapes, part);
  }

  light(part: GizmoPart | null): void {
    if (part === this.lit) return;
    this.lit = part;
    this.stage.invalidate();
  }

  hold(part: GizmoPart | null): void {
    this.held = part;
    this.stage.invalidate();
  }

  private draw(): void {
    const centre = this.model.playback.playing.value ? null : this.centre();
    const foreign = this.model.hand.value !== null && this.held === null;
    this.shapes = centre && !foreign ? outlines(toolOf(this.model).parts, centre, this.lens, this.axes()) : [];
    if (this.held) this.shapes = this.shapes.filter(({ part }) => part === this.held);
    const shown = new Set(this.shapes.map(({ part }) => part));
    for (const [part, path] of this.drawn) path.setAttribute("visibility", shown.has(part) ? "visible" : "hidden");
    for (const shape of this.shapes) this.drawPart(shape);
  }

  private drawPart(shape: Outline): void {
    const { part } = shape;
    const colour = part === (this.held ?? this.lit) ? LIT : colourOf(part);
    const path = this.path(part);
    path.setAttribute("d", drawing(shape));
    path.setAttribute("stroke", colour);
    path.setAttribute("fill", shape.filled || isArrow(part) ? colour : "none");
  }

  private path(part: GizmoPart): SVGPathElement {
    let path = this.drawn.get(part);
    if (!path) {
      const opacity = part === "centre" ? 0.12 : part.length === 2 && part[0] !== "r" ? 0.3 : 1;
      const width = part === "centre" || part === "view" ? 1.2 : 2;
      path = this.overlay.shape("path", { "stroke-width": width, "fill-opacity": opacity, "stroke-linejoin": "round" });
      this.drawn.set(part, path);
    }
    return path;
  }
}

function isArrow(part: GizmoPart): boolean {
  return part.length === 1 || part === "timing";
}

function colourOf(part: GizmoPart): string {
  const normal: Record<string, string> = { yz: "x", zx: "y", xy: "z", rx: "x", ry: "y", rz: "z" };
  return COLOURS[normal[part] ?? part] ?? (part === "timing" ? "var(--accent)" : "var(--quiet)");
}

function drawing({ part, line, closed }: Outline): string {
  let path = "";
  for (let i = 0; i < line.length; i += 2) path += `${i === 0 ? "M" : "L"}${line[i].toFixed(1)} ${line[i + 1].toFixed(1)}`;
  if (closed) path += "Z";
  if (part === "timing") return path + arrowHead(line[0], line[1], line[2], line[3]) + arrowHead(line[2], line[3], line[0], line[1]);
  return isArrow(part) ? path + arrowHead(line[0], line[1], line[2], line[3]) : path;
}
