import type { Model } from "../model/model";
import { Arcs } from "./arcs";
import { Legend } from "./legend";
import { Overlay } from "./overlay";
import { Scenery } from "./scenery";
import { Stage } from "./stage";

/** The character with its motion curves, to look at from all sides, without tools. */
export class ShowOnly extends HTMLElement {
  scenery: Scenery | null = null;

  constructor(private readonly model: Model) {
    super();
  }

  connectedCallback(): void {
    if (this.scenery !== null) return;
    this.style.cssText = "display:block;position:relative;min-height:0;overflow:hidden";
    const stage = new Stage(this);
    this.scenery = new Scenery(stage, this.model);
    this.scenery.viewpoints.turnByAnyButton();
    new Legend(stage, this.model, new Arcs(stage, this.model), new Overlay(this));
  }
}

customElements.define("ib-show-only", ShowOnly);
