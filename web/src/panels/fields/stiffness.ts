import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import type { ChannelInfo } from "../../protocol/messages";
import { glyphs } from "../glyphs";
import { shortName } from "../inspector/inspection";
import { panelStyle } from "../panel";
import type { Holding } from "./holding";
import { STIFFNESS } from "./scales";
import "./slider";

const HELP = "How much it resists being moved: 0.1 gives way easily, 1 is as usual, 30 hardly moves";

/** One slider for the stiffness of channels that belong together; opened, one for each. */
class Stiffness extends LitElement {
  static override properties = { channels: { attribute: false }, label: {}, open: { state: true } };
  static override styles = [
    panelStyle,
    css`
      :host {
        display: block;
        height: auto;
      }
      .line {
        display: grid;
        grid-template-columns: var(--label, 74px) minmax(0, 1fr);
        align-items: center;
        gap: 6px;
        height: 21px;
      }
      .line > button {
        justify-content: flex-start;
        gap: 2px;
      }
      .line > span {
        padding-left: 16px;
        overflow: hidden;
        text-overflow: ellipsis;
      }
      button[aria-expanded="true"] svg {
        transform: rotate(90deg);
      }
    `,
  ];

  channels: readonly ChannelInfo[] = [];
  label = "";
  /** Takes hold of the stiffness of some channels. */
  hold: ((channels: string[]) => Holding) | null = null;
  private open = false;

  protected override render(): TemplateResult {
    const { channels, open } = this;
    const values = channels.map((each) => each.stiffness);
    // Ratios matter, so what stands for several is their geometric mean.
    const middle = Math.exp(values.reduce((sum, each) => sum + Math.log(each), 0) / values.length);
    const mixed = Math.max(...values) > 1.001 * Math.min(...values);
    const all = this.slider(
      this.label,
      channels.map((each) => each.name),
      middle,
      mixed ? "mixed" : "",
    );
    const toggle = html`<button
      class="bare"
      aria-expanded=${open}
      title=${open ? "One slider for all" : "A slider for each channel"}
      @click=${() => {
        this.open = !open;
      }}
    >
      ${glyphs.chevron}stiffness
    </button>`;
    const each = (channel: ChannelInfo): TemplateResult => html`<div class="line">
      <span class="quiet" title=${channel.name}>${shortName(channel)}</span>${this.slider(channel.name, [channel.name], channel.stiffness, "")}
    </div>`;
    return html`
      <div class="line">${channels.length > 1 ? toggle : html`<span class="quiet">stiffness</span>`}${all}</div>
      ${open && channels.length > 1 ? channels.map(each) : nothing}
    `;
  }

  private slider(label: string, channels: string[], value: number, text: string): TemplateResult {
    return html`<ib-slider
      .value=${value}
      .label=${`${label}: stiffness`}
      .help=${HELP}
      .text=${text}
      .scale=${STIFFNESS}
      .hold=${this.hold && (() => this.hold?.(channels))}
    ></ib-slider>`;
  }
}

customElements.define("ib-stiffness", Stiffness);
