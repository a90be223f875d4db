import { Vector3 } from "three";
import { followPress } from "../../canvas/press";
import { onChange } from "../../model/changes";
import type { Hand } from "../../model/hand";
import type { Overlay } from "../overlay";
import { Label } from "../overlay";
import type { Stage } from "../stage";
import { type Bench, pixelOf } from "./bench";
import { type BoneHit, BoneWatch, boneUnder, middleOf } from "./bones";
import type { Pixel } from "./locate";
import { SketchBar } from "./sketch_bar";
import { type Eye, SketchPlane, StrokePoints, tellsPressure, wayOf } from "./sketch_plane";
import { SketchSheet } from "./sketch_sheet";

/** Pixels by which a bone may be missed. */
const REACH = 16;
/** Radians a pixel: a degree. */
const TWIST = Math.PI / 180;

/**
 * Where strokes are drawn. Without chosen bones a stroke chooses some; with them it draws what they shall look like. Shift always
 * chooses, and adds; a click chooses the bone under it, or none.
 */
export class SketchPad {
  private readonly sheet: SketchSheet;
  private readonly label: Label;

  constructor(
    private readonly bench: Bench,
    overlay: Overlay,
    /** Whether the tool is chosen. */
    isOn: () => boolean,
  ) {
    const { stage, model } = bench;
    this.sheet = new SketchSheet(stage, model, overlay, isOn);
    this.label = new Label(overlay);
    new BoneWatch(model, isOn);
    stage.element.append(new SketchBar(model, isOn));
    const { sketching } = model;
    onChange(model.changed, (what) => what?.kind === "open" && this.sheet.forget());
    stage.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !isOn() || sketching.bones.value.length === 0) return;
      sketching.bones.value = [];
      event.stopPropagation();
    });
  }

  /** The left button went down. */
  press(start: PointerEvent): void {
    const { stage, model } = this.bench;
    const [x, y] = pixelOf(stage, start);
    model.playback.pause();
    const shapes = model.sketching.shapes.value;
    if (!shapes) return;
    const { bones, options } = model.sketching;
    const choosing = start.shiftKey || bones.value.length === 0;
    const hit = boneUnder(shapes, this.bench.lens.toPixels, x, y, REACH);
    const end = (keep: boolean): void => {
      this.sheet.end(keep);
      this.label.hide();
    };
    followPress(stage.canvas, start, {
      begin: () => {
        const drag = choosing ? this.choosing(x, y, start.shiftKey) : options.value.twisting ? this.twisting(hit, x) : this.drawing(x, y, start);
        return (
          drag && {
            move: (event) => {
              for (const each of wayOf(event)) drag.move(...pixelOf(stage, each), each.pressure);
            },
            commit: () => void drag.commit().then(end),
            cancel: () => {
              drag.cancel();
              end(false);
            },
          }
        );
      },
      click: (event) => this.click(hit, event.shiftKey),
    });
  }

  /** Where a bone is on the page, 0 to 1 along it; null when it is not known. */
  whereIsBone(joint: string, place = 0.5): Pixel | null {
    const { stage, model } = this.bench;
    const bone = model.sketching.shapes.value?.items.find((each) => each.joint === joint);
    if (!bone) return null;
    const at = 3 * Math.round(place * (bone.points.length / 3 - 1));
    const { x, y } = stage.toPixels(new Vector3().fromArray(bone.points, at));
    const box = stage.canvas.getBoundingClientRect();
    return { x: box.left + x, y: box.top + y };
  }

  private click(hit: BoneHit | null, add: boolean): void {
    const { sketching } = this.bench.model;
    if (hit) sketching.pick(hit.joint, add);
    else if (!add) sketching.bones.value = [];
  }

  /** A stroke over the bones that are meant. */
  private choosing(x: number, y: number, add: boolean): SketchDrag {
    const { model } = this.bench;
    const stroke = this.stroke(x, y, [], true);
    return {
      move: stroke.move,
      cancel: () => undefined,
      commit: async () => {
        model.sketching.adding = add;
        const time = model.timeOf(model.playback.frame.value);
        const { selecting } = model.sketching.options.value;
        await model.ask({ type: "choose-bones", points: [...stroke.points.numbers], view: stroke.plane.view, time, selecting });
        return false;
      },
    };
  }

  /** A stroke that says what the chosen bones shall look like; they follow while it is drawn. */
  private drawing(x: number, y: number, start: PointerEvent): SketchDrag {
    const { model } = this.bench;
    const bones = [...model.sketching.bones.value];
    const stroke = this.stroke(x, y, bones, false, start);
    const pressed = tellsPressure(start);
    const { drawing, stretch, carry, support } = model.sketching.options.value;
    const time = model.timeOf(model.playback.frame.value);
    const hand = model.take({ kind: "sketch", bones, time, view: stroke.plane.view, drawing, stretch, carry, support, pressed });
    return {
      move: (x, y, pressure) => {
        stroke.move(x, y, pressure);
        hand.move(...stroke.points.numbers);
      },
      cancel: () => void hand.cancel(),
      commit: () => this.kept(hand),
    };
  }

  /** Twist the chosen bones up to where the pointer went down: a degree a pixel to the right. */
  private twisting(hit: BoneHit | null, from: number): SketchDrag | null {
    const { model } = this.bench;
    const order = (joint: string): number => model.jointIndex(joint);
    const chosen = model.sketching.bones.value;
    if (!hit || !chosen.includes(hit.joint)) {
      model.notices.add("info", "Press on one of the chosen bones and drag sideways to twist up to there");
      return null;
    }
    const bones = chosen.filter((each) => order(each) <= order(hit.joint)).sort((a, b) => order(a) - order(b));
    const time = model.timeOf(model.playback.frame.value);
    const hand = model.take({ kind: "twist-bones", bones, time, place: Math.max(0.05, hit.place) });
    return {
      move: (x, y) => {
        hand.move((x - from) * TWIST);
        this.label.show(`${Math.round(x - from)}°`, x, y);
      },
      cancel: () => void hand.cancel(),
      commit: () => this.kept(hand),
    };
  }

  /** Let go; what the server could not follow is told. */
  private async kept(hand: Hand): Promise<boolean> {
    const { model } = this.bench;
    const steps = model.history.value.at;
    await hand.commit();
    const answer = model.answer.value;
    if (answer?.gesture === hand.number && !answer.reached && answer.text) model.notices.add("warning", answer.text);
    return model.history.value.at > steps;
  }

  private stroke(
    x: number,
    y: number,
    bones: readonly string[],
    choosing: boolean,
    pen: PointerEvent | null = null,
  ): { plane: SketchPlane; points: StrokePoints; move: SketchDrag["move"] } {
    const { stage, model } = this.bench;
    const shapes = model.sketching.shapes.value;
    const plane = new SketchPlane(eyeOf(stage), shapes ? middleOf(shapes, bones, new Vector3()) : new Vector3());
    const points = new StrokePoints(plane, pen !== null && tellsPressure(pen));
    points.add(x, y, pen?.pressure ?? 0);
    return {
      plane,
      points,
      move: (x, y, pressure) => {
        if (points.add(x, y, pressure)) this.sheet.show(points.points, choosing);
      },
    };
  }
}

/** What a drag of the tool does; the promise says whether a stroke became a step of the history. */
interface SketchDrag {
  move(x: number, y: number, pressure: number): void;
  commit(): Promise<boolean>;
  cancel(): void;
}

function eyeOf(stage: Stage): Eye {
  const { camera } = stage;
  camera.updateMatrixWorld();
  const [right, up] = [0, 1].map((column) => new Vector3().setFromMatrixColumn(camera.matrixWorld, column).normalize());
  return { position: camera.position.clone(), right, up, ray: (x, y) => stage.ray(x, y) };
}
