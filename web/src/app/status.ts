import { effect } from "@preact/signals-core";
import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { controls } from "../elements/controls";
import { SignalElement } from "../elements/signal_element";
import { placeName } from "../model/selection";
import { shortfall } from "../model/shortfall";
import { milliseconds, pinError, selectionText, warmingText } from "./status_text";
import { model } from "./studio";

/** How often the frame rate is read while something moves, in milliseconds. */
const READING = 500;

/** The line at the bottom: where we are, and what became of the last drag. */
@customElement("ib-status")
export class Status extends SignalElement {
  static override styles = [
    controls,
    css`
      :host {
        display: flex;
        align-items: center;
        gap: 14px;
        min-height: 24px;
        padding: 0 12px;
        overflow: hidden;
        background: var(--panel);
        border-top: 1px solid var(--ground);
        color: var(--quiet);
        font-size: 12px;
        font-variant-numeric: tabular-nums;
        white-space: nowrap;
      }
      .point {
        color: var(--text);
      }
      .space {
        flex: 1;
      }
      .held {
        overflow: hidden;
        text-overflow: ellipsis;
      }
      .bad {
        color: var(--bad-text);
      }
      .warn {
        color: var(--warn);
      }
    `,
  ];
  private rate = 0;
  private reading = 0;

  constructor() {
    super();
    // The frame rate is only told while something moves; nothing is drawn otherwise.
    effect(() => this.followRate(model.playback.playing.value || model.hand.value !== null));
  }

  override render(): TemplateResult {
    const { points, controls: chosen } = model.selection;
    const warming = warmingText(model.warming.value);
    return html`
      <span class="point">${selectionText(
        points.value.map(({ place }) => placeName(place)),
        chosen.value,
      )}</span>
      <span>${model.clip.value ? `frame ${model.frameLabel(model.playback.frame.value)}` : nothing}</span>
      ${this.answer()}
      <span class="space"></span>
      ${
        warming
          ? html`<span
            class="warn"
            title="The solver is being compiled for this machine; until it is done the first drags may stutter"
            >${warming}</span
          >`
          : nothing
      }
      ${this.connection()}
      ${this.rate > 0 ? html`<span title="Pictures drawn a second">${Math.round(this.rate)} fps</span>` : nothing}
    `;
  }

  private answer(): TemplateResult | typeof nothing {
    const answer = model.answer.value;
    if (!answer) return nothing;
    // Once the hand has let go, nothing is held back any more.
    const short = model.hand.value ? answer.text || shortfall(answer) : "";
    return html`
      <span title="Time that the last move took to solve">solve ${milliseconds(answer.solve_ms)}</span>
      <span title="The most that any pin or contact gave way">pins ${pinError(answer.held)}</span>
      <span class="held ${short && !answer.reached ? "bad" : ""}" title="What keeps the dragged point from where it was wanted"
        >${short || "held by: —"}</span
      >
    `;
  }

  private connection(): TemplateResult | typeof nothing {
    const state = model.connection.state.value;
    if (state === "open") return nothing;
    return state === "lost" ? html`<span class="bad">no connection</span>` : html`<span>connecting…</span>`;
  }

  private followRate(moves: boolean): void {
    if (moves && this.reading === 0) {
      this.reading = window.setInterval(() => this.readRate(), READING);
    } else if (!moves && this.reading !== 0) {
      clearInterval(this.reading);
      this.reading = 0;
      this.rate = 0;
      this.requestUpdate();
    }
  }

  private readRate(): void {
    const viewport = document.querySelector<HTMLElement & { stage?: { framesPerSecond?: number } }>("ib-viewport");
    this.rate = viewport?.stage?.framesPerSecond ?? 0;
    this.requestUpdate();
  }
}
