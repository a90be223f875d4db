import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { controls } from "../elements/controls";
import { startingWith, stepTo } from "../elements/menu_steps";
import { scale } from "../model/look";
import { type MenuItem, type MenuPlan, sections } from "./menus";
import { commands } from "./studio";

/** A menu of the bar: a button, and under it the commands of its groups. Arrow keys, letters, Enter, Escape. */
@customElement("ib-menu")
export class Menu extends LitElement {
  static override styles = [
    controls,
    css`
      :host {
        position: relative;
      }
      button[aria-haspopup] {
        padding-inline: 8px;
      }
      [role="menu"] {
        position: absolute;
        z-index: 20;
        top: calc(100% + 4px);
        left: 0;
        display: flex;
        align-items: stretch;
        flex-wrap: wrap;
        width: max-content;
        max-width: calc((100vw - 16px) / var(--scale));
        max-height: calc((100vh - 80px) / var(--scale));
        overflow-y: auto;
        padding: 5px;
        border: 1px solid var(--line);
        border-radius: var(--radius);
        background: var(--panel);
        box-shadow: 0 8px 28px rgb(0 0 0 / 50%);
      }
      [role^="menuitem"] {
        display: flex;
        justify-content: space-between;
        gap: 16px;
        width: 100%;
        padding: 3px 9px;
        border: 0;
        background: none;
        text-align: left;
        white-space: nowrap;
      }
      [role^="menuitem"][role]:is(:hover:not([aria-disabled="true"]), :focus) {
        outline: none;
        background: color-mix(in srgb, var(--accent) 26%, var(--panel));
      }
      /* What is on has a tick, and no fill: that is for where one is. */
      [role^="menuitem"][aria-checked] {
        border-color: transparent;
        background: none;
        color: inherit;
      }
      .tick {
        display: inline-block;
        width: 16px;
        margin-left: -4px;
        color: var(--accent);
      }
      .key {
        color: var(--quiet);
        font: var(--mono);
        line-height: inherit;
      }
      .heading {
        padding: 7px 9px 2px;
        color: var(--quiet);
        font-size: 11px;
      }
      [role="group"]:not(:first-child) {
        margin-top: 5px;
        border-top: 1px solid var(--line);
      }
      .column:only-child {
        min-width: 230px;
      }
      .column:not(:first-child) {
        margin-left: 5px;
        padding-left: 5px;
        border-left: 1px solid var(--line);
      }
    `,
  ];

  @property({ attribute: false }) plan!: MenuPlan;
  @state() private open = false;
  private readonly closeOutside = (event: Event): void => {
    if (!event.composedPath().includes(this)) this.hide();
  };

  get isOpen(): boolean {
    return this.open;
  }

  /** Open it; `focus` goes to the first item or the last, or stays where it is. */
  async show(focus: "first" | "last" | "none" = "none"): Promise<void> {
    this.open = true;
    window.addEventListener("pointerdown", this.closeOutside, true);
    window.addEventListener("blur", this.closeOutside);
    await this.updateComplete;
    this.keepInSight();
    if (focus !== "none")
      this.items()
        .at(focus === "first" ? 0 : -1)
        ?.focus();
    else this.button.focus({ preventScroll: true });
  }

  /** A wide menu of a narrow page moves to the left as far as it must. */
  private keepInSight(): void {
    const menu = this.renderRoot.querySelector<HTMLElement>("[role=menu]");
    if (menu) menu.style.left = `${Math.min(0, window.innerWidth - 8 - menu.getBoundingClientRect().right) / scale.peek()}px`;
  }

  hide(): void {
    this.open = false;
    window.removeEventListener("pointerdown", this.closeOutside, true);
    window.removeEventListener("blur", this.closeOutside);
  }

  override focus(): void {
    this.button.focus();
  }

  private get button(): HTMLButtonElement {
    return this.renderRoot.querySelector("button") as HTMLButtonElement;
  }

