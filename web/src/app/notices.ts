import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { controls } from "../elements/controls";
import { icon } from "../elements/icons";
import { SignalElement } from "../elements/signal_element";
import type { Notice } from "../model/notices";
import { keyed } from "../protocol/door";
import type { Reread } from "../protocol/messages";
import { card } from "./corner";
import { openLeft } from "./files";
import { model } from "./studio";

/** What the animator should read, newest last; errors stay until they are closed. */
@customElement("ib-notices")
export class NoticeCards extends SignalElement {
  static override styles = [
    controls,
    card,
    css`
      .warning {
        --colour: var(--warn);
      }
      .error {
        --colour: var(--bad);
      }
      summary {
        width: fit-content;
        margin-top: 4px;
        color: var(--quiet);
        font-size: 12px;
        cursor: pointer;
      }
      summary:hover {
        color: var(--text);
      }
      .offer {
        display: block;
        width: fit-content;
        margin-top: 6px;
      }
      ul {
        max-height: min(240px, 40vh);
        margin: 4px 0 0;
        padding-left: 16px;
        overflow-y: auto;
        color: var(--quiet);
        font-size: 12px;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.setAttribute("role", "log");
    this.setAttribute("aria-live", "polite");
    this.setAttribute("aria-label", "Notices");
  }

  override render(): TemplateResult {
    return html`${repeat(
      model.notices.items.value,
      (notice) => notice.number,
      (notice) => this.card(notice),
    )}`;
  }

  private async openLeft(number: number, left: string): Promise<void> {
    if (await openLeft(left)) model.notices.close(number);
  }

  private async readAgain(number: number, unit: Reread["unit"], up: Reread["up"]): Promise<void> {
    if ((await model.ask({ type: "read-again", unit, up })) !== undefined) model.notices.close(number);
  }

  private card({ number, level, text, more, left, url, choices }: Notice): TemplateResult {
    return html`
      <div class="card ${level}" role=${level === "error" ? "alert" : "note"}>
        ${icon(level === "info" ? "info" : "warning")}
        <span class="text">
          ${text}
          ${
            more.length === 0
              ? nothing
              : html`<details @toggle=${() => model.notices.keep(number)}>
                <summary>What exactly</summary>
                <ul>
                  ${more.map((line) => html`<li>${line}</li>`)}
                </ul>
              </details>`
          }
          ${left === null ? nothing : html`<button class="offer" @click=${() => this.openLeft(number, left)}>Open it</button>`}
          ${choices.map(({ label, unit, up }) => html`<button class="offer" @click=${() => this.readAgain(number, unit, up)}>${label}</button>`)}
          ${url === null ? nothing : html`<a class="offer" href=${keyed(url)} download>Fetch the copy</a>`}
        </span>
        <button class="plain" aria-label="Close notice" title="Close" @click=${() => model.notices.close(number)}>
          ${icon("close")}
        </button>
      </div>
    `;
  }
}
