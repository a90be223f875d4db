import { readableSpeed } from "../../canvas/scale_colours";
import { onChange } from "../../model/changes";
import type { Model } from "../../model/model";
import { mainJoint, placeName } from "../../model/selection";
import { centimetresPerSecond } from "../../model/units";
import type { Place } from "../../protocol/messages";
import type { Ghost } from "../ghosts";
import type { GizmoPart } from "../gizmo_shape";
import type { Overlay } from "../overlay";
import { Label } from "../overlay";
import { type Bench, pixelOf } from "./bench";
import { toolOf } from "./registry";
import { type Under, under } from "./under";

const HANDLES: Record<GizmoPart, string> = {
  centre: "across the view",
  x: "along X",
  y: "along Y",
  z: "along Z",
  yz: "in the YZ plane",
  zx: "in the ZX plane",
  xy: "in the XY plane",
  rx: "about X",
  ry: "about Y",
  rz: "about Z",
  view: "about the view",
  timing: "up: faster, down: slower",
};

/** What lights up under a resting or passing pointer: a limb, a tick with a ghost of the body there, or a handle. */
export class Hover {
  private readonly label: Label;
  private paused = false;

  constructor(
    private readonly bench: Bench,
    private readonly ghost: Ghost,
    overlay: Overlay,
  ) {
    this.label = new Label(overlay);
    const { canvas } = bench.stage;
    canvas.addEventListener("pointermove", (event) => this.look(event));
    canvas.addEventListener("pointerleave", () => this.show({ kind: "nothing" }, 0, 0));
    const { playback, scene, selection, tool } = bench.model;
    // What the pointer was on may be gone, though the pointer has not moved.
    const clear = (): void => this.show({ kind: "nothing" }, 0, 0);
    onChange(playback.playing, (playing) => playing && clear());
    onChange(() => [scene.value, tool.value], clear);
    onChange(
      () => selection.points.value.length === 0,
      (empty) => empty && clear(),
    );
  }

  /** While a button is down, what it holds is lit, and nothing else. */
  pause(): void {
    this.paused = true;
    this.ghost.show(null);
    this.label.hide();
    this.bench.stage.canvas.style.cursor = "grabbing";
  }

  resume(): void {
    this.paused = false;
    this.bench.arcs.hovered = null;
    this.bench.stage.canvas.style.cursor = "";
  }

  private look(event: PointerEvent): void {
    if (this.paused || event.buttons !== 0 || event.altKey) return;
    const [x, y] = pixelOf(this.bench.stage, event);
    this.show(toolOf(this.bench.model).press ? { kind: "nothing" } : under(this.bench, x, y), x, y);
  }

  private show(what: Under, x: number, y: number): void {
    const { arcs, gizmo, model, stage } = this.bench;
    const place = what.kind === "body" ? what.hit.place : null;
    // Limbs light up as a whole; a pointer that glides along one changes nothing.
    if (!isSameLimb(place, model.selection.hovered.value)) model.selection.hovered.value = place;
    arcs.hovered = what.kind === "tick" ? { arc: what.arc, frame: what.frame } : null;
    gizmo.light(what.kind === "gizmo" ? what.part : null);
    this.ghost.show(what.kind === "tick" && what.frame !== model.playback.frame.value ? what.frame : null);
    const tool = toolOf(model);
    stage.canvas.style.cursor = tool.cursor(what);
    const usual = this.describe(what);
    const text = tool.words?.(what, usual) ?? usual;
    if (text) this.label.show(text, x, y + 18, 12);
    else this.label.hide();
  }

  private describe(what: Under): string {
    const { model } = this.bench;
    if (what.kind === "body") return placeName(what.hit.place);
    if (what.kind === "gizmo") return HANDLES[what.part];
    if (what.kind === "target") return what.name;
    if (what.kind === "velocity") return velocityWords(model, what.name);
    if (what.kind !== "tick") return "";
    const arc = model.arcs.get(what.arc);
    const speed = arc ? ` · ${readableSpeed(arc.speeds[what.frame * arc.perFrame])}` : "";
    return `frame ${model.frameLabel(what.frame)}${speed}`;
  }
}

function velocityWords({ loosening }: Model, name: string): string {
  const target = loosening.targets.find((each) => each.name === name)?.target;
  const velocity = target?.kind === "point" ? target.velocity : null;
  return Array.isArray(velocity) ? `velocity: ${centimetresPerSecond(Math.hypot(...velocity))}` : "";
}

function isSameLimb(a: Place | null, b: Place | null): boolean {
  return a === b || (a !== null && b !== null && mainJoint(a) === mainJoint(b) && a.name === b.name);
}
