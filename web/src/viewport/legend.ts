import { readableSpeed, SPEED_GRADIENT } from "../canvas/speed_colours";
import type { Model } from "../model/model";
import type { Arcs } from "./arcs";
import type { Overlay } from "./overlay";
import type { Stage } from "./stage";

/** What the colours of the ticks mean; there only while an arc is. */
export class Legend {
  private readonly element = document.createElement("div");
  private readonly most = document.createElement("span");

  constructor(stage: Stage, model: Model, arcs: Arcs, overlay: Overlay) {
    this.element.style.cssText = "position:absolute;left:10px;bottom:8px;display:none;align-items:center;gap:6px;color:var(--quiet);font-size:11px";
    const scale = document.createElement("span");
    scale.style.cssText = `width:72px;height:6px;border-radius:3px;background:${SPEED_GRADIENT}`;
    this.element.append("0", scale, this.most);
    this.element.setAttribute("aria-label", "Colours of the ticks: speed");
    overlay.element.append(this.element);
    stage.beforeDraw.push(() => {
      const isShown = arcs.fastest > 0 && model.selection.points.value.length > 0;
      this.element.style.display = isShown ? "flex" : "none";
      const text = readableSpeed(arcs.fastest);
      if (isShown && this.most.textContent !== text) this.most.textContent = text;
    });
  }
}
