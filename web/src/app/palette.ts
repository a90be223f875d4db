import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { stepTo } from "../elements/menu_steps";
import { Dialog } from "./dialog";
import { rank } from "./sheet_search";
import { commands } from "./studio";

/** Lines that are shown; who wants others types on. */
const MOST = 60;

/** Everything by its name: type a few letters, Enter. */
@customElement("ib-palette")
class Palette extends Dialog<string> {
  static override styles = [
    ...Dialog.styles,
    css`
      :host {
        --dialog-width: 560px;
      }
      dialog {
        margin-top: 12vh;
      }
      input {
        width: 100%;
      }
      ul {
        height: min(46vh, 420px);
        margin: 8px -8px 0;
        padding: 0;
        overflow-y: auto;
        list-style: none;
      }
      li {
        display: flex;
        align-items: baseline;
        gap: 10px;
        padding: 4px 8px;
        border-radius: 4px;
        cursor: pointer;
      }
      li[aria-selected="true"] {
        background: color-mix(in srgb, var(--accent) 26%, var(--panel));
      }
      li[aria-disabled="true"] .label {
        color: var(--dim);
      }
      .label {
        flex: none;
      }
      .group {
        flex: 1;
        overflow: hidden;
        color: var(--dim);
        font-size: 12px;
        text-overflow: ellipsis;
        white-space: nowrap;
      }
    `,
  ];

  protected override readonly heading = "Find a command";
  @state() private words = "";
  @state() private at = 0;

  protected override content(): TemplateResult {
    const found = rank(commands, this.words).slice(0, MOST);
    const at = Math.min(this.at, found.length - 1);
    return html`
      <input
        type="search"
        autofocus
        role="combobox"
        aria-expanded="true"
        aria-controls="found"
        aria-activedescendant=${at >= 0 ? `found-${at}` : nothing}
        placeholder="What shall be done? mirror, key, contacts …"
        aria-label="Find a command"
        @input=${this.type}
        @keydown=${(event: KeyboardEvent) => this.step(event, at, found.length)}
      />
      <ul id="found" role="listbox" aria-label="Commands">
        ${found.map(
          ({ id, label, group, key, reason }, i) => html`
            <li
              id="found-${i}"
              role="option"
              aria-selected=${i === at}
              aria-disabled=${reason !== ""}
              @pointermove=${() => (this.at = i)}
              @click=${() => this.choose(id, reason)}
            >
              <span class="label">${label}</span><span class="group" title=${reason || nothing}>${reason || group}</span>${key ? html`<kbd>${key}</kbd>` : nothing}
            </li>
          `,
        )}
        ${found.length === 0 ? html`<p class="quiet">Nothing is called that.</p>` : nothing}
      </ul>
    `;
  }

  private readonly type = (event: Event): void => {
    this.words = (event.target as HTMLInputElement).value;
    this.at = 0;
  };

  private step(event: KeyboardEvent, at: number, count: number): void {
    const next = event.key === "ArrowDown" || event.key === "ArrowUp" ? stepTo(event.key, at, count) : null;
    if (next === null) return;
    event.preventDefault();
    this.at = next;
    void this.updateComplete.then(() => this.renderRoot.querySelector(`#found-${next}`)?.scrollIntoView({ block: "nearest" }));
  }

  protected override submit(): void {
    const found = rank(commands, this.words).slice(0, MOST)[this.at];
    if (found) this.choose(found.id, found.reason);
  }

  private choose(id: string, reason: string): void {
    if (!reason) this.answer(id); // else it stays open, and the line says why
  }
}

export async function openPalette(): Promise<void> {
  const id = await (document.createElement("ib-palette") as Palette).show();
  if (id !== null) commands.run(id);
}
