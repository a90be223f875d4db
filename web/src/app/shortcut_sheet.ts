import { css, html, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { Dialog } from "./dialog";
import { findCommands, findGestures, type SheetGroup } from "./sheet_search";
import { commands } from "./studio";

/** Every key and every gesture, to be searched. */
@customElement("ib-shortcuts")
class ShortcutSheet extends Dialog<never> {
  static override styles = [
    ...Dialog.styles,
    css`
      :host {
        --dialog-width: 1040px;
      }
      input {
        width: 100%;
        margin-bottom: 10px;
      }
      .halves {
        display: flex;
        flex-wrap: wrap;
        align-items: flex-start;
        gap: 0 28px;
        /* As tall with one result as with all, so that nothing jumps while one types. */
        min-height: min(58vh, 560px);
      }
      .keyboard {
        flex: 2 1 600px;
        columns: 280px;
        column-gap: 28px;
      }
      .mouse {
        flex: 1 1 280px;
      }
      section {
        margin-bottom: 12px;
        break-inside: avoid;
      }
      h3 {
        margin: 0 0 3px;
        color: var(--accent);
        font-size: 12px;
        font-weight: 600;
      }
      .row {
        display: flex;
        justify-content: space-between;
        gap: 12px;
        padding: 2px 0;
        break-inside: avoid;
      }
      .keys {
        display: flex;
        flex-wrap: wrap;
        justify-content: flex-end;
        gap: 4px;
      }
      .mouse .row {
        display: block;
      }
      .mouse b {
        font-weight: 600;
      }
    `,
  ];

  protected override readonly heading = "Shortcuts and gestures";
  @state() private words = "";

  protected override content(): TemplateResult {
    const [groups, gestures] = [findCommands(commands.all(), this.words), findGestures(this.words)];
    return html`
      <input
        type="search"
        autofocus
        placeholder="Search: pin, key, zoom …"
        aria-label="Search shortcuts"
        @input=${(event: Event) => (this.words = (event.target as HTMLInputElement).value)}
      />
      <div class="halves">
        ${groups.length === 0 ? html`` : html`<div class="keyboard">${groups.map(group)}</div>`}
        ${
          gestures.length === 0
            ? html``
            : html`<section class="mouse">
              <h3>Mouse</h3>
              ${gestures.map(({ where, gesture, does }) => html`<div class="row"><b>${where} · ${gesture}</b><br /><span class="quiet">${does}</span></div>`)}
            </section>`
        }
        ${groups.length + gestures.length === 0 ? html`<p class="quiet">Nothing is called that.</p>` : html``}
      </div>
    `;
  }
}

function group({ group, commands }: SheetGroup): TemplateResult {
  return html`
    <section>
      <h3>${group}</h3>
      ${commands.map(
        ({ label, keys }) => html`
          <div class="row">
            <span>${label}</span><span class="keys">${keys.map((key) => html`<kbd>${key}</kbd>`)}</span>
          </div>
        `,
      )}
    </section>
  `;
}

export function openShortcuts(): void {
  void (document.createElement("ib-shortcuts") as ShortcutSheet).show();
}
