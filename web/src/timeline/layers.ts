import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import type { Studio } from "../commands/studio";
import { controls } from "../elements/controls";
import { SignalElement } from "../elements/signal_element";
import type { LayerInfo } from "../protocol/messages";
import { sign } from "./transport_icons";

/** The layers of the shown clip behind a button: mute, and how much each counts. Nothing for a clip without layers. */
@customElement("ib-layers")
class Layers extends SignalElement {
  static override styles = [
    controls,
    css`
      button {
        padding: 0 6px;
        min-height: 24px;
      }
      svg {
        stroke-width: 1.5;
      }
      [popover] {
        position: fixed;
        inset: auto;
        margin: 0;
        padding: 8px 10px;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--panel);
        color: var(--text);
        font: var(--font);
        box-shadow: 0 8px 28px rgb(0 0 0 / 50%);
      }
      .layer {
        display: grid;
        grid-template-columns: minmax(80px, 1fr) auto 90px 40px;
        align-items: center;
        gap: 8px;
        min-height: 28px;
      }
      input[type="range"] {
        width: 90px;
        min-height: 0;
        padding: 0;
        accent-color: var(--accent);
      }
      .muted {
        color: var(--quiet);
        text-decoration: line-through;
      }
      .weight {
        color: var(--quiet);
        font: var(--mono);
        text-align: right;
      }
    `,
  ];

  constructor(private readonly studio: Studio) {
    super();
  }

  override render(): TemplateResult | typeof nothing {
    const layers = this.studio.model.clip.value?.layers ?? [];
    if (layers.length === 0) return nothing;
    const title = "Layers: mute them, or say how much they count";
    return html`
      <button class="plain" title=${title} aria-haspopup="dialog" @click=${this.open}>${sign("layers")} ${layers.length}</button>
      <div popover aria-label="Layers">${layers.map((layer) => this.layer(layer))}</div>
    `;
  }

  private layer({ name, weight, muted }: LayerInfo): TemplateResult {
    const weigh = (event: Event): void => {
      void this.studio.model.ask({ type: "change-layer", layer: name, weight: Number((event.target as HTMLInputElement).value) });
    };
    return html`
      <div class="layer">
        <span class=${muted ? "muted" : ""}>${name}</span>
        <button aria-pressed=${muted} title="Leave ${name} out" @click=${() => this.studio.model.ask({ type: "change-layer", layer: name, muted: !muted })}>
          Mute
        </button>
        <input type="range" min="0" max="1" step="0.05" .value=${String(weight)} aria-label="Weight of ${name}" @change=${weigh} />
        <span class="weight">${Math.round(100 * weight)} %</span>
      </div>
    `;
  }

  private open(event: Event): void {
    const sheet = this.renderRoot.querySelector<HTMLElement>("[popover]");
    if (!sheet) return;
    const { right, top } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    sheet.togglePopover();
    const { width, height } = sheet.getBoundingClientRect();
    sheet.style.left = `${Math.max(4, right - width)}px`;
    sheet.style.top = `${Math.max(4, top - height - 4)}px`;
  }
}

export { Layers };
