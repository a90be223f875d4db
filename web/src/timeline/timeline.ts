import type { Studio } from "../commands/studio";
import { DopeSheet } from "./dope_sheet";
import type { Target } from "./locate";
import { Transport } from "./transport";

/** The transport above the dope sheet. */
export class Timeline extends HTMLElement {
  private readonly sheet: DopeSheet;

  constructor(private readonly studio: Studio) {
    super();
    this.sheet = new DopeSheet(studio);
  }

  connectedCallback(): void {
    if (this.firstChild) return;
    const column = document.createElement("div");
    column.style.cssText = "display:flex;flex-direction:column;height:100%;min-height:0;container:timeline / inline-size";
    this.sheet.style.cssText = "display:block;flex:1;min-height:0;outline-width:1px;outline-offset:-1px";
    column.append(new Transport(this.studio), this.sheet);
    this.append(column);
  }

  /** Where something is, in pixels of the page, for whoever moves a mouse there; null when it is not in sight. */
  whereIs(target: Target): { x: number; y: number } | null {
    return this.sheet.whereIs(target);
  }
}
customElements.define("ib-timeline", Timeline);
