import { svg } from "lit";
import { Plane, Vector3 } from "three";
import { followPress } from "../../canvas/press";
import type { Overlay } from "../overlay";
import { type Bench, pixelOf } from "./bench";
import { pathOf } from "./bones";
import type { StageTool } from "./tool";

const key = "U";
/** Metres on the ground that a hand goes before it leaves another point. */
const STEP = 0.03;
/** Metres: farther away nobody draws; a ray near the horizon meets the ground anywhere. */
const FARTHEST = 200;
const GROUND = new Plane(new Vector3(0, 1, 0), 0);

/** Draw a line on the ground, and the shown clip goes along it. */
class PathTool implements StageTool {
  readonly name = "path";
  readonly label = "Way";
  readonly key = key;
  readonly does = "draw on the ground where a walk shall go";
  readonly icon = svg`<path d="M2 13.5c5 .3 1.6-5.4 5.6-6.4S11 3.4 14 2.6" /><path d="m11.4 2 2.6.6-1 2.5" />`;
  readonly gestures = [{ where: "Ground", gesture: `${key}, then draw`, does: "Lead the walk along the line, its feet held" }];
  readonly parts = [];
  readonly holdsTargets = false;
  private line: SVGPathElement | null = null;
  private drawn: number[] = [];

  cursor(): string {
    return "crosshair";
  }

  press({ stage, lens, model }: Bench, start: PointerEvent): void {
    model.playback.pause();
    const take = (event: PointerEvent): void => {
      const point = lens.ray(...pixelOf(stage, event)).intersectPlane(GROUND, new Vector3());
      if (!point || point.length() > FARTHEST) return;
      const last = this.drawn.slice(-3);
      if (last.length > 0 && Math.hypot(point.x - last[0], point.z - last[2]) < STEP) return;
      this.drawn.push(point.x, 0, point.z);
      stage.invalidate();
    };
    const end = (): void => {
      this.drawn = [];
      stage.invalidate();
    };
    followPress(stage.canvas, start, {
      begin: () => {
        this.drawn = [];
        take(start);
        return {
          move: (event) => {
            const way = event.getCoalescedEvents?.() ?? [];
            for (const each of way.length > 0 ? way : [event]) take(each);
          },
          commit: () => {
            const points = this.drawn.filter((_, i) => i % 3 !== 1);
            if (points.length >= 4) void model.ask({ type: "bend-path", points });
            else model.notices.add("info", "Draw the way on the ground, a step long at least");
            end();
          },
          cancel: end,
        };
      },
      click: () => model.notices.add("info", "Draw the way on the ground: press where it begins, and pull"),
    });
  }

  attach({ stage }: Bench, overlay: Overlay): undefined {
    this.line = overlay.shape("path", { fill: "none", stroke: "var(--stroke)", "stroke-width": 3, "stroke-linecap": "round", "stroke-linejoin": "round" });
    stage.beforeDraw.push(() =>
      this.line?.setAttribute(
        "d",
        pathOf([this.drawn], (position, into) => stage.toPixels(position, into)),
      ),
    );
  }
}

export const path: StageTool = new PathTool();
