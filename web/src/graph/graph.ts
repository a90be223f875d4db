import { css, html, LitElement, type TemplateResult } from "lit";
import "./channel_list";
import "./commands";
import "./graph_bar";
import type { GraphSheet } from "./graph_sheet";
import "./graph_sheet";
import type { GraphSpot } from "./locate";

/** The graph editor: a bar of things to do to keys, the list of channels, the sheet of curves. */
class Graph extends LitElement {
  static override styles = css`
    .graph {
      display: grid;
      grid-template: auto minmax(0, 1fr) / clamp(120px, 26%, 220px) minmax(0, 1fr);
      width: 100%;
      height: 100%;
    }
    ib-graph-bar {
      grid-column: 1 / -1;
    }
    ib-graph-sheet {
      display: block;
      position: relative;
      overflow: hidden;
    }
    ib-graph-sheet:focus-visible {
      outline: var(--ring);
      outline-offset: -2px;
    }
  `;

  override render(): TemplateResult {
    return html`<div class="graph">
      <ib-graph-bar @fit=${() => this.sheet.fit()}></ib-graph-bar>
      <ib-channel-list></ib-channel-list>
      <ib-graph-sheet role="application" aria-label="Curves"></ib-graph-sheet>
    </div>`;
  }

  /** Where something is, in page pixels, so that a mouse can go there; null when it is not on the sheet. */
  whereIs(spot: GraphSpot): { x: number; y: number } | null {
    return this.sheet.whereIs(spot);
  }

  /** Going to this panel by keyboard goes to the sheet, where F fits and Ctrl+A selects. */
  override focus(options?: FocusOptions): void {
    this.sheet.focus(options);
  }

  private get sheet(): GraphSheet {
    return this.renderRoot.querySelector("ib-graph-sheet") as GraphSheet;
  }
}

customElements.define("ib-graph", Graph);
