import { Vector3 } from "three";
import { keyedArc } from "../../model/loosening";
import type { Model } from "../../model/model";
import type { Arc } from "../../protocol/binary";
import { atFrame, frameCount, type ToPixels } from "../arc_geometry";
import { ARROW_SECONDS, velocityTip, wishOf } from "../target_marks";
import type { Bench } from "./bench";
import { pullBy } from "./drags";
import type { Drag, StageTool, TargetGrip } from "./tool";
import type { Under } from "./under";

/** A target that is dragged this near to a tick of the motion curve, in CSS pixels, is on it. */
const SNAP = 6;

/** Take hold of a target by its crosshair or by a handle of the gizmo: as the tool does, or else pull it. */
export function holdTarget(bench: Bench, tool: StageTool, under: Under, x: number, y: number): Drag | null {
  const { model } = bench;
  const { loosening } = model;
  if (under.kind === "target" && loosening.chosen.value !== under.name) loosening.choose(under.name);
  const aim = loosening.chosenTarget;
  const point = aim && wishOf(model, aim);
  if (!aim || !point || aim.target.kind !== "point") return null;
  model.playback.pause();
  model.playback.go(model.frameOf(aim.target.time));
  const grip = { name: aim.name, target: aim.target, point, part: under.kind === "gizmo" ? under.part : null };
  return tool.takeTarget ? tool.takeTarget(bench, grip, x, y) : pullingTarget(bench, grip, x, y);
}

function pullingTarget(bench: Bench, { name, point, part }: TargetGrip, x: number, y: number): Drag {
  const { model } = bench;
  const pull = pullBy(bench, part, point, x, y);
  const isFree = part === null || part === "centre";
  const hand = model.take({ kind: "drag-target", target: name });
  return {
    hand,
    part,
    move: (x, y) => {
      const wish = pull(x, y);
      hand.move(...((isFree ? snapped(model, bench.lens.toPixels, wish) : null) ?? wish).toArray());
    },
  };
}

/** Take hold of the arrow that shows which velocity a target was given. */
export function holdVelocity(bench: Bench, name: string, x: number, y: number): Drag | null {
  const { model } = bench;
  const { loosening } = model;
  if (loosening.chosen.value !== name) loosening.choose(name);
  const aim = loosening.chosenTarget;
  const [at, tip] = aim ? [wishOf(model, aim), velocityTip(model, aim)] : [null, null];
  if (!at || !tip) return null;
  const pull = pullBy(bench, null, tip, x, y);
  const hand = model.take({ kind: "drag-target", target: name, wanted: "velocity" });
  return { hand, part: null, move: (x, y) => hand.move(...pull(x, y).sub(at).divideScalar(ARROW_SECONDS).toArray()) };
}

/** The tick of the selected point's motion curve, keyed or loose, that a position is on as the eye sees it. */
function snapped(model: Model, toPixels: ToPixels, wish: Vector3): Vector3 | null {
  const active = model.selection.active;
  const arcs = active ? [model.arcs.get(keyedArc(active.arc)), model.arcs.get(active.arc)] : [];
  return nearestTick(
    arcs.filter((arc) => arc !== null),
    toPixels,
    wish,
  );
}

/** The tick that is nearest to a position on the screen, within reach; of equally near ones that of the first arc. */
export function nearestTick(arcs: readonly Arc[], toPixels: ToPixels, wish: Vector3): Vector3 | null {
  const at = toPixels(wish, new Vector3());
  const [tick, pixel, best] = [new Vector3(), new Vector3(), new Vector3()];
  let least = SNAP;
  for (const arc of arcs) {
    for (let frame = 0; frame < frameCount(arc); frame++) {
      toPixels(atFrame(arc, frame, tick), pixel);
      const apart = Math.hypot(pixel.x - at.x, pixel.y - at.y);
      if (pixel.z < 1 && apart < least) [least] = [apart, best.copy(tick)];
    }
  }
  return least < SNAP ? best : null;
}
