import { css, html, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { keyName } from "../commands/commands";
import { type Keymap, PRESET_NAMES, type Preset, rememberKeys, withKeys } from "../commands/keymap";
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
      .map {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: 8px;
        margin-bottom: 10px;
      }
      button.change {
        min-height: 20px;
        padding: 0 6px;
        font: var(--mono);
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
  /** Whether keys are being changed, and which command waits for a key. */
  @state() private changes = false;
  @state() private waiting: string | null = null;

  constructor() {
    super();
    this.addEventListener("keydown", (event) => this.onKey(event), true);
  }

  /** The key that was waited for; Escape leaves it, Backspace takes it away. */
  private onKey(event: KeyboardEvent): void {
    if (this.waiting === null || ["Shift", "Control", "Alt", "Meta"].includes(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    const command = commands.get(this.waiting);
    const key = keyName(event);
    this.waiting = null;
    if (key === "Escape") return;
    this.keep(withKeys(commands.keymap.value, command, key === "Backspace" ? [] : [key]));
  }

  private keep(keymap: Keymap): void {
    commands.keymap.value = keymap;
    rememberKeys(localStorage, keymap);
  }

  protected override content(): TemplateResult {
    const [groups, gestures] = [findCommands(commands, this.words, this.changes), this.changes ? [] : findGestures(this.words)];
    return html`
      <input
        type="search"
        autofocus
        placeholder="Search: pin, key, zoom …"
        aria-label="Search shortcuts"
        @input=${(event: Event) => (this.words = (event.target as HTMLInputElement).value)}
      />
      <div class="map">
        <label>
          Keys as in
          <select aria-label="Keys as in" .value=${commands.keymap.value.preset} @change=${(event: Event) => this.keep({ ...commands.keymap.value, preset: (event.target as HTMLSelectElement).value as Preset })}>
            ${Object.entries(PRESET_NAMES).map(([preset, name]) => html`<option value=${preset} ?selected=${preset === commands.keymap.value.preset}>${name}</option>`)}
          </select>
        </label>
        <button type="button" aria-pressed=${this.changes} @click=${() => (this.changes = !this.changes)}>Change keys</button>
        ${Object.keys(commands.keymap.value.own).length > 0 ? html`<button type="button" @click=${() => this.keep({ ...commands.keymap.value, own: {} })}>Forget my changes</button>` : html``}
        ${this.changes ? html`<span class="quiet">Click a key and press another; Backspace takes it away. Kept in this browser.</span>` : html``}
      </div>
      <div class="halves">
        ${groups.length === 0 ? html`` : html`<div class="keyboard">${groups.map((each) => this.group(each))}</div>`}
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

  private group({ group, commands }: SheetGroup): TemplateResult {
    return html`
      <section>
        <h3>${group}</h3>
        ${commands.map(
          ({ id, label, keys }) => html`
            <div class="row">
              <span>${label}</span>
              ${
                this.changes
                  ? html`<button type="button" class="change" aria-label="Key of ${label}" aria-pressed=${this.waiting === id} @click=${() => (this.waiting = id)}>
                    ${this.waiting === id ? "press a key" : (keys[0] ?? "—")}
                  </button>`
                  : html`<span class="keys">${keys.map((key) => html`<kbd>${key}</kbd>`)}</span>`
              }
            </div>
          `,
        )}
      </section>
    `;
  }
}

export function openShortcuts(): void {
  void (document.createElement("ib-shortcuts") as ShortcutSheet).show();
}
