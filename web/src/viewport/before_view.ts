import { effect } from "@preact/signals-core";
import type { Model } from "../model/model";
import { Scenery } from "./scenery";
import { Stage } from "./stage";
import type { Viewpoints } from "./viewpoints";

/** The step of the history that is compared with, beside the main view and from the same place; to be looked at only. */
export class BeforeView extends HTMLElement {
  stage: Stage | null = null;
  scenery: Scenery | null = null;

  constructor(
    private readonly model: Model,
    private readonly main: Viewpoints,
  ) {
    super();
  }

  connectedCallback(): void {
    if (this.stage) {
      this.stage.paused = false;
      return;
    }
    this.setAttribute("aria-label", "The version that is compared with");
    this.style.cssText = "display:block;position:relative;min-width:0;min-height:0;overflow:hidden";
    const stage = new Stage(this);
    const scenery = new Scenery(stage, this.model, null, this.main);
    scenery.viewpoints.turnByAnyButton();
    const name = document.createElement("div");
    name.style.cssText = "position:absolute;left:10px;top:8px;color:var(--quiet);font-size:12px;pointer-events:none";
    this.append(name);
    effect(() => {
      name.textContent = this.model.comparing.name;
    });
    [this.stage, this.scenery] = [stage, scenery];
  }

  disconnectedCallback(): void {
    // What nobody sees is not drawn.
    if (this.stage) this.stage.paused = true;
  }
}
customElements.define("ib-before-view", BeforeView);
