import { effect } from "@preact/signals-core";
import type { Studio } from "../commands/studio";
import { BeforeView } from "./before_view";
import type { Preset } from "./framing";
import { SideView } from "./side_view";
import { Viewport } from "./viewport";

const SIDES: readonly Preset[] = ["top", "front", "side"];

/**
 * The viewport alone, with the version that is compared with at its left, or with views from above, the front and the
 * side around it; those are made when first wanted.
 */
export class Viewports extends HTMLElement {
  private readonly main: Viewport;
  private sides: SideView[] = [];
  private earlier: BeforeView | null = null;

  constructor(private readonly studio: Studio) {
    super();
    this.main = new Viewport(studio);
  }

  connectedCallback(): void {
    if (this.firstChild) return;
    const grid = document.createElement("div");
    grid.style.cssText = "display:grid;width:100%;height:100%;gap:1px;background:var(--line)";
    this.main.style.cssText = "display:block;min-width:0;min-height:0;overflow:hidden;order:2";
    grid.append(this.main);
    this.append(grid);
    const { quad, comparing } = this.studio.model;
    effect(() => this.divide(grid, quad.value && this.main.canDraw, comparing.isBeside && this.main.canDraw));
  }

  private divide(grid: HTMLElement, quad: boolean, beside: boolean): void {
    const split = beside && !quad;
    grid.style.grid = quad ? "1fr 1fr / 1fr 1fr" : split ? "100% / 1fr 1fr" : "100% / 100%";
    if (split && this.main.scenery) {
      this.earlier ??= new BeforeView(this.studio.model, this.main.scenery.viewpoints);
      this.earlier.style.order = "1";
      grid.append(this.earlier);
    } else this.earlier?.remove();
    if (!quad) {
      for (const side of this.sides) side.remove();
      return;
    }
    if (this.sides.length === 0) this.sides = SIDES.map((preset) => new SideView(this.studio, preset, (viewpoints) => this.main.lookAt(viewpoints)));
    this.sides.forEach((side, i) => {
      side.style.order = String([1, 3, 4][i]);
      grid.append(side);
    });
  }
}
customElements.define("ib-viewports", Viewports);
