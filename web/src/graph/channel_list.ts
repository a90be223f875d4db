import { css, html, svg, type TemplateResult } from "lit";
import { classMap } from "lit/directives/class-map.js";
import { following } from "../canvas/palette";
import type { Studio } from "../commands/studio";
import { follow } from "../elements/follow";
import { SignalElement } from "../elements/signal_element";
import { valueAt } from "./curve_values";
import { Palette } from "./palette";
import type { Row } from "./rows";
import type { Shown } from "./shown";
import { readable } from "./units";

const EYE = svg`<path d="M1.500 8C4 3.500 12 3.500 14.500 8 12 12.500 4 12.500 1.500 8z" />`;

/** Left of the sheet: the channels, their colours and values; a click shows one alone, Shift-click more or fewer. */
export class ChannelList extends SignalElement {
  static override styles = css`
    :host {
      display: block;
      overflow-y: auto;
      overflow-x: hidden;
      scrollbar-width: thin;
      scrollbar-color: var(--line) transparent;
      background: var(--panel);
      border-right: 1px solid var(--line);
      font-size: 12px;
    }
    .row {
      display: grid;
      grid-template-columns: 10px 1fr auto 20px;
      align-items: center;
      gap: 5px;
      height: 20px;
      padding-left: 6px;
      color: var(--text);
    }
    .row:hover,
    .row.hovered {
      background: var(--raised);
    }
    .hidden .name,
    .hidden .value,
    .bare .name {
      color: var(--quiet);
    }
    .hidden .swatch {
      opacity: 0.35;
    }
    .swatch {
      height: 3px;
      border-radius: 2px;
    }
    button {
      min-width: 0;
      padding: 0;
      border: 0;
      background: none;
      color: inherit;
      font: inherit;
      text-align: left;
      cursor: pointer;
    }
    .name {
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
      line-height: 20px;
      direction: rtl;
    }
    .value {
      color: var(--quiet);
      font: var(--mono);
      font-size: 11px;
    }
    .eye {
      display: grid;
      place-items: center;
      height: 20px;
      color: var(--quiet);
    }
    :focus-visible {
      outline: 2px solid var(--accent);
      outline-offset: -2px;
    }
    svg {
      width: 13px;
      height: 13px;
      fill: none;
      stroke: currentColor;
      stroke-width: 1.4;
    }
  `;
  private readonly palette = following(() => new Palette());

  constructor(
    private readonly studio: Studio,
    private readonly shown: Shown,
  ) {
    super();
  }

  override render(): TemplateResult {
    return html`<div role="list" aria-label="Channels">${this.shown.rows.value.map((row) => this.row(row))}</div>`;
  }

  private row(row: Row): TemplateResult {
    const { model } = this.studio;
    const curve = model.curves.get(row.channel, row.layer);
    const hidden = this.shown.hidden.value.has(row.label);
    const value = (): string => readable(curve ? valueAt(curve, model.timeOf(model.playback.frame.value)) : row.info.default, row.unit);
    const click = (event: MouseEvent): void => (event.shiftKey ? this.shown.toggle(row) : this.shown.isolate(row));
    const hover = (over: boolean) => (): void => {
      this.shown.hovered.value = over ? row : null;
    };
    const classes = classMap({ row: true, hidden, bare: curve === null, hovered: this.shown.hovered.value?.label === row.label });
    return html`<div class=${classes} role="listitem" @pointerenter=${hover(true)} @pointerleave=${hover(false)}>
      <span class="swatch" style="background:${this.palette().curve(row)}"></span>
      <button class="name" title="${row.label}${curve ? "" : " (no keys)"}: click shows it alone, Shift-click besides others" @click=${click}>
        &lrm;${row.label}&lrm;
      </button>
      <span class="value">${follow(value)}</span>
      <button class="eye" title=${hidden ? "Show" : "Hide"} aria-label="Show ${row.label}" aria-pressed=${String(!hidden)} @click=${() => this.shown.toggle(row)}>
        <svg viewBox="0 0 16 16" aria-hidden="true">
          ${EYE}${hidden ? svg`<path d="M3 13 13 3" />` : svg`<circle cx="8" cy="8" r="1.800" fill="currentColor" stroke="none" />`}
        </svg>
      </button>
    </div>`;
  }
}

customElements.define("ib-channel-list", ChannelList);
