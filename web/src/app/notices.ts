import { css, html, LitElement, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { Notice } from "../model/notices";
import { Watching } from "../model/watching";
import { controls } from "./controls";
import { card } from "./corner";
import { icon } from "./icons";
import { model } from "./studio";

/** What the animator should read, newest last; errors stay until they are closed. */
@customElement("ib-notices")
export class NoticeCards extends LitElement {
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
    `,
  ];

  constructor() {
    super();
    new Watching(this, model.notices.items);
  }

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

  private card({ number, level, text }: Notice): TemplateResult {
    return html`
      <div class="card ${level}" role=${level === "error" ? "alert" : "note"}>
        ${icon(level === "info" ? "info" : "warning")}
        <span class="text">${text}</span>
        <button class="plain" aria-label="Close notice" title="Close" @click=${() => model.notices.close(number)}>
          ${icon("close")}
        </button>
      </div>
    `;
  }
}
