import { css, html, LitElement, type TemplateResult } from "lit";
import type { Studio } from "../commands/studio";
import { ChannelList } from "./channel_list";
import { GraphBar } from "./graph_bar";
import { GraphSheet } from "./graph_sheet";
import type { GraphSpot } from "./hits";
import { Shown } from "./shown";

/** The graph editor: a bar of things to do to keys, the list of channels, the sheet of curves. */
export class Graph extends LitElement {
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

  private readonly bar: GraphBar;
  private readonly list: ChannelList;
  private readonly sheet: GraphSheet;

  constructor(studio: Studio) {
    super();
    const shown = new Shown(studio.model);
    this.bar = new GraphBar(studio, shown);
    this.list = new ChannelList(studio, shown);
    this.sheet = new GraphSheet(studio, shown);
  }

  override render(): TemplateResult {
    return html`<div class="graph" @fit=${() => this.sheet.fit()}>${this.bar}${this.list}${this.sheet}</div>`;
  }

  /** Where something is, in page pixels, so that a mouse can go there; null when it is not on the sheet. */
  whereIs(spot: GraphSpot): { x: number; y: number } | null {
    return this.sheet.whereIs(spot);
  }

  /** Going to this panel by keyboard goes to the sheet, where F fits and Ctrl+A selects. */
  override focus(options?: FocusOptions): void {
    this.sheet.focus(options);
  }
}

customElements.define("ib-graph", Graph);
