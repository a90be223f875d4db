import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { startingWith, stepTo } from "./menu_steps";

/** One line of the menu; `reason` says why it cannot be chosen, empty when it can. */
export interface MenuItem {
  label: string;
  reason: string;
  run: () => void;
  /** Begins a new part of the menu. */
  parted?: boolean;
}

/** A line that can always be chosen, or says why not. */
export function menuItem(label: string, run: () => unknown, reason = ""): MenuItem {
  return { label, reason, run: () => void run() };
}

/** The menu of a right click: arrow keys, letters, Enter; Escape or a click elsewhere closes it. */
@customElement("ib-context-menu")
export class ContextMenu extends LitElement {
  static override styles = css`
    [role="menu"] {
      position: fixed;
      z-index: 30;
      min-width: 220px;
      padding: 5px;
      border: 1px solid var(--line);
      border-radius: var(--radius);
      background: var(--panel);
      box-shadow: 0 8px 28px rgb(0 0 0 / 50%);
    }
    button {
      display: block;
      width: 100%;
      padding: 3px 9px;
      border: 0;
      border-radius: 3px;
      background: none;
      color: var(--text);
      font: var(--font);
      font-size: calc(13px * var(--scale));
      text-align: left;
      white-space: nowrap;
      cursor: pointer;
    }
    button:focus {
      outline: none;
      background: color-mix(in srgb, var(--accent) 26%, var(--panel));
    }
    button[aria-disabled="true"] {
      color: color-mix(in srgb, var(--quiet) 75%, var(--panel));
      cursor: default;
    }
    hr {
      margin: 5px 0;
      border: 0;
      border-top: 1px solid var(--line);
    }
  `;

  @state() private items: readonly MenuItem[] = [];
  private x = 0;
  private y = 0;
  private cameFrom: Element | null = null;
  private readonly closeOutside = (event: Event): void => {
    if (!event.composedPath().includes(this)) this.close();
  };

  /** Open it at a pixel of the page, moved so that it fits. */
  async open(items: readonly MenuItem[], x: number, y: number): Promise<void> {
    this.cameFrom = document.activeElement;
    this.items = items;
    [this.x, this.y] = [x, y];
    window.addEventListener("pointerdown", this.closeOutside, true);
    window.addEventListener("blur", this.closeOutside);
    await this.updateComplete;
    const menu = this.renderRoot.querySelector<HTMLElement>("[role=menu]");
    if (!menu) return;
    menu.style.left = `${Math.max(4, Math.min(x, window.innerWidth - menu.offsetWidth - 4))}px`;
    menu.style.top = `${Math.max(4, Math.min(y, window.innerHeight - menu.offsetHeight - 4))}px`;
    this.buttons()[0]?.focus({ preventScroll: true });
  }

  close(): void {
    if (this.items.length === 0) return;
    this.items = [];
    window.removeEventListener("pointerdown", this.closeOutside, true);
    window.removeEventListener("blur", this.closeOutside);
    if (this.cameFrom instanceof HTMLElement) this.cameFrom.focus({ preventScroll: true });
  }

  override render(): TemplateResult | typeof nothing {
    if (this.items.length === 0) return nothing;
    return html`
      <div role="menu" aria-label="What to do here" style="left:${this.x}px;top:${this.y}px" @keydown=${this.onKey} @contextmenu=${prevent}>
        ${this.items.map(
          (item) => html`
            ${item.parted ? html`<hr />` : nothing}
            <button
              role="menuitem"
              tabindex="-1"
              aria-disabled=${item.reason !== ""}
              title=${item.reason || nothing}
              @click=${() => this.choose(item)}
              @pointerenter=${(event: PointerEvent) => (event.currentTarget as HTMLElement).focus()}
            >
              ${item.label}
            </button>
          `,
        )}
      </div>
    `;
  }

  private choose(item: MenuItem): void {
    if (item.reason) return; // stays open, so that its tooltip can be read
    this.close();
    item.run();
  }

  private onKey(event: KeyboardEvent): void {
    // A menu has all keys to itself; none may run a command behind it.
    event.stopPropagation();
    const buttons = this.buttons();
    const at = buttons.indexOf(this.shadowRoot?.activeElement as HTMLButtonElement);
    const isLetter = event.key.length === 1 && event.key !== " ";
    const labels = this.items.map(({ label }) => label);
    const next = isLetter ? startingWith(event.key, labels, at) : stepTo(event.key, at, buttons.length);
    if (next !== null) buttons[next].focus();
    else if (event.key === "Escape" || event.key === "Tab") this.close();
    else return;
    event.preventDefault();
  }

  private buttons(): HTMLButtonElement[] {
    return [...this.renderRoot.querySelectorAll("button")];
  }
}

function prevent(event: Event): void {
  event.preventDefault();
}
