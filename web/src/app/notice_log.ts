import { css, html, nothing, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { icon } from "../elements/icons";
import type { Told } from "../model/notices";
import { Dialog } from "./dialog";
import { model } from "./studio";

/** All that was told on this page, the newest first, for whoever could not read it in time. */
@customElement("ib-notice-log")
class NoticeLog extends Dialog<null> {
  static override styles = [
    ...Dialog.styles,
    css`
      :host {
        --dialog-width: 620px;
      }
      ol {
        display: grid;
        gap: 8px;
        margin: 0;
        padding: 0;
        list-style: none;
        user-select: text;
      }
      li {
        display: grid;
        grid-template-columns: auto auto 1fr;
        gap: 8px;
        align-items: baseline;
        overflow-wrap: anywhere;
      }
      .warning svg {
        color: var(--warn);
      }
      .error svg {
        color: var(--bad);
      }
      ul {
        margin: 3px 0 0;
        padding-left: 16px;
        color: var(--quiet);
        font-size: 12px;
      }
    `,
  ];
  protected override readonly heading = "Notices";

  protected override content(): TemplateResult {
    const told = model.notices.told.value;
    if (told.length === 0) return html`<p class="quiet">Nothing was told yet.</p>`;
    return html`<ol>${[...told].reverse().map((each) => this.line(each))}</ol>`;
  }

  private line({ at, level, text, more }: Told): TemplateResult {
    const lines = more.length > 0 ? html`<ul>${more.map((each) => html`<li>${each}</li>`)}</ul>` : nothing;
    return html`<li class=${level}>
      <time class="quiet">${new Date(at).toLocaleTimeString()}</time>${icon(level === "info" ? "info" : "warning")}<span>${text}${lines}</span>
    </li>`;
  }
}

export function openNotices(): void {
  void (document.createElement("ib-notice-log") as NoticeLog).show();
}
