import { Stage } from "./stage";
import { attachTools } from "./tools/attach";

/** The panel with the character. The stage is made when the panel first comes onto the page, and kept when it is docked elsewhere. */
class Viewport extends HTMLElement {
  private made: Stage | null = null;

  get stage(): Stage {
    if (!this.made) throw new Error("the viewport was never on the page");
    return this.made;
  }

  connectedCallback(): void {
    if (this.made) return;
    this.tabIndex = 0;
    this.style.position = "relative";
    this.made = new Stage(this);
    attachTools(this.made);
  }
}
customElements.define("ib-viewport", Viewport);
export { Viewport };
