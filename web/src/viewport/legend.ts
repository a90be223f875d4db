import { readableSpeed, SCALE_GRADIENT } from "../canvas/scale_colours";
import type { Model } from "../model/model";
import type { Arcs } from "./arcs";
import type { Overlay } from "./overlay";
import type { Stage } from "./stage";

/** What colours mean: those of the ticks while there is an arc, and those of the skin while it shows weights. */
export class Legend {
  constructor(stage: Stage, model: Model, arcs: Arcs, overlay: Overlay) {
    const speed = new Scale("Colours of the ticks: speed", 8, overlay);
    const weight = new Scale("Colours of the skin: weight", 26, overlay);
    stage.beforeDraw.push(() => {
      const { selection, display } = model;
      speed.show(arcs.fastest > 0 && selection.points.value.length > 0 ? readableSpeed(arcs.fastest) : null);
      const joint = selection.activeJoint;
      weight.show(display.value === "weights" ? (joint === null ? "1 – select a joint to see what it carries" : `1 – weight of ${joint}`) : null);
    });
  }
}

class Scale {
  private readonly element = document.createElement("div");
  private readonly most = document.createElement("span");

  constructor(label: string, bottom: number, overlay: Overlay) {
    this.element.style.cssText = `position:absolute;left:10px;bottom:${bottom}px;display:none;align-items:center;gap:6px;color:var(--quiet);font-size:11px`;
    const scale = document.createElement("span");
    scale.style.cssText = `width:72px;height:6px;border-radius:3px;background:${SCALE_GRADIENT}`;
    this.element.append("0", scale, this.most);
    this.element.setAttribute("aria-label", label);
    overlay.element.append(this.element);
  }

  /** With what stands at its end; null for not at all. */
  show(most: string | null): void {
    this.element.style.display = most === null ? "none" : "flex";
    if (most !== null && this.most.textContent !== most) this.most.textContent = most;
  }
}
