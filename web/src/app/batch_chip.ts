import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { controls } from "../elements/controls";
import { icon } from "../elements/icons";
import { SignalElement } from "../elements/signal_element";
import { commands, model } from "./studio";

/** Where a clip of a batch is open: back to the others, and whether it is done. Not there for other documents. */
@customElement("ib-batch-chip")
export class BatchChip extends SignalElement {
  static override styles = [
    controls,
    css`
      :host {
        display: flex;
        gap: 2px;
      }
      button {
        white-space: nowrap;
      }
      /* As in the bar around it: a second row would cost more than the words do. */
      @media (max-width: 1500px) {
        button {
          padding-inline: 6px;
        }
        span {
          display: none;
        }
      }
    `,
  ];

  override render(): TemplateResult | typeof nothing {
    const clip = model.files.value?.clip;
    if (!clip) return nothing;
    return html`
      <button class="plain" aria-label="Clips" title=${commands.tooltip("batch")} @click=${() => commands.run("batch")}>${icon("file")}<span>Clips</span></button>
      <button class="plain" aria-label="Done" aria-pressed=${clip.done} title=${commands.tooltip("mark-done")} @click=${() => commands.run("mark-done")}>
        ${icon("tick")}<span>Done</span>
      </button>
    `;
  }
}
