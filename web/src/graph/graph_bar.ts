import { css, html, nothing, type TemplateResult } from "lit";
import type { Studio } from "../commands/studio";
import { SignalElement } from "../elements/signal_element";
import type { Key } from "../model/curves";
import type { Clip } from "../protocol/messages";
import { TANGENT_COMMANDS } from "./commands";
import { bringKey, timeText, wished } from "./key_fields";
import { countSelected } from "./key_selection";
import type { Row } from "./rows";
import type { Shown } from "./shown";
import { tangentIcon } from "./tangent_icons";
import { readable } from "./units";

/** Above the sheet: what can be done to the selected keys, and the frame and value of one. Fires `fit`. */
export class GraphBar extends SignalElement {
  static override styles = css`
    :host {
      display: flex;
      align-items: center;
      gap: 2px;
      height: 26px;
      padding: 0 6px;
      background: var(--panel);
      border-bottom: 1px solid var(--line);
      font: 12px/1 inherit;
      white-space: nowrap;
      overflow: hidden;
    }
    button {
      display: grid;
      place-items: center;
      flex: none;
      width: 26px;
      height: 22px;
      padding: 0;
      border: 0;
      border-radius: var(--radius);
      background: none;
      color: var(--text);
      cursor: pointer;
    }
    button:hover:not([aria-disabled="true"]) {
      background: var(--raised);
    }
    button[aria-disabled="true"] {
      color: var(--dim);
      cursor: default;
    }
    :focus-visible {
      outline: 2px solid var(--accent);
      outline-offset: -2px;
    }
    svg {
      width: 16px;
      height: 16px;
      fill: none;
      stroke: currentColor;
      stroke-width: 1.4;
    }
    .gap {
      flex: none;
      width: 1px;
      height: 14px;
      margin: 0 4px;
      background: var(--line);
    }
    .fields {
      display: flex;
      align-items: center;
      gap: 6px;
      margin-left: auto;
      color: var(--quiet);
    }
    label {
      display: flex;
      align-items: center;
      gap: 4px;
    }
    input {
      width: 76px;
      height: 20px;
      padding: 0 5px;
      border: 1px solid var(--line);
      border-radius: 3px;
      background: var(--ground);
      color: var(--text);
      font: var(--mono);
    }
  `;

  constructor(
    private readonly studio: Studio,
    private readonly shown: Shown,
  ) {
    super();
  }

  override render(): TemplateResult {
    return html`
      ${TANGENT_COMMANDS.map((id) => html`${id === "tangents-tie" ? html`<span class="gap"></span>` : nothing}${this.button(id)}`)}
      <span class="gap"></span>
      <button title="Fit the selected keys, or all curves (F)" aria-label="Fit view" @click=${this.fit}>${tangentIcon("fit")}</button>
      <span class="fields">${this.fields()}</span>
    `;
  }

  private button(id: (typeof TANGENT_COMMANDS)[number]): TemplateResult {
    const run = (): void => this.studio.commands.run(id);
    return html`<button title=${this.studio.commands.tooltip(id)} aria-label=${this.studio.commands.get(id).label} aria-disabled=${String(!this.studio.commands.can(id))} @click=${run}>
      ${tangentIcon(id)}
    </button>`;
  }

  private fields(): TemplateResult | typeof nothing {
    const count = countSelected(this.shown.curves());
    if (count > 1) return html`${count} keys`;
    const one = this.shown.curves().find(({ selected }) => selected.size === 1);
    const number = one ? [...one.selected][0] : -1;
    const key = one?.curve.keys[number];
    if (!one || !key) return nothing;
    const [{ row }, clip, inSeconds] = [one, this.studio.model.clip.value as Clip, this.studio.model.timeInSeconds.value];
    return html`
      ${this.field("time", inSeconds ? "time" : "frame", timeText(key.time, clip, inSeconds), row, number, key)}
      ${this.field("value", "value", readable(key.value, row.unit, row.unit.digits + 1), row, number, key)}
    `;
  }

  private field(kind: "time" | "value", name: string, text: string, row: Row, number: number, key: Key): TemplateResult {
    const take = (event: Event): void => {
      const [input, clip] = [event.target as HTMLInputElement, this.studio.model.clip.value as Clip];
      const wish = wished(key, kind, input.value, row.unit.quantity, clip, this.studio.model.timeInSeconds.value);
      // What is no number, or no change, shows what holds again.
      if (wish && input.value !== text) void bringKey(this.studio.model, row, number, key, wish, clip);
      else input.value = text;
    };
    const leave = (event: KeyboardEvent): void => {
      const input = event.target as HTMLInputElement;
      if (event.key === "Escape") input.value = text;
      if (event.key === "Escape" || event.key === "Enter") input.blur();
    };
    return html`<label title="The key's ${name}; Enter takes it">
      ${name}<input .value=${text} inputmode="decimal" aria-label="${name} of the key" @change=${take} @keydown=${leave} />
    </label>`;
  }

  private readonly fit = (): void => {
    this.dispatchEvent(new CustomEvent("fit", { bubbles: true }));
  };
}

customElements.define("ib-graph-bar", GraphBar);