  private items(): HTMLElement[] {
    return [...this.renderRoot.querySelectorAll<HTMLElement>("[role^=menuitem]")];
  }

  override render(): TemplateResult {
    return html`
      <button
        class="plain"
        aria-haspopup="menu"
        aria-expanded=${this.open}
        aria-label=${this.plan.label}
        title=${this.open ? nothing : this.plan.label}
        @click=${() => (this.open ? this.hide() : void this.show())}
        @keydown=${this.onButtonKey}
      >
        ${this.plan.name}
      </button>
      ${this.open ? this.menu() : nothing}
    `;
  }

  private menu(): TemplateResult {
    const columns = this.plan.columns.map((groups) => sections(commands, groups)).filter((parts) => parts.length > 0);
    const titled = columns.flat().length > 1;
    return html`
      <div role="menu" aria-label=${this.plan.label} @keydown=${this.onMenuKey}>
        ${columns.map(
          (parts) => html`
            <div class="column" role="presentation">
              ${parts.map(
                ({ group, items }) => html`
                  <div role="group" aria-label=${group}>
                    ${titled ? html`<div class="heading" role="presentation">${group}</div>` : nothing}
                    ${items.map((item) =>
                      this.item(
                        item,
                        items.some(({ checked }) => checked !== null),
                      ),
                    )}
                  </div>
                `,
              )}
            </div>
          `,
        )}
      </div>
    `;
  }

  private item({ id, label, key, checked, reason }: MenuItem, ticked: boolean): TemplateResult {
    return html`
      <button
        role=${checked === null ? "menuitem" : "menuitemcheckbox"}
        aria-checked=${checked ?? nothing}
        tabindex="-1"
        aria-disabled=${reason !== ""}
        title=${reason || nothing}
        @click=${() => this.choose(id, reason)}
        @pointerenter=${(event: PointerEvent) => (event.currentTarget as HTMLElement).focus()}
      >
        <span>${ticked ? html`<span class="tick" aria-hidden="true">${checked ? "✓" : ""}</span>` : nothing}<span class="label">${label}</span></span>
        <span class="key">${key}</span>
      </button>
    `;
  }

  private choose(id: string, reason: string): void {
    if (reason) return; // stays open, so that its tooltip can be read
    this.hide();
    this.button.blur();
    commands.run(id);
  }

  /** Close it and go back: to its button, or away from it where the mouse opened it, for no ring is wanted then. */
  private leave(): void {
    this.hide();
    if (document.documentElement.dataset.hand === "mouse") this.button.blur();
    else this.button.focus();
  }

  private onButtonKey(event: KeyboardEvent): void {
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      void this.show(event.key === "ArrowDown" ? "first" : "last");
    } else if (event.key === "Escape" && this.open) {
      event.preventDefault();
      this.leave();
    } else this.passOn(event);
  }

  private onMenuKey(event: KeyboardEvent): void {
    const items = this.items();
    const at = items.indexOf(this.shadowRoot?.activeElement as HTMLElement);
    const letter = event.key.length === 1 && event.key !== " " && !event.ctrlKey && !event.altKey && !event.metaKey;
    const labels = items.map((each) => each.querySelector(".label")?.textContent ?? "");
    const next = letter ? startingWith(event.key, labels, at) : stepTo(event.key, at, items.length);
    if (next !== null) items[next].focus();
    else if (event.key === "Escape" || event.key === "Tab") this.leave();
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      this.passOn(event);
      return;
    } else if (event.key === "Enter" || event.key === " ") {
      event.stopPropagation(); // the click that follows chooses; no command may take the key
      return;
    } else if (!letter) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Left and right lead to the neighbouring menus; the bar knows which those are. */
  private passOn(event: KeyboardEvent): void {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    event.preventDefault();
    event.stopPropagation();
    const detail = { by: event.key === "ArrowLeft" ? -1 : 1, open: this.open };
    this.dispatchEvent(new CustomEvent("step", { detail }));
  }
}
