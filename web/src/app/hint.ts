import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { controls } from "../elements/controls";
import { icon } from "../elements/icons";
import { SignalElement } from "../elements/signal_element";
import { onChange } from "../model/changes";
import { HINTS, type HintEvent, type HintStep, nextStep } from "./hint_steps";
import { model } from "./studio";

const PLACE = "inbetweener.hints";

/** One line in a corner of the viewport, away from heads and feet, that leads a newcomer to the first drag. */
@customElement("ib-hint")
export class Hint extends SignalElement {
  static override styles = [
    controls,
    css`
      :host {
        position: absolute;
        inset: auto 10px 10px auto;
        pointer-events: none;
      }
      div {
        display: flex;
        align-items: center;
        gap: 6px;
        padding: 4px 6px 4px 14px;
        border: 1px solid var(--line);
        border-radius: 99px;
        background: rgb(29 32 39 / 92%);
        color: var(--text);
      }
      button {
        min-height: 20px;
        padding: 2px;
        border-radius: 99px;
        pointer-events: auto;
      }
      svg {
        width: 13px;
        height: 13px;
      }
    `,
  ];

  @state() private step: HintStep = localStorage.getItem(PLACE) === "gone" ? "gone" : "select";
  private endings: (() => void)[] = [];

  override connectedCallback(): void {
    super.connectedCallback();
    let held = false;
    this.endings = [
      onChange(model.selection.points, (points) => this.happened(points.length > 0 ? "selected" : "cleared")),
      onChange(model.hand, (hand) => {
        if (hand) held = true;
      }),
      onChange(model.changed, (changed) => {
        const kind = changed?.kind;
        if (kind === "commit") this.happened(held ? "gesture" : "edit");
        else if (kind === "undo" || kind === "redo") this.happened("edit");
        if (kind !== "preview") held = model.hand.value !== null;
      }),
    ];
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const end of this.endings) end();
  }

  override render(): TemplateResult | typeof nothing {
    // Without a clip there is no arc to drag.
    const useless = !model.scene.value?.joints.length || !model.clip.value || model.tool.value.saysWhatNext;
    if (this.step === "gone" || useless) return nothing;
    return html`
      <div role="status">
        ${HINTS[this.step]}
        <button
          class="plain"
          aria-label="No more hints"
          title="No more hints"
          @click=${() => this.happened("dismissed")}
        >
          ${icon("close")}
        </button>
      </div>
    `;
  }

  private happened(event: HintEvent): void {
    this.step = nextStep(this.step, event);
    if (this.step === "gone") localStorage.setItem(PLACE, "gone");
  }
}
