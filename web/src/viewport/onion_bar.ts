import { css, html, nothing, type TemplateResult } from "lit";
import { StageBar } from "../elements/stage_bar";
import type { Model } from "../model/model";
import { MOST_EACH_SIDE } from "../model/onion_options";

/** How onion skins are shown, at the foot of the viewport while they are on. */
class OnionBar extends StageBar {
  static override readonly styles = [
    ...StageBar.styles,
    css`
      :host {
        inset: auto 8px 48px auto;
        max-width: calc(100% - 16px);
        box-sizing: border-box;
        display: flex;
        flex-wrap: wrap;
        justify-content: center;
        align-items: center;
        gap: 2px 10px;
      }
      label {
        display: flex;
        align-items: center;
        gap: 5px;
        color: var(--quiet);
        white-space: nowrap;
      }
      input {
        width: 64px;
        accent-color: var(--accent);
      }
      input[type="number"] {
        width: 44px;
      }
    `,
  ];

  constructor(model: Model) {
    super(model, () => model.onionSkins.value);
  }

  protected override content(): TemplateResult {
    const { onion } = this.model;
    const { every, count, opacity, step } = onion.value;
    const set = (change: Partial<typeof onion.value>): void => {
      onion.value = { ...onion.value, ...change };
    };
    const read = (then: (value: number) => void) => (event: Event) => then((event.target as HTMLInputElement).valueAsNumber);
    const slider = (name: string, help: string, value: number, least: number, most: number, pace: number, then: (value: number) => void): TemplateResult =>
      html`<label title=${help}>${name}<input type="range" min=${least} max=${most} step=${pace} .valueAsNumber=${value} aria-label=${help} @input=${read(then)} /></label>`;
    return html`<div role="radiogroup" aria-label="Where onion skins are">
        <button role="radio" aria-checked=${!every} aria-pressed=${!every} title="At the keys around the shown frame" @click=${() => set({ every: false })}>Keys</button>
        <button role="radio" aria-checked=${every} aria-pressed=${every} title="At even steps around the shown frame" @click=${() => set({ every: true })}>Every</button>
      </div>
      ${
        every
          ? html`<label title="Frames between onion skins">
            <input
              type="number"
              min="1"
              max="99"
              .value=${String(step)}
              aria-label="Frames between onion skins"
              @change=${read((value) => set({ step: Math.min(99, Math.max(1, Math.round(value) || 1)) }))}
            />frames
          </label>`
          : nothing
      }
      ${slider(`${count} each side`, "Onion skins before and after", count, 1, MOST_EACH_SIDE, 1, (value) => set({ count: value }))}
      ${slider("Strength", "How clear the nearest are; farther ones fade", opacity, 0.1, 1, 0.05, (value) => set({ opacity: value }))}`;
  }
}
customElements.define("ib-onion-bar", OnionBar);

export { OnionBar };
