import { css, html, LitElement, type PropertyValues, type TemplateResult } from "lit";
import type { Holding } from "./holding";
import { rangeStyle } from "./range_style";

/** How values lie along a slider from 0 to 1. */
export interface Scale {
  share(value: number): number;
  value(share: number): number;
}

const EVEN: Scale = {
  share: (value) => Math.min(1, Math.max(0, value)),
  value: (share) => share,
};

/** A slider that is one gesture from press to release; Escape lets it spring back. */
class Slider extends LitElement {
  static override properties = { value: { attribute: false }, label: {}, text: {}, help: {}, scale: { attribute: false }, disabled: { type: Boolean } };

  value = 0;
  label = "";
  /** What is read at its end; "" for the value itself. */
  text = "";
  help = "";
  scale: Scale = EVEN;
  disabled = false;
  hold: (() => Holding) | null = null;
  private held: Holding | null = null;
  /** After Escape the pointer may still be down; what it does until it goes up counts for nothing. */
  private spent = false;

  static override styles = [
    rangeStyle,
    css`
      :host {
        display: flex;
        align-items: center;
        gap: 6px;
        min-width: 0;
      }
      output {
        flex: none;
        min-width: var(--reading, 34px);
        text-align: right;
        font-variant-numeric: tabular-nums;
        color: var(--quiet);
      }
    `,
  ];

  protected override render(): TemplateResult {
    const words = this.text || readable(this.value);
    return html`
      <input
        type="range"
        min="0"
        max="1"
        step="0.01"
        aria-label=${this.label}
        aria-valuetext=${words}
        title=${this.help || this.label}
        ?disabled=${this.disabled}
        @input=${this.onInput}
        @change=${this.onChange}
        @pointerup=${() => this.input.blur()}
        @keydown=${this.onKey}
      />
      <output>${words}</output>
    `;
  }

  // Under the hand the slider stands where the hand put it, whatever the document says by now.
  protected override updated(_changed: PropertyValues): void {
    const { input } = this;
    if (!this.held) input.value = String(this.scale.share(this.value));
    input.style.setProperty("--share", `${100 * Number(input.value)}%`);
  }

  private get input(): HTMLInputElement {
    return this.renderRoot.querySelector("input") as HTMLInputElement;
  }

  private onInput(): void {
    if (this.spent) return this.requestUpdate();
    this.held ??= this.hold?.() ?? null;
    this.held?.move(this.scale.value(Number(this.input.value)));
    this.requestUpdate();
  }

  private async onChange(): Promise<void> {
    this.spent = false;
    const { held } = this;
    // Until the document has it, the slider stays where it was put.
    await held?.commit();
    if (this.held === held) this.held = null;
    this.requestUpdate();
  }

  private onKey(event: KeyboardEvent): void {
    if (event.key !== "Escape" || !this.held) return;
    event.preventDefault();
    void this.held.cancel();
    this.held = null;
    this.spent = true;
    this.requestUpdate();
  }
}

/** Three digits that matter are enough for a slider. */
function readable(value: number): string {
  return value.toFixed(value < 1 ? 2 : value < 10 ? 1 : 0);
}

customElements.define("ib-slider", Slider);
