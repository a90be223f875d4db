import type { Studio } from "../commands/studio";
import type { Preset } from "./framing";
import { Scenery } from "./scenery";
import { Stage } from "./stage";
import { attachTools } from "./tools/attach";
import type { Viewpoints } from "./viewpoints";

/** One more view of the same scene, from a side and without perspective; whatever is dragged in one moves in all. */
export class SideView extends HTMLElement {
  stage: Stage | null = null;
  scenery: Scenery | null = null;

  constructor(
    private readonly studio: Studio,
    private readonly preset: Preset,
    private readonly looked: (viewpoints: Viewpoints) => void,
  ) {
    super();
  }

  connectedCallback(): void {
    if (this.stage) {
      this.stage.paused = false;
      return;
    }
    this.tabIndex = 0;
    this.setAttribute("aria-label", `View from the ${this.preset}`);
    this.style.cssText = "display:block;position:relative;min-width:0;min-height:0;overflow:hidden";
    const stage = new Stage(this);
    const scenery = new Scenery(stage, this.studio.model, this.preset);
    const name = document.createElement("div");
    name.textContent = this.preset;
    name.style.cssText = "position:absolute;left:10px;top:8px;color:var(--quiet);font-size:12px;pointer-events:none";
    this.append(name);
    [this.stage, this.scenery] = [stage, scenery];
    for (const type of ["pointerdown", "wheel", "focusin"]) this.addEventListener(type, () => this.looked(scenery.viewpoints), true);
    attachTools(this.studio, stage, scenery.character, async () => null, false);
  }

  disconnectedCallback(): void {
    // What nobody sees is not drawn.
    if (this.stage) this.stage.paused = true;
  }
}
customElements.define("ib-side-view", SideView);
